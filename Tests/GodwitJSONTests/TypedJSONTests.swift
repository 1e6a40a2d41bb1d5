import GodwitJSON
import GodwitModel
import Testing

/// Values from the ledger are read back exactly, and no other text is accepted.
struct TypedJSONTests {
    private static let values: [Value] = [
        .null, .integer(0), .integer(-7), .integer(.max), .integer(.min), .integer(9_007_199_254_740_992), .real(0.0),
        .real(-0.0), .real(1), .real(0.1), .real(-1e300), .real(.leastNonzeroMagnitude),
        .real(.greatestFiniteMagnitude),
        .real(.infinity), .real(-.infinity), .real(1e15), .text([]), .string("é/\"\\\u{7F}\u{1}\n\t\r\u{8}\u{C}"),
        .text(Array("a\0b".utf8)), .text([0xFF]), .string("{\"$blob\":\"\"}"), .blob([]), .blob([0]), .blob([1, 2]),
        .blob(Array(0...255)),
    ]

    private func write(_ values: [Value]) -> [UInt8] { TypedJSON.array(of: values) }

    @Test("every value survives typed JSON, by itself and among others")
    func roundTrip() {
        for value in Self.values { #expect(TypedJSON.elements(of: write([value])) == [value]) }
        #expect(TypedJSON.elements(of: write(Self.values)) == Self.values)
        #expect(TypedJSON.elements(of: write([])) == [])
    }

    @Test("random reals and integers survive typed JSON")
    func random() {
        var seed: UInt64 = 7
        var values: [Value] = []
        for _ in 0..<10_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let real = Double(bitPattern: seed)
            values.append(real.isNaN ? .null : .real(real))
            values.append(.integer(Int64(bitPattern: seed >> (seed % 60))))
        }
        #expect(TypedJSON.elements(of: write(values)) == values)
    }

    @Test("members keep their order, and names are compared by bytes")
    func members() throws {
        var json = JSONBuffer()
        json.append("{")
        for (index, name) in ["b", "a\"\n", "\u{E9}", "e\u{301}"].enumerated() {
            if index > 0 { json.append(",") }
            json.append(string: name)
            json.append(":")
            json.append(.integer(Int64(index)))
        }
        json.append("}")
        let members = try #require(TypedJSON.members(of: json.bytes))
        #expect(members.map { Array($0.name.utf8) } == ["b", "a\"\n", "\u{E9}", "e\u{301}"].map { Array($0.utf8) })
        #expect(members.map(\.value) == (0..<4).map { .integer($0) })
    }

    @Test(
        "JSON in another form is not read as typed JSON",
        arguments: [
            "", "{", "[", "[1", "[1,]", "[,1]", "[1]x", "[ 1]", "[01x]", "[1e]", "[--1]", "[1e999]",
            "[9223372036854775808]",
            "[true]", "[nul]", "[[1]]", "[\"a]", "[\"\\q\"]", "[\"\\u00e9\"]", "[\"\\u00\"]", "[\"\n\"]",
            "[\"\u{1F}\"]", "[{}]",
            "[{\"a\":1}]", "[{\"$int\":1}]", "[{\"$int\":\"x\"}]", "[{\"$real\":\"1.0\"}]", "[{\"$blob\":\"A\"}]",
            "[{\"$blob\":\"A===\"}]", "[{\"$blob\":\"AB==\"}]", "[{\"$blob\":\"A*==\"}]",
            "[{\"$text\":\"AA==\",\"b\":1}]", "{}",
        ])
    func refused(_ text: String) {
        #expect(TypedJSON.elements(of: Array(text.utf8)) == nil)
    }

    @Test("objects with a repeated member, a missing value or an invalid name are rejected")
    func refusedObjects() {
        for text in [
            "[]", "{\"a\":1,\"a\":2}", "{\"a\"}", "{\"a\":}", "{a:1}", "{1:1}", "{\"a\":1}}", "{\"a\":1", "{,}",
        ] {
            #expect(TypedJSON.members(of: Array(text.utf8)) == nil, "\(text)")
        }
        #expect(TypedJSON.members(of: [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]) == nil)
    }

    @Test("truncated typed JSON is rejected")
    func cut() {
        let whole = write(Self.values)
        for end in 0..<whole.count { #expect(TypedJSON.elements(of: Array(whole[..<end])) == nil) }
    }
}
