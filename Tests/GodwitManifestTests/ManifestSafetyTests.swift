import GodwitManifest
import GodwitModel
import GodwitTestSupport
import Testing

struct ManifestSafetyTests {
    private static let head = "godwit: 1\napp: Notes\n"

    @Test(
        "aliases, anchors, tags, merges, directives and further documents are rejected with their position",
        arguments: [
            ("godwit: §&a 1\napp: *a\n", "anchor"), ("godwit: 1\napp: §*a\n", "alias"), ("§&a godwit: 1\n", "anchor"),
            ("§&a\ngodwit: 1\n", "anchor"), ("godwit: 1\nx: [1,§*a]\n", "alias"), ("x: {a:  §*a}\n", "alias"),
            ("{\"a\":§*b}", "alias"), ("- - §&x y\n", "anchor"), ("a: §!!str b\n", "tag"), ("a: §!x b\n", "tag"),
            ("a: §! b\n", "tag"), ("§!<tag:yaml.org,2002:map> {}\n", "tag"), ("a: b # &c\nd: §&e\n", "anchor"),
            ("a: 'b' \nc: §!d e\n", "tag"), ("a: \"x\\\"\"\nb: §&c d\n", "anchor"), ("a: 'x''y'\nb: §&c d\n", "anchor"),
            ("a: b\n§&c d: e\n", "anchor"), ("a: b\n  \"c\nd: §&e 1\nf: \"\n", "anchor"),
            ("a: b 'c\nd: §&e 1\n", "anchor"),
            ("a: {§<<: {godwit: 1}}\n", "merge"), ("§%YAML 1.2\n---\na: b\n", "directive"),
            ("§%TAG ! x\n", "directive"),
            ("godwit: 1\n§---\ngodwit: 1\n", "second"), ("---\na: b\n...\n§a: c\n", "second"),
            ("---\n§---\na: b\n", "second"),
            ("a: b c\n§---\n", "second"), ("...\n§---\na: b\n", "second"), ("§? a\n: b\n", "`?`"),
            ("{§? a : b}", "`?`"),
            ("a: §|\n  &b\n", "several lines"), ("a: §>-\n  *b\n", "several lines"), ("- §|2\n", "several lines"),
        ])
    func refusedSyntax(text: String, word: String) throws { try expectRefusal(text, [word]) }

    @Test(
        "a key given twice is rejected at the second position",
        arguments: [
            "godwit: 1\napp: a\n§app: b\n", "{\"app\": 1, §\"app\": 2}", "a: {b: 1, §'b': 2}\n",
            "a: [{b: 1, c: 2, §b: 3}]\n",
            "a:\n  - b: 1\n    §b: 2\n", "a: {x: {y: 1}, §x: {y: 2}}\n", "{a: 1,\n §\"a\": 2}",
            "a:\n  b:\n    c: 1\n  §b: 2\n",
            "a : 1\n§a   : 2\n", "1: a\n§\"1\": b\n", "é: 1\n§e\u{301}: 2\n", "a:\n- b: 1\n- b: 2\n§a: 3\n",
        ])
    func duplicates(text: String) throws { try expectRefusal(text, ["is given twice; first in line"]) }

    @Test("a key given twice in another spelling is rejected at the first position")
    func hiddenDuplicates() throws {
        try expectRefusal("§app: 1\n\"\\u0061pp\": 2\n", ["`app` is given twice"])
        try expectRefusal("x: {§it's: 1, 'it''s': 2}\n", ["`it's` is given twice"])
    }

    @Test(
        "text that is not YAML is rejected with the parser's message and position",
        arguments: [
            ("a: b§: c: d\n", "not allowed"), ("a: [1, 2\nb§: 3\n", "invalid YAML"), ("a: \"open\n§", "end of stream"),
            ("a:\n§\t- b\n", "cannot start any token"), ("a: §@b\n", "cannot start any token"),
            ("a: §`b`\n", "token"),
            ("{§]", "invalid YAML"), ("a: \"\\u§D800\"\n", "Unicode"), ("a: \"§\\q\"\n", "escape"),
            ("- a\n§b: c\n", "block"),
        ])
    func noYAML(text: String, word: String) throws { try expectRefusal(text, [word]) }

    @Test(
        "a document that is not a mapping is rejected",
        arguments: [
            ("§- a\n", "must be a mapping"), ("§hello\n", "must be a mapping"), ("§42", "an integer"),
            ("§[]", "a list"), ("§~", "nothing"),
            ("§", "is empty"), ("§\n\n# only a comment\n", "is empty"), ("---\n§", "nothing"), ("§\"\"", "text"),
            ("§{}", "missing key `godwit`"),
        ])
    func noMapping(text: String, word: String) throws { try expectRefusal(text, [word]) }

    @Test("a list or a mapping as a key is rejected")
    func compositeKeys() throws {
        try expectRefusal("§[a]: b\n", ["can't be a key"])
        try expectRefusal("x: {§{a: b}: c}\n", ["can't be a key"])
        try expectRefusal("{§[[a]]: b}", ["can't be a key"])
    }

    @Test(
        "bytes that are not safe text are rejected with their position",
        arguments: [
            ([0x61, 0x3A, 0x20, 0xFF], "1:4", "not UTF-8"), ([0x61, 0x0A, 0xC3, 0x28], "2:1", "not UTF-8"),
            ([0xED, 0xA0, 0x80], "1:1", "not UTF-8"), ([0xC0, 0xAF], "1:1", "not UTF-8"),
            ([0xF4, 0x90, 0x80, 0x80], "1:1", "not UTF-8"),
            ([0x61, 0x00, 0x62], "1:2", "U+0000"), ([0x0D, 0x0A, 0x20, 0x1B], "2:2", "U+001B"),
            ([0x0D, 0x20, 0x7F], "2:2", "U+007F"),
            ([0xC2, 0x85], "1:1", "U+0085"), ([0x61, 0xE2, 0x80, 0xA8], "1:2", "U+2028"),
            ([0x61, 0xEF, 0xBB, 0xBF], "1:2", "U+FEFF"),
            ([0xEF, 0xBF, 0xBF], "1:1", "U+FFFF"), ([0xFF, 0xFE, 0x61, 0x00], "1:1", "UTF-16"),
            ([0xFE, 0xFF, 0x00, 0x61], "1:1", "UTF-16"),
            ([0x61, 0x00], "1:2", "U+0000"), ([0xE6, 0x97, 0xA5, 0xE6, 0x9C, 0xAC, 0x01], "1:3", "U+0001"),
        ] as [([UInt8], String, String)])
    func bytes(bytes: [UInt8], place: String, word: String) throws { try expectRefusal(bytes, at: place, [word]) }

    @Test("a manifest of 1 MiB is read, and one byte more is rejected")
    func size() throws {
        let manifest = ManifestSamples.smallest + "\n#"
        let full = Array(manifest.utf8) + Array(repeating: UInt8(ascii: "x"), count: 1_048_576 - manifest.utf8.count)
        #expect(try Manifest.decode(full, file: "godwit.yaml", sha256: "").app == "Notes")
        try expectRefusal(full + [0x78], at: "1:1", ["1,048,577 bytes", "1,048,576"])
    }

    @Test("a nesting of 64 levels is read, and the 65th level is rejected", arguments: ["[", "{a: ", "- "])
    func nesting(open: String) throws {
        let nested = { (depth: Int) in "x: " + (open == "- " ? "\n " : "") + String(repeating: open, count: depth) }
        let places = open.count * 63 + (open == "- " ? 2 : 4)
        let deep = Array(nested(64).utf8)
        try expectRefusal(deep, at: "\(open == "- " ? 2 : 1):\(places)", ["deeper than 64"])
        let shallow = try #require(throws: GodwitError.self) {
            try ManifestSamples.decode(nested(63) + (open == "[" ? String(repeating: "]", count: 63) : ""))
        }
        #expect(!shallow.message.contains("deeper"))
    }

    @Test(
        "very many brackets, dashes, colons or quotes neither crash nor hang",
        arguments: [
            "[", "{", "- ", "? ", ": ", "a: ", "\"", "'", "!", "&a ", "*a ", "[a,", "{a: ", "a\n", "a:\n ", "[]: ",
            "\\", "a b ", "-\n", ",", "]", "%\n",
        ])
    func floods(piece: String) throws {
        let text = String(repeating: piece, count: 262_144 / piece.utf8.count)
        let error = try #require(throws: GodwitError.self) { try ManifestSamples.decode(text) }
        #expect(error.code == .manifest)
    }

    @Test("a list or mapping with too many entries is rejected")
    func manyEntries() throws {
        let keys = (0..<20_000).map { "k\($0): v" }.joined(separator: "\n")
        try expectRefusal(Array(keys.utf8), at: "1:1", ["20000 entries"])
        let list = "a: [" + Array(repeating: "1", count: 10_001).joined(separator: ",") + "]"
        try expectRefusal(Array(list.utf8), at: "1:4", ["10001 entries"])
    }

    @Test("an alias bomb is rejected at its first anchor")
    func bomb() throws {
        var text = "a: §&a [x, x, x, x, x, x, x, x, x]\n"
        for (name, before) in zip("bcdefghi", "abcdefgh") {
            text += "\(name): &\(name) [" + Array(repeating: "*\(before)", count: 9).joined(separator: ",") + "]\n"
        }
        try expectRefusal(text, ["anchor"])
    }

    @Test("a randomly edited manifest is read, or rejected with a position")
    func edits() throws {
        var random = SeededGenerator(seed: 42)
        let pieces = [
            "&", "*", "!", "?", ":", "-", "[", "]", "{", "}", "\"", "'", "#", "|", ">", "%", "\n", "\t", " ", ",", "\\",
            "é",
            "\0", "---\n", "<<: ",
        ]
        let sample = Array(ManifestSamples.trainLog.unicodeScalars)
        for _ in 0..<1000 {
            var text = sample
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let start = Int.random(in: 0..<text.count, using: &random)
                let end = min(text.count, start + Int.random(in: 0...3, using: &random))
                text.replaceSubrange(start..<end, with: (pieces.randomElement(using: &random) ?? "").unicodeScalars)
            }
            try expectManifestOrRefusal(text)
        }
    }

    @Test("in random text of YAML indicators, the scan finds every anchor before the parser")
    func soup() throws {
        var random = SeededGenerator(seed: 7)
        let pieces = [
            "&x ", "*x ", "!t ", "? ", ": ", "- ", "[", "]", "{", "}", "\"", "'", " #", "a", "b c", "\n", "\n  ",
            "\n    ",
            "\r\n ", " ", ", ", "\\", "''", "k: ", "\nk: ", "\n- ", "\t", ":", "-", "---", "\n---\n", "\n...\n", ",",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...14, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            try expectManifestOrRefusal(Array(text.unicodeScalars))
        }
    }

    private func expectManifestOrRefusal(_ text: [Unicode.Scalar]) throws {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: text)
        do {
            _ = try ManifestSamples.decode(String(view))
        } catch {
            let text = String(view)
            #expect(error.code == .manifest && error.message.hasPrefix("godwit.yaml:"), "\(text)")
            // These words would come from the second check after the scan; see `ManifestNode`.
            #expect(!error.message.contains("anchor or alias"), "\(text)")
        }
    }
}
