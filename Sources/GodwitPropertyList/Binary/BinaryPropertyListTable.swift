/// The objects of a binary property list by number, with their offsets checked and their contents not decoded.
///
/// Layout: `bplist00`, the objects, a table of their offsets, a trailer of 32 bytes: 6 unused, size of an offset, size
/// of a reference, and as 64-bit big-endian numbers count of objects, top object, offset of the table. Source:
/// CoreFoundation, `CFBinaryPList.c`.
///
/// Invariants after `init`: every object is completely between the header and the table; two objects have the same
/// offset or do not overlap; every reference in an array or dictionary names an object.
struct BinaryPropertyListTable {
    static let headerSize = 8
    static let trailerSize = 32

    let bytes: [UInt8]
    let offsetSize: Int
    let referenceSize: Int
    /// The number of the top object.
    let top: Int
    /// The start of the offset table, which is the end of the objects.
    let tableStart: Int
    /// The offset of each object, by number.
    let offsets: [Int]

    /// Reads header, trailer and table, then checks every object once.
    init(_ bytes: [UInt8], limits: LegacyLimits) throws(LegacyDamage) {
        guard bytes.starts(with: Array("bplist00".utf8)) else { throw LegacyDamage("unknown binary version", at: 0) }
        let trailer = bytes.count - Self.trailerSize
        guard trailer > Self.headerSize + 1 else { throw LegacyDamage("truncated", at: bytes.count) }
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        let count = Self.number(in: bytes, at: trailer + 8, size: 8)
        let top = Self.number(in: bytes, at: trailer + 16, size: 8)
        let table = Self.number(in: bytes, at: trailer + 24, size: 8)
        guard (1...8).contains(offsetSize) else { throw Self.trailerDamage("offset size", at: trailer + 6) }
        guard (1...8).contains(referenceSize) else { throw Self.trailerDamage("reference size", at: trailer + 7) }
        guard count >= 1, count < UInt64(trailer) else { throw Self.trailerDamage("object count", at: trailer + 8) }
        guard count <= UInt64(limits.nodes) else {
            throw LegacyDamage("more than \(limits.nodes) objects", at: trailer + 8, kind: .limit)
        }
        guard top < count else { throw Self.trailerDamage("top object", at: trailer + 16) }
        guard table > UInt64(Self.headerSize), table < UInt64(trailer) else {
            throw Self.trailerDamage("offset table", at: trailer + 24)
        }
        guard UInt64(trailer) - table == count * UInt64(offsetSize) else {
            throw Self.trailerDamage("size of the file", at: trailer)
        }
        // CoreFoundation has the same condition: the sizes must be able to hold the count and the table's offset.
        guard Self.fits(count, referenceSize) else { throw Self.trailerDamage("reference size", at: trailer + 7) }
        guard Self.fits(table, offsetSize) else { throw Self.trailerDamage("offset size", at: trailer + 6) }
        self.top = Int(top)
        tableStart = Int(table)
        var offsets: [Int] = []
        offsets.reserveCapacity(Int(count))
        for entry in stride(from: Int(table), to: trailer, by: offsetSize) {
            let offset = Self.number(in: bytes, at: entry, size: offsetSize)
            guard offset >= UInt64(Self.headerSize), offset < table else {
                throw LegacyDamage("object offset", at: entry)
            }
            offsets.append(Int(offset))
        }
        self.offsets = offsets
        try checkObjects()
    }

    /// The object with a number that has been checked.
    func object(_ number: Int) throws(LegacyDamage) -> BinaryObject {
        try object(at: offsets[number])
    }

    /// The reference at an offset inside an array or dictionary.
    func reference(at position: Int) -> Int {
        Int(truncatingIfNeeded: Self.number(in: bytes, at: position, size: referenceSize))
    }

    /// Checks each offset once, because a hostile table may list one large array a million times.
    private func checkObjects() throws(LegacyDamage) {
        var end = 0
        var last = -1
        for offset in sortedOffsets() where offset != last {
            guard offset >= end else { throw LegacyDamage("objects overlap", at: offset) }
            let object = try object(at: offset)
            if object.kind == .array || object.kind == .dictionary {
                for position in stride(from: object.payload.lowerBound, to: object.end, by: referenceSize)
                where Self.number(in: bytes, at: position, size: referenceSize) >= UInt64(offsets.count) {
                    throw LegacyDamage("object reference", at: position)
                }
            }
            last = offset
            end = object.end
        }
    }

    /// The offsets in ascending order; most writers write them so.
    func sortedOffsets() -> [Int] {
        zip(offsets, offsets.dropFirst()).allSatisfy { $0 < $1 } ? offsets : offsets.sorted()
    }

    /// An invalid trailer usually means that the file is truncated.
    private static func trailerDamage(_ field: String, at offset: Int) -> LegacyDamage {
        LegacyDamage("truncated, or damaged trailer: \(field)", at: offset)
    }

    /// Whether numbers with this many bytes can hold more than a value.
    static func fits(_ value: UInt64, _ size: Int) -> Bool {
        size >= 8 || value < 1 << (8 * UInt64(size))
    }

    /// A big-endian number of 1 to 8 bytes.
    static func number(in bytes: [UInt8], at position: Int, size: Int) -> UInt64 {
        var number: UInt64 = 0
        for byte in bytes[position..<(position + size)] { number = number << 8 | UInt64(byte) }
        return number
    }
}
