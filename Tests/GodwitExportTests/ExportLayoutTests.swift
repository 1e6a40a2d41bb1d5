import GodwitModel
import Crypto
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// The whole document: the order of its parts, and the hashes at its end.
struct ExportLayoutTests {
    private static func trips() throws -> ExportFixture {
        try ExportFixture(
            [Entity(name: "Stop", key: "id", modified: .init(column: "at")), Entity(name: "Trip", key: "id")],
            sql: """
                CREATE TABLE Trip(id TEXT, name TEXT); INSERT INTO Trip VALUES ('t', 'Über/all');
                CREATE TABLE Stop(id INTEGER PRIMARY KEY, trip, at DATE); INSERT INTO Stop VALUES (2, 't', 5), (1, 't', NULL);
                """)
    }

    @Test("a small document has exactly the expected bytes")
    func golden() throws {
        let fixture = try Self.trips()
        let written = try fixture.export()
        let entities = """
            [{"name": "Stop", "key": "id", "columns": [{"name": "id", "type": "INTEGER"}, {"name": "trip", "type": ""}, \
            {"name": "at", "type": "DATE"}], "count": 2,
               "records": [
                {"id":1,"trip":"t","at":null},
                {"id":2,"trip":"t","at":5}]},
              {"name": "Trip", "key": "id", "columns": [{"name": "id", "type": "TEXT"}, {"name": "name", "type": "TEXT"}], \
            "count": 1,
               "records": [
                {"id":"t","name":"Über/all"}]}]
            """
        let hash = SHA256.hash(data: Data(entities.utf8)).map { String(format: "%02x", $0) }.joined()
        let expected = """
            {"$schema": "urn:godwit:schema:export:1",
             "format": "godwit-export", "formatVersion": 1, "minReaderVersion": 1,
             "app": "Sämple \\"App\\"", "schemaVersion": 7,
             "generator": {"name": "godwit", "version": "\(GodwitVersion.current)"},
             "exportedAt": "2026-11-21T06:00:00.000Z", "exportId": "\(ExportFixture.sampleIdentifier)",
             "source": {"store": "cloud", "file": "C.store", "schemaMigration": 3, "contentVersion": "\(hash)"},
             "freshness": {"status": "warn", "mayBeStale": true,
              "reasons": [{"code": "syncing", "message": "A sync was in progress."}, \
            {"code": "offline", "message": "\\"Quoted\\"\\n/ü"}],
              "newestRecordAt": "2026-11-21T05:00:00.000Z", "lastLocalSaveAt": "2026-11-21T05:00:00.123Z", \
            "lastSyncAt": "2026-11-20T18:40:00.000Z", "ageSeconds": 3600,
              "criteria": {"warnAfter": "12h", "errorAfter": "48h"},
              "sync": {"availability": "available", "network": "online", "status": "inProgress", "lastError": "CKError 9"},
              "pendingChanges": 4},
             "entities": \(entities),
             "integrity": {"counts": {"Stop": 2, "Trip": 1}, "sha256": "\(hash)"}}

            """
        #expect(try fixture.text() == expected)
        #expect(written.bytes == Int64(expected.utf8.count))
        #expect(written.sha256 == hash)
    }

    @Test("members have the order of the format at every level")
    func order() throws {
        let fixture = try Self.trips()
        try fixture.export()
        let document = try StrictJSON(document: try fixture.folder.bytes(of: "exports/e.json"))
        #expect(
            document.names == [
                "$schema", "format", "formatVersion", "minReaderVersion", "app", "schemaVersion", "generator",
                "exportedAt",
                "exportId", "source", "freshness", "entities", "integrity",
            ])
        #expect(document["generator"]?.names == ["name", "version"])
        #expect(document["source"]?.names == ["store", "file", "schemaMigration", "contentVersion"])
        let freshness = try #require(document["freshness"])
        #expect(
            freshness.names == [
                "status", "mayBeStale", "reasons", "newestRecordAt", "lastLocalSaveAt", "lastSyncAt", "ageSeconds",
                "criteria", "sync", "pendingChanges",
            ])
        #expect(freshness["criteria"]?.names == ["warnAfter", "errorAfter"])
        #expect(freshness["sync"]?.names == ["availability", "network", "status", "lastError"])
        #expect(freshness["reasons"]?.elements.allSatisfy { $0.names == ["code", "message"] } == true)
        for entity in try #require(document["entities"]).elements {
            #expect(entity.names == ["name", "key", "columns", "count", "records"])
            let columns = try #require(entity["columns"]).elements
            #expect(columns.allSatisfy { $0.names == ["name", "type"] })
            for record in try #require(entity["records"]).elements {
                #expect(record.names == columns.compactMap { $0["name"]?.text })
            }
        }
        #expect(document["integrity"]?.names == ["counts", "sha256"])
        #expect(document["integrity"]?["counts"]?.names == ["Stop", "Trip"])
    }

    @Test("the hash is that of the entities' bytes with brackets, and also the content version")
    func integrity() throws {
        let fixture = try Self.trips()
        let written = try fixture.export()
        let bytes = try fixture.folder.bytes(of: "exports/e.json")
        let document = try StrictJSON(document: bytes)
        let range = try #require(document.member("entities")).range
        #expect(bytes[range.lowerBound] == UInt8(ascii: "["))
        #expect(bytes[range.upperBound - 1] == UInt8(ascii: "]"))
        let hash = SHA256.hash(data: Data(bytes[range])).map { String(format: "%02x", $0) }.joined()
        #expect(document["integrity"]?["sha256"]?.text == hash)
        #expect(document["source"]?["contentVersion"]?.text == hash)
        #expect(written.sha256 == hash)
        #expect(written.bytes == Int64(bytes.count))
    }

    @Test("unknown values are null, and Foundation reads the document")
    func nulls() throws {
        let fixture = try ExportFixture.items("")
        try fixture.export(freshness: .empty, schemaMigration: nil)
        let document = try fixture.document()
        let source = try #require(document["source"] as? [String: Any])
        #expect(source["schemaMigration"] is NSNull)
        let freshness = try #require(document["freshness"] as? [String: Any])
        for name in ["newestRecordAt", "lastLocalSaveAt", "lastSyncAt", "ageSeconds"] {
            #expect(freshness[name] is NSNull, "\(name)")
        }
        #expect((freshness["criteria"] as? [String: Any])?.values.allSatisfy { $0 is NSNull } == true)
        #expect((freshness["sync"] as? [String: Any])?["lastError"] is NSNull)
        #expect((freshness["reasons"] as? [Any])?.isEmpty == true)
    }

    @Test("entities without records are included, with columns and a count of zero")
    func empty() throws {
        let fixture = try ExportFixture(
            [Entity(name: "A", key: "id"), Entity(name: "B", key: "id"), Entity(name: "C", key: "id")],
            sql: "CREATE TABLE A(id); CREATE TABLE B(id); CREATE TABLE C(id); INSERT INTO B VALUES (1)")
        try fixture.export()
        let document = try fixture.document()
        let entities = try #require(document["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["A", "B", "C"])
        #expect(entities.map { $0["count"] as? Int } == [0, 1, 0])
        #expect(entities.map { ($0["records"] as? [Any])?.count } == [0, 1, 0])
        let integrity = try #require(document["integrity"] as? [String: Any])
        #expect(integrity["counts"] as? [String: Int] == ["A": 0, "B": 1, "C": 0])
    }

    @Test("a manifest without entities gives a document")
    func noEntities() throws {
        let fixture = try ExportFixture([], sql: "CREATE TABLE A(id)")
        try fixture.export()
        #expect((try fixture.document()["entities"] as? [Any])?.isEmpty == true)
    }

    @Test("the key has the table's spelling, so that records have a member with that name")
    func keySpelling() throws {
        let fixture = try ExportFixture(
            [Entity(name: "Item", key: "id")], sql: "CREATE TABLE Item(ID TEXT); INSERT INTO Item VALUES ('a')")
        try fixture.export()
        let entity = try #require((try fixture.document()["entities"] as? [[String: Any]])?.first)
        #expect(entity["key"] as? String == "ID")
        #expect((entity["records"] as? [[String: Any]])?.first?["ID"] as? String == "a")
    }

    @Test("virtual columns, Godwit's tables and tables outside of the manifest are not exported")
    func leftOut() throws {
        let fixture = try ExportFixture.items(
            columns: "id TEXT, a, g AS (a || '!') VIRTUAL, s AS (a || '?') STORED",
            "INSERT INTO Item VALUES ('k', 1); CREATE TABLE Cache(x); CREATE TABLE godwit_removed(id);")
        try fixture.export()
        #expect(try fixture.records() == [#"{"id":"k","a":1,"s":"1?"}"#])
        let text = try fixture.text()
        #expect(!text.contains("Cache"))
        #expect(!text.contains("godwit_removed"))
    }

    static let hostileNames = [
        "a\"b", "line\nbreak", "tab\t", "back\\slash", "🏋️‍♀️", "日本", "\u{1}", "'); DROP TABLE Item; --", " ",
    ]

    @Test("columns and tables with hostile names are exported", arguments: hostileNames)
    func hostile(name: String) throws {
        let sql = name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        let fixture = try ExportFixture(
            [Entity(name: name + "s", key: name)],
            sql: "CREATE TABLE \"\(sql)s\"(\"\(sql)\" TEXT, \"\(sql)2\"); INSERT INTO \"\(sql)s\" VALUES ('k', 'v');")
        try fixture.export()
        let document = try StrictJSON(document: try fixture.folder.bytes(of: "exports/e.json"))
        let entity = try #require(document["entities"]?.elements.first)
        #expect(entity["name"]?.text == name + "s")
        #expect(entity["key"]?.text == name)
        #expect(entity["records"]?.elements.first?.names == [name, name + "2"])
        #expect(document["integrity"]?["counts"]?[name + "s"] == .number("1"))
        _ = try fixture.document()
    }
}
