import GodwitModel
import GodwitSQLite
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

struct IncrementTests {
    private static let schema = [
        """
        CREATE TABLE Note(id TEXT PRIMARY KEY, slug TEXT UNIQUE, body TEXT, updatedAt TEXT);
        CREATE TABLE Tag(id INTEGER PRIMARY KEY, noteId TEXT REFERENCES Note(id))
        """
    ]
    private static let entities = [Entity(name: "Note", key: "id"), Entity(name: "Tag", key: "id")]

    /// A store with three notes and two tags, exported as `first.json`, and a later one made with more SQL.
    private func bench(_ later: String, as form: ExportForm = .plain) throws -> Restoration {
        let bench = try Restoration(Self.entities, schema: Self.schema)
        for (name, more) in [("first.store", ""), ("later.store", later)] {
            try bench.make(name) { store in
                try store.execute(
                    schemaFile: """
                        INSERT INTO Note VALUES ('a', '1', 'x', '2026-01-01'), ('b', '2', 'y', '2026-01-02'), ('c', '3', 'z', '');
                        INSERT INTO Tag VALUES (1, 'a'), (2, 'b');
                        \(more)
                        """)
            }
        }
        try bench.export(as: form)
        return bench
    }

    private func entities(_ bench: Restoration, _ name: String) throws -> String {
        let text = String(decoding: try bench.folder.bytes(of: name), as: UTF8.self)
        let start = try #require(text.range(of: "\"entities\": "))
        let end = try #require(text.range(of: ",\n \"integrity\""))
        return String(text[start.upperBound..<end.lowerBound])
    }

    @Test("an increment has new and changed records and removed keys, and nothing else")
    func document() throws {
        let bench = try bench(
            """
            UPDATE Note SET body = 'changed' WHERE id = 'b';
            INSERT INTO Note VALUES ('d', NULL, NULL, NULL);
            DELETE FROM Tag WHERE id = 1;
            DELETE FROM Note WHERE id = 'c';
            """)
        try bench.export("later.store", to: "later.json", since: "first.json")
        let text = try entities(bench, "later.json")
        #expect(text.contains(#""count": 2, "goneCount": 1"#))
        #expect(text.contains(#"{"id":"b","slug":"2","body":"changed","updatedAt":"2026-01-02"}"#))
        #expect(text.contains(#"{"id":"d","slug":null,"body":null,"updatedAt":null}"#))
        #expect(text.contains("\"gone\": [\n    \"c\"]"))
        #expect(text.contains("\"gone\": [\n    1]"))
        #expect(!text.contains(#""id":"a""#))
    }

    @Test("an increment includes a late record with an old date")
    func oldDate() throws {
        let bench = try bench("INSERT INTO Note VALUES ('late', NULL, 'old', '1999-01-01')")
        try bench.export("later.store", to: "later.json", since: "first.json")
        #expect(try entities(bench, "later.json").contains("1999-01-01"))
    }

    @Test("an increment without changes is empty, and restores the same store", arguments: [false, true])
    func nothing(_ lines: Bool) throws {
        let bench = try bench("", as: lines ? ExportForm(layout: .lines) : .plain)
        let written = try bench.export("later.store", to: "later.json", since: "first.json")
        #expect(written.longestRecord == 0)
        let restored = try bench.restore("first.json", increment: "later.json")
        #expect(restored.counts == ["Note": 3, "Tag": 2])
        #expect(restored.sha256 == restored.summary.sha256)
    }

    @Test(
        "base and increment may have any form", arguments: [ExportForm.plain, ExportForm(layout: .lines, gzipLevel: 6)])
    func forms(_ form: ExportForm) throws {
        let bench = try bench("UPDATE Note SET body = NULL; DELETE FROM Tag", as: form)
        let other = form == .plain ? ExportForm(layout: .lines, gzipLevel: 9) : .plain
        try bench.export("later.store", to: "later.json", as: other, since: "first.json")
        let restored = try bench.restore("first.json", increment: "later.json")
        #expect(restored.counts == ["Note": 3, "Tag": 0])
        #expect(try bench.rows("second.store", "Note") == bench.rows("later.store", "Note"))
    }

    @Test("two records that exchanged a unique value are restored")
    func exchanged() throws {
        let bench = try bench(
            """
            UPDATE Note SET slug = 'free' WHERE id = 'a'; UPDATE Note SET slug = '1' WHERE id = 'b';
            UPDATE Note SET slug = '2' WHERE id = 'a';
            """)
        try bench.export("later.store", to: "later.json", since: "first.json")
        try bench.restore("first.json", increment: "later.json")
        #expect(try bench.rows("second.store", "Note") == bench.rows("later.store", "Note"))
    }

    @Test("increments with the same content have the same bytes")
    func sameBytes() throws {
        let bench = try bench("UPDATE Note SET body = 'n'; DELETE FROM Tag WHERE id = 2")
        for name in ["one.json", "two.json"] { try bench.export("later.store", to: name, since: "first.json") }
        #expect(try bench.folder.bytes(of: "one.json") == bench.folder.bytes(of: "two.json"))
    }

    // MARK: Refusals

    private func refusal<R>(_ body: () throws -> R) throws -> GodwitError {
        let found = failure(of: body)
        let error = try #require(found)
        #expect(error.code == .data, "\(error)")
        #expect(error.hint?.isEmpty == false)
        return error
    }

    @Test("an increment cannot be a base, and restores nothing on its own")
    func incrementAlone() throws {
        let bench = try bench("DELETE FROM Tag")
        try bench.export("later.store", to: "later.json", since: "first.json")
        let base = try refusal { try bench.export("later.store", to: "next.json", since: "later.json") }
        #expect(base.message.contains("only the changes since another export"))
        let single = try refusal { try bench.restore("later.json") }
        #expect(single.message.contains("only the changes since export"))
        let twice = try refusal { try bench.restore("first.json", increment: "first.json") }
        #expect(twice.message.contains("the second export is complete"))
        #expect(bench.leftovers == [] && !bench.folder.exists("second.store"))
    }

    @Test("an increment fits only its base")
    func otherBase() throws {
        let bench = try bench("DELETE FROM Tag")
        try bench.export("later.store", to: "later.json", since: "first.json")
        try bench.export("later.store", to: "whole.json")
        let error = try refusal { try bench.restore("whole.json", increment: "later.json") }
        #expect(error.message.contains("whose content differs"))
    }

    @Test("an edited increment with a correct hash gives another store and is rejected")
    func edited() throws {
        let bench = try bench("UPDATE Note SET body = 'honest' WHERE id = 'a'")
        try bench.export("later.store", to: "later.json", since: "first.json")
        let text = String(decoding: try bench.folder.bytes(of: "later.json"), as: UTF8.self)
        try bench.folder.write(
            DocumentText.rehashed(text.replacing("honest", with: "forged")), to: "forged.json")
        let error = try refusal { try bench.restore("first.json", increment: "forged.json") }
        #expect(error.message.contains("would not give the same export again"))
        #expect(bench.leftovers == [] && !bench.folder.exists("second.store"))
    }

    @Test(
        "a base with other columns, of another app or damaged is rejected", arguments: ["columns", "app", "damage"])
    func unfit(_ how: String) throws {
        let bench = try bench("")
        var text = String(decoding: try bench.folder.bytes(of: "first.json"), as: UTF8.self)
        switch how {
        case "columns":
            text = DocumentText.rehashed(
                text.replacing(#""name": "body", "type": "TEXT""#, with: #""name": "body", "type": "BLOB""#))
        case "app": text = text.replacing("\"app\": \"App\"", with: "\"app\": \"Other\"")
        default: text = text.replacing("\"x\"", with: "\"q\"")
        }
        try bench.folder.write(text, to: "base.json")
        _ = try refusal { try bench.export("later.store", to: "later.json", since: "base.json") }
        #expect(!bench.folder.exists("later.json") && bench.leftovers == [])
    }

    @Test("a base without an entity that is exported now is rejected")
    func fewerEntities() throws {
        let bench = try bench("")
        let earlier = try Restoration([Self.entities[0]], schema: Self.schema)
        try earlier.make()
        try earlier.export()
        try bench.folder.write(earlier.folder.bytes(of: "first.json"), to: "base.json")
        let error = try refusal { try bench.export("later.store", to: "later.json", since: "base.json") }
        #expect(error.message.contains("it does not contain Tag"), "\(error)")
        #expect(!bench.folder.exists("later.json") && bench.leftovers == [])
    }

    @Test("entities have goneCount exactly if the document has since")
    func consistency() throws {
        let bench = try bench("DELETE FROM Tag")
        try bench.export("later.store", to: "later.json", since: "first.json")
        let text = String(decoding: try bench.folder.bytes(of: "later.json"), as: UTF8.self)
        for (old, new) in [
            (", \"goneCount\": 2", ""), ("\"goneCount\": 2", "\"goneCount\": 1"),
            ("\"goneCount\": 2", "\"goneCount\": -2"),
            ("\"gone\": [\n    1", "\"gone\": [\n    1,\n    3"), ("\"gone\": [\n    1", "\"lost\": [\n    1"),
            ("\"since\": {", "\"before\": {"), ("\"exportId\"", "\"exportID\""),
        ] {
            try #require(text.contains(old))
            var input = ExportInput(bytes: Array(DocumentText.rehashed(text.replacing(old, with: new)).utf8))
            var check = DocumentCheck()
            let error = failure { try ExportReader().read(input, into: &check) }
            #expect(error?.code == .data, "\(old)")
            input = ExportInput(bytes: Array(text.utf8))
            #expect(try ExportReader().read(input, into: &check).header.since != nil)
        }
    }

    @Test("an export at another schema version cannot be a base")
    func otherMigration() throws {
        let bench = try bench("DELETE FROM Tag")
        let error = failure { try bench.export("later.store", to: "later.json", migration: 2, since: "first.json") }
        #expect(error?.code == .data)
        #expect(error?.message.contains("no known schema version, and the store is at schema version 2") == true)
        #expect(!bench.folder.exists("later.json"))
    }

    @Test(
        "a key without an index is found quickly, and the temporary index is removed",
        arguments: [false, true])
    func keysWithoutIndex(changed: Bool) throws {
        let bench = try Restoration(
            [Entity(name: "Note", key: "id")], schema: ["CREATE TABLE Note(id TEXT, body TEXT)"])
        for (name, body) in [("first.store", "'x'"), ("later.store", changed ? "'y'" : "'x'")] {
            try bench.make(name) { store in
                try store.execute(
                    schemaFile: """
                        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                        INSERT INTO Note SELECT printf('%05d', i), \(body) FROM n;
                        """)
                if !changed { try store.execute("DELETE FROM Note WHERE id > '00010'") }
            }
        }
        try bench.export()
        try bench.export("later.store", to: "later.json", since: "first.json")
        // Looked up one by one, 20,000 records in 20,000 take half a minute.
        try bench.restore(increment: "later.json")
        #expect(try bench.rows("second.store", "Note") == bench.rows("later.store", "Note"))
        let snapshot = try StoreSnapshot(
            of: bench.folder["second.store"], name: "s", stage: .export, context: .sample())
        #expect(try snapshot.connection.rows("SELECT name FROM sqlite_schema WHERE type = 'index'").isEmpty)
    }

    @Test(
        "0.0 and -0.0 are two keys",
        arguments: ["UPDATE Note SET id = -0.0", "INSERT INTO Note VALUES (-0.0, 'y')", "UPDATE Note SET body = 'z'"])
    func zeroKeys(later: String) throws {
        let bench = try Restoration([Entity(name: "Note", key: "id")], schema: ["CREATE TABLE Note(id, body TEXT)"])
        for (name, more) in [("first.store", ""), ("later.store", later)] {
            try bench.make(name) { store in
                try store.execute(schemaFile: "INSERT INTO Note VALUES (0.0, 'x'); " + more)
            }
        }
        try bench.export()
        try bench.export("later.store", to: "later.json", since: "first.json")
        try bench.restore(increment: "later.json")
        #expect(try bench.rows("second.store", "Note") == bench.rows("later.store", "Note"))
    }

    @Test(
        "a repeated key is found, also with the other zero between the two",
        arguments: ["(0.0, 'b')", "(-0.0, 'b'), (0.0, 'c')", "(-0.0, 'b'), (-0.0, 'c')"])
    func zeroKeyTwice(later: String) throws {
        let bench = try Restoration([Entity(name: "Note", key: "id")], schema: ["CREATE TABLE Note(id, body TEXT)"])
        for (name, rows) in [("first.store", "(0.0, 'a')"), ("later.store", "(0.0, 'a'), " + later)] {
            try bench.make(name) { store in try store.execute(schemaFile: "INSERT INTO Note VALUES " + rows) }
        }
        try bench.export()
        let error = try refusal { try bench.export("later.store", to: "later.json", since: "first.json") }
        #expect(error.message.contains("more than one record with the same key"), "\(error)")
    }
}
