import Foundation
import GodwitExport
import GodwitModel
import GodwitTestSupport
import Testing

/// Documents that are not what they should be: refused with 65, in one line, whatever is wrong with them.
@Suite(.timeLimit(.minutes(5)))
struct HostileDocumentTests {
    struct Spoiled: CustomTestStringConvertible, Sendable {
        let name: String
        let part: String
        let text: DocumentText
        var testDescription: String { name }

        init(_ name: String, _ part: String = "", _ change: (inout DocumentText) -> Void) {
            (self.name, self.part, text) = (name, part, DocumentText(change))
        }

        static func value(_ json: String, _ part: String = "'a' of Item") -> Spoiled {
            Spoiled("value \(json.prefix(40))", part) { $0 = .value(json) }
        }

        static func record(_ json: String, _ part: String) -> Spoiled {
            Spoiled("record \(json)", part) { $0.records = [json] }
        }
    }

    static let headers: [Spoiled] = [
        Spoiled("newer reader", "version 2; this is version 1") {
            $0.format = #""format": "godwit-export", "formatVersion": 2, "minReaderVersion": 2, "#
        },
        Spoiled("reader far away", "version 2147483647") {
            $0.format = #""format": "godwit-export", "formatVersion": 1, "minReaderVersion": 2147483647, "#
        },
        Spoiled("other format", "not 'godwit-export'") {
            $0.format = #""format": "other", "formatVersion": 1, "minReaderVersion": 1, "#
        },
        Spoiled("no format", "not 'godwit-export'") { $0.format = #""formatVersion": 1, "minReaderVersion": 1, "# },
        Spoiled("no reader version", "'minReaderVersion' is missing") {
            $0.format = #""format": "godwit-export", "formatVersion": 1, "#
        },
        Spoiled("version as text", "'formatVersion' has a value of the wrong type") {
            $0.format = #""format": "godwit-export", "formatVersion": "1", "minReaderVersion": 1, "#
        },
        Spoiled("version as real", "'formatVersion' has a value of the wrong type") {
            $0.format = #""format": "godwit-export", "formatVersion": 1.0, "minReaderVersion": 1, "#
        },
        Spoiled("negative version", "'schemaVersion' has a value of the wrong type") {
            $0.about = #""app": "A", "schemaVersion": -1, "#
        },
        Spoiled("unknown layout", "layout") { $0.more = #""layout": "columns", "# },
        Spoiled("no app", "'app' is missing") { $0.about = #""schemaVersion": 1, "# },
        Spoiled("no time", "'exportedAt' is missing") { $0.moment = #""exportId": "ID", "# },
        Spoiled("a time that is none", "'exportedAt' has a value of the wrong type") {
            $0.moment = #""exportedAt": "yesterday", "exportId": "ID", "#
        },
        Spoiled("no source", "'source' is missing") { $0.source = "" },
        Spoiled("source without its migration", "'source' has a value of the wrong type") {
            $0.source = #""source": {}, "#
        },
        Spoiled("a member twice", "a member is there twice") { $0.more = #""app": "B", "# },
        Spoiled("an unknown member twice", "a member is there twice") { $0.more = #""x": 1, "x": 2, "# },
        Spoiled("a member twice in escapes", "a member is there twice") { $0.more = #""\u0061pp": "B", "# },
        Spoiled("a member twice inside of another", "a member is there twice") {
            $0.more = #""x": {"y": 1, "y": 2}, "#
        },
        Spoiled("no quotes", "'\"'") { $0.more = "x: 1, " },
        Spoiled("single quotes", "'\"'") { $0.more = "'x': 1, " },
        Spoiled("a comment", "'\"'") { $0.more = "/* x */ " },
        Spoiled("two commas", "'\"'") { $0.more = ", " },
        Spoiled("a word that is none", "'true'") { $0.more = #""x": tru, "# },
        Spoiled("not a number", "something else than a value") { $0.more = #""x": NaN, "# },
        Spoiled("a mark of byte order", "'{'") { $0.opening = "\u{FEFF}" + $0.opening },
        Spoiled("text before it", "'{'") { $0.opening = "x" + $0.opening },
        Spoiled("a list", "'{'") { $0.opening = "[" + $0.opening },
    ]

    static let entities: [Spoiled] = [
        Spoiled("wrong hash", "has other content than was exported") { $0.hash = String(repeating: "0", count: 64) },
        Spoiled("no hash", "has other content than was exported") { $0.hash = "" },
        Spoiled("a hash in capitals", "has other content than was exported") {
            $0.hash = String(repeating: "AB", count: 32)
        },
        Spoiled("more announced", "has 1 records of Item, but announces 2") { $0.count = 2 },
        Spoiled("fewer announced", "has 1 records of Item, but announces 0") { $0.count = 0 },
        Spoiled("negative count", "lacks its name, key, columns or count") { $0.count = -1 },
        Spoiled("wrong counts", "other numbers of records") { $0.counts = #"{"Item": 2}"# },
        Spoiled("no counts", "other numbers of records") { $0.counts = "{}" },
        Spoiled("one entity too many in the counts", "other numbers of records") {
            $0.counts = #"{"Item": 1, "Other": 0}"#
        },
        Spoiled("counts that are none", "no counts or no sha256") { $0.counts = "7" },
        Spoiled("an unknown member of an entity", "an entity has a member") { $0.description += #", "rowids": true"# },
        Spoiled("an entity's member twice", "twice") { $0.description += #", "key": "a""# },
        Spoiled("an entity without its key", "lacks its name, key") {
            $0.description = #"{"name": "Item", "columns": [{"name": "id", "type": ""}], "count": COUNT"#
        },
        Spoiled("an entity without columns", "announces 0 columns") {
            $0.description = #"{"name": "Item", "key": "id", "columns": [], "count": COUNT"#
        },
        Spoiled("a key that is no column", "the key of Item is none of its columns") {
            $0.description = #"{"name": "Item", "key": "ID", "columns": [{"name": "id", "type": ""}], "count": COUNT"#
        },
        Spoiled("a column twice", "announces 'id' twice") {
            $0.description =
                #"{"name": "Item", "key": "id", "columns": [{"name": "id", "type": ""}, {"name": "id", "type": ""}], "count": COUNT"#
        },
        Spoiled("a column without a type", "by name and type alone") {
            $0.description = #"{"name": "Item", "key": "id", "columns": [{"name": "id"}], "count": COUNT"#
        },
        Spoiled("an unknown member of a column", "by name and type alone") {
            $0.description =
                #"{"name": "Item", "key": "id", "columns": [{"name": "id", "type": "", "unit": "kg"}], "count": COUNT"#
        },
        Spoiled("generated, but not true", "'generated'") {
            $0.description =
                #"{"name": "Item", "key": "id", "columns": [{"name": "id", "type": "", "generated": false}], "count": COUNT"#
        },
        Spoiled("something behind it", "something follows its end") { $0.ending = "}\nx" },
        Spoiled("a second document behind it", "something follows its end") { $0.ending = "}\n{}" },
        Spoiled("NUL behind it", "something follows its end") { $0.ending = "}\n\0" },
        Spoiled("two braces behind it", "something follows its end") { $0.ending = "}}" },
    ]

    static let records: [Spoiled] = [
        .record(#"{"id":"k","a":1,"b":2}"#, "has a column that was not announced"),
        .record(#"{"id":"k","a":1,"a":1}"#, "has 'a' twice"), .record(#"{"id":"k"}"#, "has no 'a'"),
        .record(#"{"a":1,"id":"k"}"#, "out of the order"), .record(#"{"id":"k","id":1}"#, "has 'id' twice"),
        .record("{}", "has no 'id'"), .record(#"{"id":"k","A":1}"#, "not announced"), .record("[]", "'{'"),
        .record("null", "'{'"), .record(#"{"id":"k" "a":1}"#, "the next column"),
        .record(#"{"id":"k","a":1,}"#, "the next column"), .record(#"{"id" "k","a":1}"#, "':'"),
        .record(#"{"id":"k","a":1"#, "the end of a record"),
        .value("true"), .value("false"), .value("[]"), .value("[1]"), .value("{}", "'\"'"), .value("-", "a digit"),
        .value("01", "begins with 0"), .value("-01", "begins with 0"), .value("1.", "a digit"), .value(".5"),
        .value("+1"), .value("1e", "a digit"), .value("1e+", "a digit"), .value("0x10", "the end of a record"),
        .value("-0"), .value("9007199254740992"), .value("-9007199254740992"), .value("1e400"), .value("-1e400"),
        .value("1e99999999999999999999"), .value(String(repeating: "9", count: 1200), "too long"),
        .value("0." + String(repeating: "1", count: 1200), "too long"), .value("nul", "'null'"),
        .value("Infinity"), .value("NaN"), .value("undefined"),
        .value(#"{"$blob":"A"}"#), .value(#"{"$blob":"AA"}"#), .value(#"{"$blob":"AB=="}"#),
        .value(#"{"$blob":"AA="}"#),
        .value(#"{"$blob":"AAA=AAAA"}"#), .value(#"{"$blob":"===="}"#), .value(#"{"$blob":"AA A"}"#),
        .value(#"{"$blob":"AA_-"}"#), .value(#"{"$blob":"\u0041AAA"}"#), .value(#"{"$blob":1}"#),
        .value(#"{"$blob":null}"#), .value(#"{"$blob":"AAAA","x":1}"#), .value(#"{"$blob":"","$blob":""}"#),
        .value(#"{"$int":"1"}"#), .value(#"{"$int":"9007199254740991"}"#), .value(#"{"$int":9007199254740992}"#),
        .value(#"{"$int":"+9007199254740992"}"#), .value(#"{"$int":"09007199254740992"}"#),
        .value(#"{"$int":"-09007199254740992"}"#), .value(#"{"$int":"9223372036854775808"}"#),
        .value(#"{"$int":"-9223372036854775809"}"#), .value(#"{"$int":""}"#), .value(#"{"$int":"-"}"#),
        .value(#"{"$int":"1e17"}"#), .value(#"{"$real":"NaN"}"#), .value(#"{"$real":"1.5"}"#),
        .value(#"{"$real":"infinity"}"#), .value(#"{"$real":""}"#), .value(#"{"$text":"YQ=="}"#),
        .value(#"{"$text":""}"#), .value(#"{"$text":"x"}"#), .value(#"{"$date":"x"}"#), .value(#"{"":"x"}"#),
        .value(#""\ud800""#), .value(#""\udc00""#), .value(#""\ud800\u0061""#), .value(#""\ud800\ud800""#),
        .value(#""\u00g0""#), .value(#""\u12""#), .value(#""\x41""#), .value(#""\u0000""#), .value(#""\'""#),
        .value("\"a\nb\"", "a control character"), .value("\"\u{1}\"", "a control character"),
        .value("'x'"), .value("\"x", "the next column"), .value("", "'a' of Item"),
    ]

    private func expectRefused(_ bytes: [UInt8], _ part: String, _ note: String) {
        let error = failure { try RecordedDocument.read(bytes) }
        #expect(error?.code == .data, "\(note): \(error?.description ?? "was read")")
        #expect(error?.stage == .import, "\(note)")
        #expect(part.isEmpty || error?.message.contains(part) == true, "\(note): \(error?.message ?? "")")
        #expect(error?.hint != nil && error?.message.contains("\n") == false, "\(note)")
    }

    @Test("a header that is not right is refused", arguments: headers)
    func header(_ spoiled: Spoiled) throws {
        expectRefused(Array(spoiled.text.plain.utf8), spoiled.part, "plain")
        // What says how a document of lines is laid out can't be there twice either.
        expectRefused(
            Array(spoiled.text.lines.utf8), spoiled.name == "unknown layout" ? "twice" : spoiled.part, "lines")
    }

    @Test("entities and sums that are not right are refused", arguments: entities)
    func entity(_ spoiled: Spoiled) throws {
        expectRefused(Array(spoiled.text.plain.utf8), spoiled.part, "plain")
        if spoiled.name != "two braces behind it" { expectRefused(Array(spoiled.text.lines.utf8), "", "lines") }
        expectRefused(try Gzip.pack(Array(spoiled.text.plain.utf8)), spoiled.part, "gzip")
    }

    @Test("records and values that are not right are refused", arguments: records)
    func record(_ spoiled: Spoiled) throws {
        expectRefused(Array(spoiled.text.plain.utf8), spoiled.part == "the next column" ? "" : spoiled.part, "plain")
        expectRefused(Array(spoiled.text.lines.utf8), "", "lines")
    }

    @Test(
        "bytes that are no UTF-8 are refused, in values and in names",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3], [0x80], [0xE2, 0x82],
        ] as [[UInt8]])
    func encoding(_ bytes: [UInt8]) throws {
        let marked = DocumentText { $0.records = [#"{"id":"k","a":"@"}"#] }.plain
        expectRefused(marked.utf8.flatMap { $0 == 0x40 ? bytes : [$0] }, "no valid UTF-8", "value")
        let named = DocumentText { $0.more = #""@": 1, "# }.plain
        expectRefused(named.utf8.flatMap { $0 == 0x40 ? bytes : [$0] }, "no valid UTF-8", "name")
    }

    @Test(
        "a document that ends anywhere before its end is refused", arguments: ["plain", "lines", "gzip", "lines gzip"])
    func truncated(_ kind: String) throws {
        let text = DocumentText { $0.records += [#"{"id":"é🏋\n","a":{"$blob":"AP8="}}"#, #"{"id":"l","a":-1.5e3}"#] }
        var bytes = Array((kind.hasPrefix("lines") ? text.lines : text.plain).utf8)
        if kind.hasSuffix("gzip") { bytes = try Gzip.pack(bytes) }
        _ = try RecordedDocument.read(bytes)
        // The line feed at the end says nothing.
        let end = kind.hasSuffix("gzip") ? bytes.count : bytes.count - 1
        for count in 0..<end { expectRefused(Array(bytes[..<count]), "", "\(count) of \(bytes.count)") }
    }

    @Test("no changed byte goes unnoticed where it counts", arguments: [true, false])
    func changedByte(isLines: Bool) throws {
        let text = DocumentText { $0.records += [#"{"id":"l","a":2}"#] }
        let bytes = Array((isLines ? text.lines : text.plain).utf8)
        let whole = try RecordedDocument.read(bytes)
        for place in bytes.indices {
            for change: UInt8 in [0x01, 0x20, 0x80] {
                var other = bytes
                other[place] ^= change
                // It may be read all the same: a blank is as good as another, and the header is nobody's content.
                guard let read = try? RecordedDocument.read(other) else { continue }
                #expect(read.found.records == whole.found.records, "byte \(place)")
                #expect(read.found.entities == whole.found.entities, "byte \(place)")
            }
        }
    }

    @Test("a gzip file that is damaged, or has something behind it, is refused")
    func gzip() throws {
        let good = try Gzip.pack(Array(DocumentText().plain.utf8))
        expectRefused(good + [0], "other bytes behind its gzip stream", "NUL behind")
        expectRefused(good + Array("junk".utf8), "other bytes behind its gzip stream", "junk behind")
        expectRefused(good + [0x1F], "middle of its gzip stream", "half a member behind")
        expectRefused(good + [0x1F, 0x8B, 9, 9, 9], "damaged gzip", "a member that is none")
        expectRefused(good + good, "something follows its end", "the document twice")
        expectRefused(try good + Gzip.pack(Array("x".utf8)), "something follows its end", "junk in a member of its own")
        expectRefused(try Gzip.pack(good), "'{'", "packed twice")
        expectRefused([0x1F, 0x8B], "middle of its gzip stream", "two bytes")
        expectRefused(try Gzip.pack([]), "'{'", "nothing, packed")
        for place in [3, 10, good.count / 2, good.count - 8, good.count - 1] {
            var bad = good
            bad[place] ^= 0x55
            expectRefused(bad, "", "byte \(place)")
        }
    }

    @Test("a bomb is refused before it fills the memory")
    func bombs() throws {
        let limits = ReadingLimits()
        let blanks = try Gzip.pack([UInt8](repeating: 0x20, count: 40 << 20))
        expectRefused(blanks, "too many blanks", "blanks")
        let name = Array(#"{"x": ""#.utf8) + [UInt8](repeating: 0x61, count: 8 << 20)
        expectRefused(try Gzip.pack(name), "more than \(limits.header) bytes", "a member of the header")
        let record = Array(DocumentText().plain.components(separatedBy: #""k""#)[0].utf8) + [0x22]
        let long = record + [UInt8](repeating: 0x61, count: (64 << 20) + 10)
        expectRefused(try Gzip.pack(long, level: 1), "more than \(limits.record) bytes", "a record")
        let many = (0..<3000).map { #"{"name": "c\#($0)", "type": ""}"# }.joined(separator: ", ")
        expectRefused(
            Array(
                DocumentText {
                    $0.description = #"{"name": "Item", "key": "c1", "columns": [\#(many)], "count": COUNT"#
                }.plain.utf8), "announces 3000 columns", "columns")
    }

    @Test("nesting is bounded, and deep nesting does not fill the stack", arguments: [512, 513, 100_000])
    func nesting(_ depth: Int) throws {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let nested = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            let bytes = Array(DocumentText { $0.more = "\"x\": \(nested), " }.plain.utf8)
            if depth <= 512 {
                _ = try RecordedDocument.read(bytes)
            } else {
                expectRefused(bytes, "nested more than 512 deep", "\(open)")
            }
        }
    }

    @Test("limits can be drawn tighter, and are kept")
    func limits() throws {
        var limits = ReadingLimits()
        limits.record = 100
        let text = DocumentText { $0.records = [#"{"id":"\#(String(repeating: "x", count: 200))","a":1}"#] }
        #expect(
            failure { try RecordedDocument.read(text.plain, limits: limits) }?.message.contains("100 bytes") == true)
        limits.record = 300
        _ = try RecordedDocument.read(text.plain, limits: limits)
    }

    @Test("record lines of no entity, of one that is over, or that are none are refused")
    func lines() throws {
        let text = DocumentText()
        let good = text.lines
        for (line, part) in [
            (#"{"entity":"Other","record":{"id":"k","a":1}}"#, "no entity that was announced"),
            (#"{"record":{"id":"k","a":1},"entity":"Item"}"#, "neither a record nor"),
            (#"{"entity":"Item","record":{"id":"k","a":1},"x":1}"#, "'}'"), ("[]", "neither a record nor"),
            ("{}", "neither a record nor"), ("x", "a value"), (#"{"entity":"Item"}"#, "no entity that was announced"),
        ] {
            let spoiled = good.replacingOccurrences(of: "\n{\"integrity\"", with: "\n\(line)\n{\"integrity\"")
            let instead = good.replacingOccurrences(of: #"{"entity":"Item","record":{"id":"k","a":1}}"#, with: line)
            expectRefused(Array(instead.utf8), "", line)
            expectRefused(Array(spoiled.utf8), part, line)
        }
        expectRefused(Array(good.replacingOccurrences(of: "\"layout\": \"lines\", ", with: "").utf8), "", "no layout")
        let twice = good.replacingOccurrences(of: "{\"integrity\"", with: "{\"integrity\": {}}\n{\"integrity\"")
        expectRefused(Array(twice.utf8), "something follows", "two integrity lines")
    }

    @Test("a reading that is cancelled ends at the next piece")
    func cancelled() throws {
        let cancellation = Cancellation()
        cancellation.cancel(.terminated)
        var check = DocumentCheck()
        let error = failure {
            try ExportReader(cancellation: cancellation)
                .read(ExportInput(bytes: Array(DocumentText().plain.utf8)), into: &check)
        }
        #expect(error?.code == .terminated)
    }
}
