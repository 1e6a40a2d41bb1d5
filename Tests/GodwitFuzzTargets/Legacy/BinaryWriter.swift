import GodwitModel

/// Writes values as `bplist00`, with wide references and no sharing: an independent writer to check the reader.
struct BinaryWriter {
    private var objects: [[UInt8]] = []

    /// A binary property list; nil if a value can't be represented in one.
    static func write(_ value: LegacyValue) -> [UInt8]? {
        var writer = BinaryWriter()
        guard let top = writer.add(value) else { return nil }
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in writer.objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += bigEndian(UInt64(offset), 4) }
        bytes += [0, 0, 0, 0, 0, 0, 4, 4]
        for number in [offsets.count, top, table] { bytes += bigEndian(UInt64(number), 8) }
        return bytes
    }

    /// Adds an object after those it refers to, and returns its number.
    private mutating func add(_ value: LegacyValue) -> Int? {
        switch value {
        case .bool(let flag): return add([flag ? 0x09 : 0x08])
        case .integer(let number): return add([0x13] + Self.bigEndian(UInt64(bitPattern: number), 8))
        case .bigInteger(let digits):
            guard let wide = Int128(digits) else { return nil }
            let bits = UInt128(truncatingIfNeeded: wide)
            return add(
                [0x14] + Self.bigEndian(UInt64(truncatingIfNeeded: bits >> 64), 8)
                    + Self.bigEndian(UInt64(truncatingIfNeeded: bits), 8))
        case .real(let number): return add([0x23] + Self.bigEndian(number.bitPattern, 8))
        case .date(let date):
            let seconds = Double(date.seconds - Instant.coreDataEpoch) + Double(date.attoseconds) * 1e-18
            guard Instant(coreDataSeconds: seconds) == date else { return nil }
            return add([0x33] + Self.bigEndian(seconds.bitPattern, 8))
        case .data(let bytes): return add(Self.counted(0x40, bytes.count) + bytes)
        case .string(let text): return add(string: text)
        case .uid(let number): return add([0x87] + Self.bigEndian(number, 8))
        case .array(let items):
            let numbers = items.compactMap { add($0) }
            guard numbers.count == items.count else { return nil }
            return add(Self.counted(0xA0, items.count) + numbers.flatMap { Self.bigEndian(UInt64($0), 4) })
        case .dictionary(let pairs):
            let keys = pairs.map { add(string: $0.key) }
            let values = pairs.compactMap { add($0.value) }
            guard values.count == pairs.count else { return nil }
            return add(Self.counted(0xD0, pairs.count) + (keys + values).flatMap { Self.bigEndian(UInt64($0), 4) })
        case .null, .unheld: return nil
        }
    }

    private mutating func add(_ object: [UInt8]) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    private mutating func add(string text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return add(Self.counted(0x50, text.utf8.count) + Array(text.utf8)) }
        return add(Self.counted(0x60, text.utf16.count) + text.utf16.flatMap { Self.bigEndian(UInt64($0), 2) })
    }

    private static func counted(_ marker: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [marker | UInt8(count)] : [marker | 0x0F, 0x12] + bigEndian(UInt64(count), 4)
    }

    private static func bigEndian(_ number: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
}
