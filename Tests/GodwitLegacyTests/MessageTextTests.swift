import GodwitLegacy
import GodwitModel
import GodwitPropertyList
import Testing

/// How keys, paths and places look in messages.
struct MessageTextTests {
    @Test(
        "control characters are escaped, everything else stays",
        arguments: [
            ("plain", "plain"), ("日本 🏋️‍♀️é", "日本 🏋️\\u{200d}♀️é"), ("a\nb", "a\\u{a}b"), ("\u{1B}[31m", "\\u{1b}[31m"),
            ("\u{202E}abc", "\\u{202e}abc"),
            ("a\u{2028}b", "a\\u{2028}b"), ("\0", "\\u{0}"), ("", ""),
        ])
    func escaping(text: String, expected: String) {
        #expect(text.escapedForMessage == expected)
    }

    @Test(
        "eighty characters are shown, of longer texts no more", arguments: [(79, 79), (80, 80), (81, 81), (5000, 81)])
    func length(count: Int, shown: Int) {
        let text = String(repeating: "x", count: count).escapedForMessage
        #expect(text.count == shown)
        #expect(text.hasSuffix("…") == (count > 80))
    }

    @Test("long key paths lose their middle")
    func keyPath() {
        let names = (1...9).map { "k\($0)" }
        let open = names.map { "{\"\($0)\":" }.joined()
        let error = #expect(throws: GodwitError.self) {
            try JSONReader.read(Array((open + "1e999" + String(repeating: "}", count: 9)).utf8))
        }
        #expect(
            error?.message.hasPrefix("key 'k1' > 'k2' > 'k3' > '…' > 'k8' > 'k9': number out of range (line 1") == true)
    }

    @Test("a binary file's places are bytes, a text's are lines and columns")
    func places() {
        let binary = #expect(throws: GodwitError.self) {
            try BinaryPropertyListReader.read(BinaryFixture.one("k", [0x70]))
        }
        #expect(binary?.message == "not a readable property list (unknown object type 0x70; byte 13)")
        let json = #expect(throws: GodwitError.self) { try JSONReader.read(Array("{\n  \"日本\": x}".utf8)) }
        #expect(json?.message == "not readable JSON (a value expected; line 2, column 9)")
    }

    @Test("damage and limits give different advice")
    func hints() {
        let damage = #expect(throws: GodwitError.self) { try JSONReader.read(Array("[".utf8)) }
        #expect(damage?.hint?.contains("backup") == true)
        let limit = #expect(throws: GodwitError.self) {
            try JSONReader.read(Array("[1,2]".utf8), limits: .init(nodes: 2))
        }
        #expect(limit?.hint?.contains("64 MiB") == true)
    }

    @Test("an error takes the path of its file in front")
    func inFile() {
        let error = GodwitError(.legacy, .data, "what", hint: "do").inFile("/a\nb")
        #expect(error.message == "/a\\u{a}b: what")
        #expect(error.hint == "do")
        #expect(error.code == .data)
    }

    @Test("the limits are those of the documentation")
    func limits() {
        #expect(LegacyLimits.standard.bytes == 67_108_864)
        #expect(LegacyLimits.standard.nodes == 1_000_000)
        #expect(LegacyLimits.standard.depth == 512)
    }
}

/// What favourites are compared by.
struct LegacyFavoriteTests {
    @Test("two favourites are one when bytes, date and origin are the same")
    func equality() {
        #expect(LegacyFavorite(key: "a") == LegacyFavorite(key: "a"))
        #expect(LegacyFavorite(key: "caf\u{E9}") != LegacyFavorite(key: "cafe\u{301}"))
        #expect(LegacyFavorite(key: "a", date: .epoch) != LegacyFavorite(key: "a"))
        #expect(LegacyFavorite(key: "a", coercedFrom: "integer") != LegacyFavorite(key: "a"))
        #expect(RejectedFavorite(position: 1, reason: "r") != RejectedFavorite(position: 2, reason: "r"))
    }
}
