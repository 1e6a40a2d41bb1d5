import GodwitModel

/// A binary property list from encoded objects; every field of the trailer can be wrong on purpose.
struct BinaryFixture {
    var objects: [[UInt8]]
    var top: UInt64 = 0
    var magic = "bplist00"
    /// Offsets to write instead of the correct ones.
    var offsets: [Int]?
    var offsetSize: Int?
    var referenceSize: Int?
    var objectCount: UInt64?
    var tableOffset: UInt64?
    var unused: [UInt8] = [0, 0, 0, 0, 0, 0]
    /// Bytes after the trailer.
    var tail: [UInt8] = []
    /// Bytes between the last object and the table.
    var gap: [UInt8] = []

    init(_ objects: [[UInt8]]) {
        self.objects = objects
    }

    var bytes: [UInt8] {
        var bytes = Array(magic.utf8)
        var places: [Int] = []
        for object in objects {
            places.append(bytes.count)
            bytes += object
        }
        bytes += gap
        let table = bytes.count
        let width = offsetSize.map { max($0, 1) } ?? Self.size(for: table)
        for offset in offsets ?? places { bytes += Self.bigEndian(UInt64(offset), width) }
        bytes += unused
        bytes += [UInt8(offsetSize ?? width), UInt8(referenceSize ?? Self.size(for: objects.count))]
        bytes += Self.bigEndian(objectCount ?? UInt64(objects.count), 8)
        bytes += Self.bigEndian(top, 8) + Self.bigEndian(tableOffset ?? UInt64(table), 8)
        return bytes + tail
    }

    static func size(for number: Int) -> Int { number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : 4 }

    static func bigEndian(_ number: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) : 0 }
    }

    static func header(_ marker: UInt8, _ count: Int) -> [UInt8] {
        if count < 15 { return [marker | UInt8(count)] }
        let size = size(for: count)
        return [marker | 15, size == 1 ? 0x10 : size == 2 ? 0x11 : 0x12] + bigEndian(UInt64(count), size)
    }

    static func array(_ references: [Int], size: Int = 1) -> [UInt8] {
        header(0xA0, references.count) + references.flatMap { bigEndian(UInt64($0), size) }
    }

    static func dictionary(_ keys: [Int], _ values: [Int], size: Int = 1) -> [UInt8] {
        header(0xD0, keys.count) + (keys + values).flatMap { bigEndian(UInt64($0), size) }
    }

    static func ascii(_ text: String) -> [UInt8] { header(0x50, text.utf8.count) + Array(text.utf8) }

    static func utf16(_ units: [UInt16]) -> [UInt8] {
        header(0x60, units.count) + units.flatMap { bigEndian(UInt64($0), 2) }
    }

    static func utf16(_ text: String) -> [UInt8] { utf16(Array(text.utf16)) }

    static func integer(_ number: Int64) -> [UInt8] { [0x13] + bigEndian(UInt64(bitPattern: number), 8) }

    static func real(_ number: Double) -> [UInt8] { [0x23] + bigEndian(number.bitPattern, 8) }

    static func date(_ seconds: Double) -> [UInt8] { [0x33] + bigEndian(seconds.bitPattern, 8) }

    static func data(_ bytes: [UInt8]) -> [UInt8] { header(0x40, bytes.count) + bytes }

    static func uid(_ number: UInt8) -> [UInt8] { [0x80, number] }

    static let yes: [UInt8] = [0x09]
    static let no: [UInt8] = [0x08]

    /// A file whose root has one key.
    static func one(_ key: String, _ value: [UInt8]) -> [UInt8] {
        BinaryFixture([dictionary([1], [2]), ascii(key), value]).bytes
    }
}

/// Short names for values in test tables.
extension LegacyValue {
    static func dict(_ pairs: KeyValuePairs<String, LegacyValue>) -> LegacyValue {
        .dictionary(pairs.map { LegacyPair(key: $0.key, value: $0.value) })
    }

    /// The same with the keys of all dictionaries sorted by bytes, because writers choose their own order.
    var sorted: LegacyValue {
        switch self {
        case .array(let items): .array(items.map(\.sorted))
        case .dictionary(let pairs):
            .dictionary(
                pairs.map { LegacyPair(key: $0.key, value: $0.value.sorted) }
                    .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
        default: self
        }
    }
}
