import GodwitModel
import GodwitPropertyList
import Testing

struct JSONReaderTests {
    @Test(
        "each kind of JSON value has its own type",
        arguments: [
            ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("\"text\"", .string("text")),
            ("0", .integer(0)),
            ("-0", .integer(0)), ("42", .integer(42)), ("-7", .integer(-7)), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .bigInteger("9223372036854775808")),
            ("-99999999999999999999", .bigInteger("-99999999999999999999")),
            ("9007199254740993", .integer(9_007_199_254_740_993)),
            ("0.5", .real(0.5)), ("-0.0", .real(-0.0)), ("1e2", .real(100)), ("1E+2", .real(100)),
            ("25e-1", .real(2.5)),
            ("1.0", .real(1)), ("1e-400", .real(0)), ("[]", .array([])), ("{}", .dict([:])), (" [ ] ", .array([])),
            ("[1,[2,{}],\"3\"]", .array([.integer(1), .array([.integer(2), .dict([:])]), .string("3")])),
            ("{\"a\":{\"b\":[null]}}", .dict(["a": .dict(["b": .array([.null])])])),
            ("\r\n\t {\"a\" :\n1 , \"b\": 2}\n", .dict(["a": .integer(1), "b": .integer(2)])),
            ("\u{FEFF}[]", .array([])),
        ] as [(String, LegacyValue)])
    func values(text: String, expected: LegacyValue) throws {
        #expect(try JSONReader.read(Array(text.utf8)) == expected)
    }

    @Test(
        "JSON escapes are decoded",
        arguments: [
            (#""\"\\\/""#, "\"\\/"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u65E5""#, "Aé日"),
            (#""\uD83C\uDFCB""#, "🏋"), (#""\u0000""#, "\0"), (#""caf\u0065\u0301""#, "cafe\u{301}"),
            ("\"\u{7F}\"", "\u{7F}"),
        ])
    func escapes(text: String, expected: String) throws {
        #expect(try JSONReader.read(Array(text.utf8)) == .string(expected))
    }

    @Test("JSON of Foundation is read with the same values")
    func foundationFiles() throws {
        let value = LegacyValue.dict([
            "text": .string("caffè \"q\" \\ / 日本語 🏋️\n"), "list": .array([.integer(1), .real(0.5), .bool(true)]),
            "nested": .dict(["empty": .dict([:])]),
        ])
        #expect(try JSONReader.read(try FoundationOracle.write(value, as: .json)).sorted == value.sorted)
    }

    @Test("keys that are equal only after normalization stay two keys in JSON")
    func normalisationTwins() throws {
        let text = "{\"caf\u{E9}\":1,\"cafe\u{301}\":2}"
        #expect(try JSONReader.read(Array(text.utf8))["cafe\u{301}"] == .integer(2))
    }

    @Test(
        "text that is not JSON is rejected",
        arguments: [
            ("", "truncated"), (" ", "truncated"), ("[", "truncated"), ("[1", "truncated"), ("[1,", "truncated"),
            ("{", "truncated"), ("{\"a\"", "truncated"), ("{\"a\":", "truncated"), ("{\"a\":1", "truncated"),
            ("{\"a\":1,", "truncated"), ("\"abc", "truncated"), ("\"\\", "truncated"), ("\"\\u12", "truncated"),
            ("[1,]", "a value expected"), ("[,1]", "a value expected"),
            ("[1 2]", "',' or the end of the array expected"),
            ("{\"a\":1 \"b\":2}", "',' or the end of the object expected"), ("[1}", "',' or the end of the array"),
            ("{\"a\":1]", "',' or the end of the object"), ("{\"a\":1,}", "a key in quotes expected"),
            ("{a:1}", "a key in quotes expected"), ("{'a':1}", "a key in quotes expected"),
            ("{1:1}", "a key in quotes expected"),
            ("{\"a\" 1}", "':' expected"), ("{\"a\"=1}", "':' expected"), ("{\"a\":}", "a value expected"),
            ("nul", "a value expected"), ("True", "a value expected"), ("NaN", "a value expected"),
            ("Infinity", "a value expected"), ("'a'", "a value expected"), ("+1", "a value expected"),
            (".5", "a value expected"),
            ("-Infinity", "malformed number"), ("-", "malformed number"), ("01", "malformed number"),
            ("-01", "malformed number"),
            ("1.", "malformed number"), ("1.e1", "malformed number"), ("1e", "malformed number"),
            ("1e+", "malformed number"),
            ("0x10", "text after the end"), ("1 1", "text after the end"), ("{}{}", "text after the end"),
            ("null,", "text after the end"), ("[] // comment", "text after the end"), ("/* */[]", "a value expected"),
            ("1e400", "number out of range"), ("-1e999", "number out of range"), ("\"a\nb\"", "control character"),
            ("\"\u{0}\"", "control character"), ("\"\u{1F}\"", "control character"), ("\"\\x41\"", "unknown escape"),
            ("\"\\u00g0\"", "malformed escape"),
            ("\"\\ud800\"", "lone surrogate"), ("\"\\udc00\"", "lone surrogate"),
            ("\"\\ud800\\u0041\"", "lone surrogate"),
            ("\"\\ud800\\ud800\"", "lone surrogate"), ("\"\\ud800x\"", "lone surrogate"),
            ("{\"a\":1,\"a\":2}", "duplicate key 'a'"), ("{\"a\":1,\"\\u0061\":2}", "duplicate key 'a'"),
            ("\u{A0}[]", "a value expected"),
        ])
    func damage(text: String, reason: String) {
        let error = #expect(throws: GodwitError.self) { try JSONReader.read(Array(text.utf8)) }
        #expect(error?.code == .data)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "accepted")")
        #expect(error?.message.contains("line ") == true)
    }

    @Test(
        "bytes that are not UTF-8 are rejected as JSON",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        let error = #expect(throws: GodwitError.self) { try JSONReader.read([0x22] + bytes + [0x22]) }
        #expect(error?.message == "not readable JSON (not valid UTF-8; line 1, column 2)")
    }

    @Test("a JSON number out of range is rejected with its key")
    func keyPath() {
        let error = #expect(throws: GodwitError.self) { try JSONReader.read(Array("{\"a\":[{\"b\":1e999}]}".utf8)) }
        #expect(error?.message == "key 'a' > 'b': number out of range (line 1, column 12)")
    }

    @Test("JSON is read up to the nesting limit, and one level more is rejected", arguments: ["[", "{\"k\":"])
    func depth(unit: String) {
        let close = unit == "[" ? "]" : "}"
        func nested(_ levels: Int) -> [UInt8] {
            Array((String(repeating: unit, count: levels) + "1" + String(repeating: close, count: levels)).utf8)
        }
        #expect(throws: Never.self) { try JSONReader.read(nested(512)) }
        for levels in [513, 100_000] {
            let error = #expect(throws: GodwitError.self) { try JSONReader.read(nested(levels)) }
            #expect(error?.message.contains("nested deeper than 512") == true)
        }
    }

    @Test("values and keys of JSON count towards the limit")
    func nodeLimit() {
        let file = Array("{\"a\":[1,2]}".utf8)
        #expect(throws: Never.self) { try JSONReader.read(file, limits: .init(nodes: 5)) }
        #expect(throws: GodwitError.self) { try JSONReader.read(file, limits: .init(nodes: 4)) }
    }
}
