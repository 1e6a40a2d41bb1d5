import GodwitLegacy
import GodwitModel
import GodwitPropertyList
import Testing

/// Keys, paths and positions in messages.
struct MessageTextTests {
    @Test(
        "control characters are escaped in messages, and other text is unchanged",
        arguments: [
            ("plain", "plain"), ("日本 🏋️‍♀️é", "日本 🏋️\\u{200d}♀️é"), ("a\nb", "a\\u{a}b"), ("\u{1B}[31m", "\\u{1b}[31m"),
            ("\u{202E}abc", "\\u{202e}abc"),
            ("a\u{2028}b", "a\\u{2028}b"), ("\0", "\\u{0}"), ("", ""),
        ])
    func escaping(text: String, expected: String) {
        #expect(text.escapedForMessage == expected)
    }

    @Test(
        "a message shows eighty characters of a text at most", arguments: [(79, 79), (80, 80), (81, 81), (5000, 81)])
    func length(count: Int, shown: Int) {
        let text = String(repeating: "x", count: count).escapedForMessage
        #expect(text.count == shown)
        #expect(text.hasSuffix("…") == (count > 80))
    }

    @Test("a long path of keys is shown without its middle")
    func keyPath() {
        let names = (1...9).map { "k\($0)" }
        let open = names.map { "{\"\($0)\":" }.joined()
        let error = #expect(throws: GodwitError.self) {
            try JSONReader.read(Array((open + "1e999" + String(repeating: "}", count: 9)).utf8))
        }
        #expect(
            error?.message.hasPrefix("key 'k1' > 'k2' > 'k3' > '…' > 'k8' > 'k9': number out of range (line 1") == true)
    }

    @Test("positions are offsets in binary files, and lines and columns in text files")
    func places() {
        let binary = #expect(throws: GodwitError.self) {
            try BinaryPropertyListReader.read(BinaryFixture.one("k", [0x70]))
        }
        #expect(binary?.message == "not a readable property list (unknown object type 0x70; byte 13)")
        let json = #expect(throws: GodwitError.self) { try JSONReader.read(Array("{\n  \"日本\": x}".utf8)) }
        #expect(json?.message == "not readable JSON (a value expected; line 2, column 9)")
    }

    @Test("damage and exceeded limits give different hints")
    func hints() {
        let damage = #expect(throws: GodwitError.self) { try JSONReader.read(Array("[".utf8)) }
        #expect(damage?.hint?.contains("backup") == true)
        let limit = #expect(throws: GodwitError.self) {
            try JSONReader.read(Array("[1,2]".utf8), limits: .init(nodes: 2))
        }
        #expect(limit?.hint?.contains("64 MiB") == true)
    }

    @Test("an error has the file's path before its message")
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

struct LegacyFavoriteTests {
    @Test("two favorites are equal if bytes, date and source type are equal")
    func equality() {
        #expect(LegacyFavorite(key: "a") == LegacyFavorite(key: "a"))
        #expect(LegacyFavorite(key: "caf\u{E9}") != LegacyFavorite(key: "cafe\u{301}"))
        #expect(LegacyFavorite(key: "a", date: .epoch) != LegacyFavorite(key: "a"))
        #expect(LegacyFavorite(key: "a", coercedFrom: "integer") != LegacyFavorite(key: "a"))
        #expect(RejectedFavorite(position: 1, reason: "r") != RejectedFavorite(position: 2, reason: "r"))
    }
}
