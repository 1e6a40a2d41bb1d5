import GodwitJSON
import GodwitModel
import Testing

/// A reader whose bytes come in parts relies on what a part results in.
struct JSONParserTests {
    private static let text = #"{"a\u00e9é🏋":[1.5e-3,true,null,{"b":"\ud83c\udfcb\n"},[],{}],"c": -12}"#

    private func parse(_ bytes: [UInt8]) throws(JSONFault) -> (LegacyValue, JSONCursor) {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONFault) in
            var parser = JSONParser(JSONCursor(UnsafeRawBufferPointer(bytes)), limits: .init(depth: 4))
            return (try parser.value(), parser.cursor)
        }
    }

    @Test("the first part of a value needs more, wherever it is cut")
    func parts() throws {
        let whole = Array(Self.text.utf8)
        for end in whole.indices {
            let fault = #expect(throws: JSONFault.self) { try parse(Array(whole[..<end])) }
            #expect(fault?.needsMore == true, "\(end)")
        }
        let (value, cursor) = try parse(whole + [0x20])
        #expect(cursor.offset == whole.count)
        #expect(value["c"] == .integer(-12))
        #expect(value["aéé🏋"]?.elements?.first == .real(0.0015))
    }

    @Test("a number that ends with the bytes may go on", arguments: ["-1", "12.5", "1e9"])
    func numbers(_ text: String) throws {
        #expect(try parse(Array(text.utf8)).1.isAtEndOfNumber)
        #expect(try !parse(Array((text + ",").utf8)).1.isAtEndOfNumber)
    }

    @Test(
        "damage needs no more bytes",
        arguments: ["[1 2", "{1", "[\"\\q\"", "[\"\\ud800\"", "[01", "tru]", "[\"\n", "[[[[["])
    func damage(_ text: String) {
        let fault = #expect(throws: JSONFault.self) { try parse(Array((text + " ").utf8)) }
        #expect(fault?.needsMore == false)
    }
}
