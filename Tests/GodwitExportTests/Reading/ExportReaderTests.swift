import GodwitModel
import GodwitSQLite
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// Valid documents: every form, every value, and every variation that the format allows.
struct ExportReaderTests {
    @Test("the header before the records is read")
    func header() throws {
        let (found, summary) = try RecordedDocument.read(Array(DocumentText().plain.utf8))
        let header = try #require(found.header)
        #expect(header.app == "A" && header.schemaVersion == 1 && header.schemaMigration == 1)
        #expect(header.exportedAt == .sampleNow && header.exportId == "ID" && header.layout == .document)
        #expect(found.entities.map(\.name) == ["Item"] && found.ended == ["Item"])
        #expect(found.entities[0].key == "id" && found.entities[0].count == 1)
        #expect(found.entities[0].columns.map(\.name) == ["id", "a"])
        #expect(found.entities[0].columns.map(\.type) == ["TEXT", ""])
        #expect(summary.counts == ["Item": 1] && !summary.isCompressed)
        #expect(summary.bytes == Int64(DocumentText().plain.utf8.count))
    }

    @Test("each value of an export is read", arguments: ExportValueTests.values)
    func values(sql: String, json: String) throws {
        let fixture = try ExportFixture.items(columns: "id TEXT, a", "INSERT INTO Item VALUES ('k', \(sql))")
        let stored = try SampleStore(fixture.folder["C.store"]).bytesAndClass("SELECT a FROM Item")
        let found = try RecordedDocument.read(DocumentText.value(json).plain)
        #expect(found.records["Item"] == [[.string("k"), stored]])
    }

    static let spellings: [(String, Value)] = [
        (#""\u0061\/\b\f\n\r\t\"\\""#, .string("a/\u{8}\u{c}\n\r\t\"\\")), (#""\ud83c\udfcb""#, .string("🏋")),
        (#""\uD83C\uDFCB""#, .string("🏋")), (#""\u00e9""#, .string("é")), ("1.50", .real(1.5)), ("1E2", .real(100)),
        ("1e+2", .real(100)), ("-0.0", .real(-0.0)), ("-0.0e5", .real(-0.0)), ("0.1e-3", .real(0.0001)),
        ("123456789012345678901234567890.0", .real(123_456_789_012_345_677_877_719_597_056)),
        ("4.9e-324", .real(.leastNonzeroMagnitude)), ("1e-400", .real(0)),
        ("2.2250738585072011e-308", .real(Double(bitPattern: 0x000F_FFFF_FFFF_FFFF))),
        (#"{ "$blob" : "AP8=" }"#, .blob([0, 0xFF])), (#"{"$int":"-9223372036854775808"}"#, .integer(.min)),
        ("9007199254740993.0", .real(9_007_199_254_740_992)),
        ("1.7976931348623157e308", .real(.greatestFiniteMagnitude)),
    ]

    @Test("other spellings of a value have the same meaning", arguments: spellings)
    func otherSpellings(json: String, value: Value) throws {
        #expect(try RecordedDocument.read(DocumentText.value(json).plain).records["Item"]?.first?[1] == value)
        #expect(try RecordedDocument.read(DocumentText.value(json).lines).records["Item"]?.first?[1] == value)
    }

    @Test("white space is accepted wherever JSON allows it, and a final line feed is optional")
    func blanks() throws {
        let text = DocumentText {
            $0.records = ["{ \"id\" :\t\"k\" ,\r\n \"a\" : 1 }", " {\"id\":\"l\",\"a\": null} "]
            $0.ending = "\n } \r\n\t "
        }
        let found = try RecordedDocument.read(text.plain)
        #expect(found.records["Item"] == [[.string("k"), .integer(1)], [.string("l"), .null]])
        _ = try RecordedDocument.read(DocumentText { $0.ending = "}" }.plain)
        _ = try RecordedDocument.read(DocumentText { $0.ending = "}" }.lines)
    }

    @Test("unknown members of the header are skipped, with any value")
    func unknownMembers() throws {
        let more = #""later": {"a": [1, -2.5e3, true, false, null, {"$blob": 1}, []], "b": {}}, "x": "y", "#
        let found = try RecordedDocument.read(DocumentText { $0.more = more }.plain)
        #expect(found.records["Item"]?.count == 1)
        _ = try RecordedDocument.read(DocumentText { $0.more = more }.lines)
        _ = try RecordedDocument.read(DocumentText { $0.ending = #", "signature": {"by": "me"}}"# }.plain)
        _ = try RecordedDocument.read(DocumentText { $0.ending = #", "signature": {"by": "me"}}"# }.lines)
        let newer = DocumentText().format.replacingOccurrences(of: #""formatVersion": 1"#, with: #""formatVersion": 9"#)
        #expect(try RecordedDocument.read(DocumentText { $0.format = newer }.plain).header?.formatVersion == 9)
    }

    @Test("JSON Lines and the document have the same content and hash")
    func lines() throws {
        let text = DocumentText { $0.records = (0..<5).map { #"{"id":"k\#($0)","a":{"$blob":"AP8="}}"# } }
        let plain = try RecordedDocument.read(Array(text.plain.utf8))
        let lines = try RecordedDocument.read(Array(text.lines.utf8))
        #expect(lines.summary.sha256 == plain.summary.sha256)
        #expect(lines.found.records == plain.found.records)
        #expect(lines.found.entities == plain.found.entities)
        #expect(lines.found.header?.layout == .lines)
        #expect(lines.found.header?.entities == lines.found.entities)
    }

    @Test(
        "the integrity of JSON Lines is found anywhere in its line, after unknown members"
    )
    func integrityBehind() throws {
        let text = DocumentText().lines
        let start = try #require(text.range(of: "{\"integrity\""))
        for more in [
            #"{"signature": {"by": "me"}, "integrity""#, #"{ "x": [1, {"integrity": 2}], "y": null, "integrity""#,
        ] {
            let other = text.replacingCharacters(in: start, with: more)
            #expect(try RecordedDocument.read(other).records["Item"]?.count == 1)
        }
        for more in [#"{"x": 1, "Integrity""#, #"{"integrity": {}, "integrity""#, #"{"x": {"integrity": 1}, "y""#] {
            let error = failure { try RecordedDocument.read(text.replacingCharacters(in: start, with: more)) }
            #expect(error?.code == .data, "\(more)")
        }
    }

    @Test("entities and columns with names that are equal only for Swift are different")
    func canonicallyEqualNames() throws {
        let whole = DocumentText {
            $0.description = """
                {"name": "Item", "key": "é", "columns": [{"name": "e\u{301}", "type": ""}, {"name": "é", "type": ""}], \
                "count": COUNT
                """
            $0.records = ["{\"e\u{301}\":1,\"é\":2}"]
        }
        #expect(try RecordedDocument.read(whole.plain).records["Item"] == [[.integer(1), .integer(2)]])
        let error = failure {
            try RecordedDocument.read(DocumentText { $0.counts = "{\"Item\": 1, \"I\u{301}tem\": 0}" }.plain)
        }
        #expect(error?.code == .data)
    }

    @Test("documents without records and without entities are read", arguments: [true, false])
    func empty(isLines: Bool) throws {
        let none = DocumentText { $0.records = [] }
        #expect(try RecordedDocument.read(isLines ? none.lines : none.plain).records == ["Item": []])
        let fixture = try ExportFixture([], sql: "CREATE TABLE A(id)")
        try fixture.export(as: ExportForm(layout: isLines ? .lines : .document))
        #expect(try RecordedDocument.read(fixture.text()).entities == [])
    }

    @Test("gzip data is read, at any level, with one or many members", arguments: [1, 6, 9])
    func gzip(level: Int) throws {
        for text in [DocumentText().plain, DocumentText().lines] {
            let bytes = Array(text.utf8)
            let whole = try RecordedDocument.read(Gzip.pack(bytes, level: level))
            #expect(whole.summary.isCompressed && whole.summary.bytes == Int64(bytes.count))
            let cut = bytes.count / 3
            let members = try Gzip.pack(Array(bytes[..<cut])) + Gzip.pack([]) + Gzip.pack(Array(bytes[cut...]))
            #expect(try RecordedDocument.read(members).found.records == whole.found.records)
        }
    }

    @Test("a record larger than any buffer is read, and a document with many", arguments: [true, false])
    func large(isLines: Bool) throws {
        let blob = [UInt8](repeating: 0xA5, count: 3_000_000)
        let long = String(repeating: "é\\n", count: 700_000)
        let text = DocumentText {
            $0.records =
                [#"{"id":"b","a":{"$blob":"\#(Data(blob).base64EncodedString())"}}"#, #"{"id":"\#(long)","a":0}"#]
                + (0..<20_000).map { #"{"id":"k\#($0)","a":\#($0)}"# }
        }
        let found = try RecordedDocument.read(isLines ? text.lines : text.plain)
        let rows = try #require(found.records["Item"])
        #expect(rows[0] == [.string("b"), .blob(blob)])
        #expect(rows[1] == [.string(String(repeating: "é\n", count: 700_000)), .integer(0)])
        #expect(rows.count == 20_002 && rows.last == [.string("k19999"), .integer(19_999)])
    }

    @Test("a file and standard input are read, and a pipe and a folder are rejected")
    func inputs() throws {
        let folder = try TemporaryFolder()
        var check = DocumentCheck()
        let path = try folder.write(DocumentText().plain, to: "e.json")
        #expect(try ExportReader().read(ExportInput(path: path, stage: .import), into: &check).counts == ["Item": 1])
        try folder.makeFIFO("pipe")
        for name in ["pipe", "."] {
            #expect(failure { try ExportInput(path: folder[name], stage: .import) }?.code == .noInput, "\(name)")
        }
        #expect(failure { try ExportInput(path: folder["missing"], stage: .import) }?.code == .noInput)
    }

    @Test("only exports are recognized, compressed or not")
    func recognition() throws {
        let fixture = try ExportFixture.items("INSERT INTO Item VALUES (1, 2, 3)")
        for layout in ExportReport.Layout.allCases {
            for level in [nil, 1, 9] {
                try fixture.export(to: "\(layout)\(level ?? 0)", as: ExportForm(layout: layout, gzipLevel: level))
                #expect(try ExportStage.appOfExport(at: fixture.folder["exports/\(layout)\(level ?? 0)"]) != nil)
            }
        }
        for text in ["", "{}", "my only copy", "{\"$schema\": \"urn:other\"}", "\u{1F}"] {
            #expect(try ExportStage.appOfExport(at: fixture.folder.write(text, to: "other")) == nil)
        }
        #expect(try ExportStage.appOfExport(at: fixture.folder.write([0x1F, 0x8B, 1, 2, 3], to: "other")) == nil)
        #expect(
            try ExportStage.appOfExport(at: fixture.folder.write(Gzip.pack(Array("a letter".utf8)), to: "other")) == nil
        )
    }
}

extension SampleStore {
    /// The first value of a query with its class, with the bytes of a text even if they are not UTF-8.
    func bytesAndClass(_ sql: String) throws -> Value {
        let connection = try StoreSnapshot(of: path, name: "S", stage: .import, context: .sample())
        return try connection.connection.first(sql) ?? .null
    }
}
