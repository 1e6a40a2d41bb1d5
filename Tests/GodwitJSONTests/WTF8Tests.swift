import GodwitJSON
import Testing

/// UTF-16 as SQLite keeps it, paired or not, and its bytes.
struct WTF8Tests {
    /// Units, and bytes computed by hand from the tables of the WTF-8 specification.
    private static let byHand: [(units: [UInt16], bytes: [UInt8])] = [
        ([], []),
        ([0], [0]),
        ([0x7F], [0x7F]),
        ([0x80], [0xC2, 0x80]),
        ([0x7FF], [0xDF, 0xBF]),
        ([0x800], [0xE0, 0xA0, 0x80]),
        ([0xD7FF], [0xED, 0x9F, 0xBF]),
        ([0xE000], [0xEE, 0x80, 0x80]),
        ([0xFEFF], [0xEF, 0xBB, 0xBF]),
        ([0xFFFE], [0xEF, 0xBF, 0xBE]),
        ([0xFFFF], [0xEF, 0xBF, 0xBF]),
        ([0xD800, 0xDC00], [0xF0, 0x90, 0x80, 0x80]),
        ([0xDBFF, 0xDFFF], [0xF4, 0x8F, 0xBF, 0xBF]),
        // Halves of a surrogate pair.
        ([0xD800], [0xED, 0xA0, 0x80]),
        ([0xDBFF], [0xED, 0xAF, 0xBF]),
        ([0xDC00], [0xED, 0xB0, 0x80]),
        ([0xDFFF], [0xED, 0xBF, 0xBF]),
        ([0xD800, 0x41], [0xED, 0xA0, 0x80, 0x41]),
        ([0x41, 0xDC00, 0x41], [0x41, 0xED, 0xB0, 0x80, 0x41]),
        ([0xDC00, 0xD800], [0xED, 0xB0, 0x80, 0xED, 0xA0, 0x80]),
        ([0xD800, 0xD800, 0xDC00], [0xED, 0xA0, 0x80, 0xF0, 0x90, 0x80, 0x80]),
        ([0xD800, 0xDC00, 0xDC00], [0xF0, 0x90, 0x80, 0x80, 0xED, 0xB0, 0x80]),
    ]

    @Test("each UTF-16 unit has the bytes of the WTF-8 specification, and back", arguments: byHand.indices)
    func handmade(_ place: Int) {
        let (units, bytes) = Self.byHand[place]
        #expect(encoded(units) == bytes)
        #expect(decoded(bytes) == units)
    }

    @Test("units at an odd address are read, and half a unit at the end is not")
    func oddAddress() {
        let bytes: [UInt8] = [0xFF] + [0x00D8, 0x0041].flatMap(Self.bytes) + [0x5A]
        var room = [UInt8](repeating: 0, count: 64)
        let count = bytes.withUnsafeBytes { bytes in
            room.withUnsafeMutableBytes { WTF8.encode(.init(rebasing: bytes[1...]), into: $0) }
        }
        #expect(Array(room[..<count]) == [0xC3, 0x98, 0x41])
    }

    @Test("every code point except surrogates is encoded as in Swift")
    func allScalars() {
        for code in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(code) else { continue }
            let (units, bytes) = (Array(scalar.utf16), Array(scalar.utf8))
            guard encoded(units) == bytes, decoded(bytes) == units else {
                Issue.record("U+\(String(code, radix: 16))")
                return
            }
        }
    }

    @Test("random units survive, and valid UTF-16 gives the same UTF-8")
    func randomUnits() {
        var dice = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let units = Self.randomUnits(&dice)
            let bytes = encoded(units)
            #expect(decoded(bytes) == units, "\(units)")
            if let text = String(validating: units, as: UTF16.self) {
                #expect(bytes == Array(text.utf8), "\(units)")
            } else {
                #expect(String(validating: bytes, as: UTF8.self) == nil, "\(units)")
            }
        }
    }

    @Test(
        "bytes that no units have are rejected as WTF-8",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC2], [0xE2, 0x82], [0xED, 0xA0], [0xF0, 0x90, 0x80], [0xC2, 0x41],
            [0x41, 0xBF],
            // A pair as twice three bytes (CESU-8) would be written back as four bytes.
            [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80], [0xED, 0xA0, 0x80, 0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80],
        ] as [[UInt8]])
    func noWTF8(_ bytes: [UInt8]) {
        #expect(decoded(bytes) == nil)
    }

    @Test("random bytes are rejected, or are exactly the bytes of their units")
    func randomBytes() {
        var dice = SystemRandomNumberGenerator()
        let leads: [UInt8] = [0x41, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0x80, 0x90, 0xA0, 0xB0, 0xBF]
        var taken = 0
        for _ in 0..<100_000 {
            let bytes = (0..<Int.random(in: 0..<8, using: &dice)).map { _ in leads.randomElement(using: &dice) ?? 0 }
            guard let units = decoded(bytes) else {
                #expect(String(validating: bytes, as: UTF8.self) == nil, "\(bytes)")
                continue
            }
            taken += 1
            #expect(encoded(units) == bytes, "\(bytes)")
        }
        #expect(taken > 1000)
    }

    @Test("texts have the order of their bytes, and only equal texts are equal")
    func order() {
        var dice = SystemRandomNumberGenerator()
        var texts = Self.byHand.map(\.units)
        for _ in 0..<300 { texts.append(Self.randomUnits(&dice)) }
        for one in texts {
            for other in texts {
                let (a, b) = (encoded(one), encoded(other))
                let order = compared(one.flatMap(Self.bytes), other.flatMap(Self.bytes))
                #expect((order < 0) == a.lexicographicallyPrecedes(b), "\(one) \(other)")
                #expect((order == 0) == (a == b), "\(one) \(other)")
            }
        }
    }

    @Test("texts with half a unit at the end have one order too")
    func orderOfDamage() {
        let texts: [[UInt8]] = [[], [1], [2], [1, 1], [1, 1, 0], [1, 1, 5], [1, 1, 0, 0], [1, 1, 9, 9, 9]]
        for (place, one) in texts.enumerated() {
            for (otherPlace, other) in texts.enumerated() where one.count % 2 + other.count % 2 > 0 {
                let (order, opposite) = (compared(one, other), compared(other, one))
                #expect(order.signum() == -opposite.signum())
                #expect((order == 0) == (place == otherPlace))
            }
        }
    }

    // MARK: Calls

    private static func randomUnits(_ dice: inout some RandomNumberGenerator) -> [UInt16] {
        let pool: [UInt16] = [0, 0x41, 0xE9, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFE, 0xFFFF]
        return (0..<Int.random(in: 0..<6, using: &dice)).map { _ in
            Bool.random(using: &dice) ? pool.randomElement(using: &dice) ?? 0 : .random(in: 0...0xFFFF, using: &dice)
        }
    }

    private static func bytes(_ unit: UInt16) -> [UInt8] { withUnsafeBytes(of: unit) { Array($0) } }

    private func encoded(_ units: [UInt16]) -> [UInt8] {
        var room = [UInt8](repeating: 0, count: units.count * WTF8.bytesPerUnit)
        let count = units.withUnsafeBytes { units in room.withUnsafeMutableBytes { WTF8.encode(units, into: $0) } }
        return Array(room[..<count])
    }

    private func decoded(_ bytes: [UInt8]) -> [UInt16]? {
        var room = [UInt16](repeating: 0, count: bytes.count)
        let count = bytes.withUnsafeBytes { bytes in room.withUnsafeMutableBytes { WTF8.decode(bytes, into: $0) } }
        return count.map { Array(room[..<$0]) }
    }

    private func compared(_ one: [UInt8], _ other: [UInt8]) -> Int {
        one.withUnsafeBytes { one in other.withUnsafeBytes { WTF8.compare(one, $0) } }
    }
}
