import GodwitModel
import Testing

struct ByteReplacementTests {
    @Test(
        "replacingBytes replaces each occurrence, also before a combining mark and after a joining scalar",
        arguments: [
            ("a'b'", "'", "\\'", "a\\'b\\'"), ("'\u{301}x", "'", "-", "-\u{301}x"),
            ("\u{600}%x", "%", "\\%", "\u{600}\\%x"),
            ("\u{600}##[\u{301}x", "##[", "## [", "\u{600}## [\u{301}x"), ("###[", "##[", "## [", "### ["),
            ("aaa", "aa", "b", "ba"), ("'", "'", "''", "''"), ("\u{e9}", "e\u{301}", "x", "\u{e9}"),
            ("日本", "本", "x", "日x"),
            ("a\r\nb", "\n", "n", "a\rnb"), ("ab", "", "x", "ab"), ("", "a", "x", ""), ("ab", "abc", "x", "ab"),
        ] as [(String, String, String, String)])
    func replaced(text: String, part: String, other: String, expected: String) {
        // Compared as bytes: in Swift's strings all forms of `é` are equal.
        #expect(Array(text.replacingBytes(of: part, with: other).utf8) == Array(expected.utf8))
    }
}
