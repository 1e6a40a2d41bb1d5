import GodwitModel
import GodwitSQLite
import GodwitExport
import GodwitTestSupport
import Testing

/// UTF-16 stores with texts that are not valid UTF-16 are exported and restored bit by bit.
struct UTF16Tests {
    private static let item = Entity(name: "Item", key: "id")

    /// A store with a record for each text, as its key and as a value, made by SQLite only.
    private static func samples(_ encoding: String) throws -> Restoration {
        let restoration = try Restoration([item], schema: ["PRAGMA encoding='\(encoding)'; CREATE TABLE Item(id, a)"])
        let rows = WideSample.all.shuffled().map { "(\($0.sql(in: encoding)), \($0.sql(in: encoding)))" }
        try SampleStore.make(
            restoration.folder["first.store"], encoding: encoding,
            "CREATE TABLE Item(id, a); INSERT INTO Item VALUES \(rows.joined(separator: ", "))")
        return restoration
    }

    @Test("half of a surrogate pair is written as WTF-8", arguments: WideSample.wideEncodings)
    func written(encoding: String) throws {
        func export(_ sample: WideSample) throws -> [String] {
            let fixture = try ExportFixture.items(
                columns: "id, a", encoding: encoding, "INSERT INTO Item VALUES (1, \(sample.sql(in: encoding)))")
            try fixture.export()
            return try fixture.records()
        }
        #expect(try export(WideSample.broken[0]) == [#"{"id":1,"a":{"$text":"7aCAQQ=="}}"#])
        #expect(try export(WideSample.broken[2]) == [#"{"id":1,"a":{"$text":"7aCA"}}"#])
        #expect(try export(.init(units: [0xD800, 0xDC00], bytes: [])) == ["{\"id\":1,\"a\":\"\u{10000}\"}"])
        #expect(try export(.init(units: [0xFEFF, 0xFFFF], bytes: [])) == ["{\"id\":1,\"a\":\"\u{FEFF}\u{FFFF}\"}"])
    }

    @Test("the same texts give the same export, in any encoding", arguments: WideSample.wideEncodings)
    func sameness(encoding: String) throws {
        let (plain, wide) = (try Self.samples("UTF-8"), try Self.samples(encoding))
        try plain.export()
        try wide.export()
        #expect(try plain.folder.text(of: "first.json") == wide.folder.text(of: "first.json"))
    }

    @Test("texts that are equal after SQLite's conversion have one order", arguments: WideSample.wideEncodings)
    func order(encoding: String) throws {
        let alike = [WideSample.broken[0], WideSample.broken[1], WideSample.whole[3]]
        let expected = try ExportFixture.items(
            columns: "id, a",
            "INSERT INTO Item VALUES \(alike.map { "(1, \($0.sql(in: "UTF-8")))" }.joined(separator: ", "))"
        ).export().sha256
        for places in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let rows = places.map { "(1, \(alike[$0].sql(in: encoding)))" }.joined(separator: ", ")
            let fixture = try ExportFixture.items(
                columns: "id, a", encoding: encoding, "INSERT INTO Item VALUES \(rows)")
            #expect(try fixture.export().sha256 == expected, "\(places)")
        }
    }

    @Test(
        "each text is restored with the same bits, and in another encoding as the same text",
        arguments: WideSample.encodings, WideSample.encodings)
    func restored(from: String, to: String) throws {
        let source = try Self.samples(from)
        let written = try source.export()
        let target = try Self.samples(to)
        #expect(try target.restore(bytes: source.folder.bytes(of: "first.json")).sha256 == written.sha256)
        let store = try SampleStore(target.folder["second.store"])
        #expect(try store.text("PRAGMA encoding") == to)
        for sample in WideSample.all {
            let found = try store.integer(
                """
                SELECT count(*) FROM Item WHERE hex(CAST(id AS BLOB)) = '\(sample.stored(in: to))'
                AND hex(CAST(a AS BLOB)) = '\(sample.stored(in: to))' AND typeof(id) = 'text' AND typeof(a) = 'text'
                """)
            #expect(found == 1, "\(sample)")
        }
        #expect(try store.integer("SELECT count(*) FROM Item") == Int64(WideSample.all.count))
        try store.close()
    }

    @Test("records with such keys are added and removed by an increment", arguments: WideSample.wideEncodings)
    func increment(encoding: String) throws {
        let restoration = try Self.samples(encoding)
        try restoration.export()
        let store = try SampleStore(restoration.folder["first.store"])
        try store.execute("DELETE FROM Item WHERE id = \(WideSample.broken[0].sql(in: encoding))")
        try store.execute("UPDATE Item SET a = 1 WHERE id = \(WideSample.broken[1].sql(in: encoding))")
        try store.execute("UPDATE Item SET a = 2 WHERE id = \(WideSample.whole[8].sql(in: encoding))")
        try store.close()
        try restoration.export(to: "increment.json", since: "first.json")
        let whole = try restoration.export(to: "whole.json")
        let restored = try restoration.restore("first.json", increment: "increment.json")
        #expect(restored.sha256 == whole.sha256)
        #expect(try restoration.rows("second.store", "Item") == restoration.rows("first.store", "Item"))
    }

    @Test(
        "bytes that are not UTF-16 give 65 for a restore into a UTF-16 store", arguments: WideSample.wideEncodings)
    func refused(encoding: String) throws {
        let source = try Restoration([Self.item], schema: ["CREATE TABLE Item(id, a)"])
        try source.make { try $0.execute("INSERT INTO Item VALUES (1, 'x'), (2, CAST(x'41FF' AS TEXT))") }
        try source.export()
        let target = try Restoration(
            [Self.item], schema: ["PRAGMA encoding='\(encoding)'; CREATE TABLE Item(id, a)"])
        let error = failure { try target.restore(bytes: source.folder.bytes(of: "first.json")) }
        #expect(error?.code == .data && error?.stage == .import)
        #expect(error?.message == "record 2 of Item can't be restored into `second.store`")
        #expect(error?.underlying?.contains("UTF-16") == true)
        #expect(error?.hint?.contains("UTF-8") == true)
        #expect(target.folder.names() == [])
    }

    @Test("a text with an odd number of bytes gives 65 for an export", arguments: WideSample.wideEncodings)
    func odd(encoding: String) throws {
        let fixture = try ExportFixture.items(
            columns: "id, a", encoding: encoding, "INSERT INTO Item VALUES (1, x'5A5A5A5A5A')")
        let odd = try #require(try WideSample.makingOddText(of: fixture.folder.bytes(of: "C.store")))
        try fixture.folder.remove("C.store")
        try fixture.folder.write(odd, to: "C.store")
        let error = failure { try fixture.export() }
        #expect(error?.code == .data && error?.stage == .export)
        #expect(fixture.folder.names(in: "exports") == [])
    }
}
