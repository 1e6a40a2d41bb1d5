import GodwitModel
import GodwitTestSupport
import Testing

struct ValueTests {
    private static let big = 9_007_199_254_740_992 as Int64

    /// In ascending order; no two are the same.
    private static let ascending: [Value] = [
        .null, .real(-.infinity), .real(-.greatestFiniteMagnitude), .real(-9_223_372_036_854_777_856), .integer(.min),
        .real(-9_223_372_036_854_775_808), .integer(.min + 1), .integer(-big - 1), .integer(-big), .real(Double(-big)),
        .integer(-big + 1), .real(-1.5), .integer(-1), .real(-1), .real(-0.5), .real(-.leastNonzeroMagnitude),
        .integer(0),
        .real(-0.0), .real(0.0), .real(.leastNonzeroMagnitude), .real(0.5), .integer(1), .real(1), .real(1.5),
        .integer(2),
        .integer(big - 1), .real(Double(big - 1)), .integer(big), .real(Double(big)), .integer(big + 1),
        .integer(big + 2),
        .real(Double(big + 2)), .integer(.max - 1), .integer(.max), .real(9_223_372_036_854_775_808), .real(1e300),
        .real(.infinity), .text([]), .text([0]), .string("10"), .string("9"), .string("A"), .string("AA"), .string("a"),
        .string("é"), .text([0xFF]), .blob([]), .blob([0]), .blob([0, 0]), .blob([1]), .blob([0xFF]),
    ]

    @Test("the order of values is total")
    func order() {
        for (i, a) in Self.ascending.enumerated() {
            for (j, b) in Self.ascending.enumerated() {
                #expect((a < b) == (i < j), "\(a) \(b)")
                #expect((a == b) == (i == j), "\(a) \(b)")
            }
        }
    }

    @Test("sorting values in any order gives the same sequence")
    func shuffles() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<50 { #expect(Self.ascending.shuffled(using: &random).sorted() == Self.ascending) }
    }

    @Test("a NaN neither crashes nor changes the order of other values")
    func nan() {
        let nan = Value.real(.nan)
        for value in Self.ascending {
            let isNumber: Bool = if case .real = value { true } else if case .integer = value { true } else { false }
            if isNumber {
                #expect(nan < value && !(value < nan))
            } else {
                #expect((nan < value) != (value < nan))
            }
        }
        #expect(!(nan < nan) && nan == nan)
    }

    @Test("integers next to 2^53 and 2^63 are compared with reals exactly")
    func exact() {
        #expect(Value.integer(Self.big + 1) > .real(Double(Self.big)))
        #expect(Value.integer(Self.big - 1) < .real(Double(Self.big)))
        #expect(Value.integer(.max) < .real(Double(Int64.max)))
        #expect(!(Value.real(Double(Int64.max)) < .integer(.max)))
        #expect(Value.integer(.min) < .real(Double(Int64.min)))
        #expect(Value.integer(3) < .real(3.000_000_000_000_001) && Value.real(2.999_999_999_999_999) < .integer(3))
    }

    @Test("values are equal if storage class and bits are equal")
    func sameness() {
        #expect(Value.integer(1) != .real(1))
        #expect(Value.real(0.0) != .real(-0.0))
        #expect(Value.string("") != .null && Value.string("") != .blob([]))
        #expect(Value.string("é") != .string("e\u{301}"))
        #expect(Value.string("a") == .text([0x61]))
        #expect(Set(Self.ascending).count == Self.ascending.count)
        #expect(Value.string("ab").hashValue == Value.text([0x61, 0x62]).hashValue)
    }

    @Test(
        "a value has a readable text",
        arguments: [
            (Value.null, "NULL"), (.integer(-5), "-5"), (.real(0.1), "0.1"), (.real(2), "2.0"), (.string("重さ"), "重さ"),
            (.text([0x61, 0xFF]), "a\u{FFFD}"), (.blob([1, 2, 3]), "blob of 3 bytes"),
        ])
    func readable(value: Value, text: String) { #expect(value.readable == text) }

    @Test(
        "a key in a report distinguishes its record from others",
        arguments: [
            (Value.integer(-5), "-5"), (.string("a"), "a"), (.blob([]), "x''"), (.blob([0, 0x1F, 0xAB]), "x'001FAB'"),
            (.blob([UInt8](repeating: 7, count: 33)), "x'\(String(repeating: "07", count: 32))…'"),
        ])
    func keyText(value: Value, text: String) { #expect(value.keyText == text) }
}
