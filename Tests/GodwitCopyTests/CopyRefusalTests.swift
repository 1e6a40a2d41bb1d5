import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Testing

/// Errors of the copy, before it has changed anything.
struct CopyRefusalTests {
    @Test("a cloud store CloudKit mirrors is rejected unchanged", arguments: ["DELETE", "WAL"])
    func mirrored(journal: String) throws {
        let fixture = try CopyFixture.items()
        try fixture.local("INSERT INTO Item VALUES ('a', 1, 1, 1)").close()
        try fixture.cloud(journal: journal, "CREATE TABLE ANSCKEVENT(Z_PK INTEGER PRIMARY KEY);").close()
        let before = try fixture.folder.bytes(of: "cloud/C.store")
        let error = failure { try fixture.copy() }
        #expect(error?.code == .data)
        #expect(error?.message.contains("CloudKit mirrors") == true)
        #expect(error?.hint?.contains("another store") == true)
        #expect(try fixture.folder.bytes(of: "cloud/C.store") == before)
        #expect(fixture.cloudNames == ["C.store"])
    }

    @Test("records without a key are rejected and counted", arguments: [true, false])
    func nullKeys(isNew: Bool) throws {
        let fixture = try CopyFixture(
            [Entity(name: "Item", key: "id")],
            schema: "CREATE TABLE Item(id TEXT, v); INSERT INTO Item VALUES ('k', 1);")
        try fixture.local("INSERT INTO Item VALUES (NULL, 2), (NULL, 3)").close()
        if !isNew { try fixture.cloud().close() }
        let error = failure { try fixture.copy() }
        #expect(error?.code == .data)
        #expect(error?.message == "`L.store`: 2 Item records without a value in 'id'")
        #expect(fixture.cloudNames == (isNew ? [] : ["C.store"]))
        if !isNew { #expect(try fixture.cloudText("SELECT v FROM Item") == "1") }
    }

    @Test("a cloud store that is not a store is rejected unchanged", arguments: ["no database", "SQLite format 3"])
    func noStore(content: String) throws {
        let fixture = try CopyFixture.items()
        try fixture.local("INSERT INTO Item VALUES ('a', 1, 1, 1)").close()
        try fixture.folder.write(content + String(repeating: ".", count: 2000), to: "cloud/C.store")
        let before = try fixture.folder.fingerprint()
        #expect(failure { try fixture.copy() }?.code == .data)
        #expect(try fixture.folder.fingerprint().differences(from: before).isEmpty)
    }

    @Test("a cloud store that another process writes is busy")
    func busy() throws {
        let fixture = try CopyFixture.items()
        try fixture.local("INSERT INTO Item VALUES ('a', 1, 1, 1)").close()
        let app = try fixture.cloud()
        try app.execute("BEGIN IMMEDIATE; INSERT INTO Item VALUES ('theirs', 1, 1, 1)")
        let error = failure { try fixture.copy() }
        #expect(error?.code == .busy)
        #expect(error?.stage == .copy)
        try app.execute("COMMIT")
        try app.close()
        #expect(try fixture.copy().entities.first?.cloudAfter == 2)
    }

    @Test("a record that the cloud store's constraints reject ends the copy, and nothing is committed")
    func constraint() throws {
        let fixture = try CopyFixture(
            [Entity(name: "Item", key: "id")], schema: "CREATE TABLE Item(id TEXT, v CHECK (v > 0));")
        try SampleStore.make(
            fixture.localPath, "CREATE TABLE Item(id TEXT, v); INSERT INTO Item VALUES ('a', 1), ('b', -1)")
        try fixture.cloud("INSERT INTO Item VALUES ('z', 1)").close()
        let error = failure { try fixture.copy() }
        #expect(error?.code == .data)
        #expect(error?.underlying?.contains("CHECK") == true)
        #expect(try fixture.cloudText("SELECT id FROM Item") == "z")
    }

    @Test("a cloud store's trigger that changes copied records is found, and nothing is committed")
    func interferingTrigger() throws {
        let fixture = try CopyFixture.items()
        try fixture.local("INSERT INTO Item VALUES ('a', 'mine', 1, 1)").close()
        try fixture.cloud(
            """
            CREATE TRIGGER t AFTER INSERT ON Item BEGIN UPDATE Item SET title = 'meddled' WHERE id = NEW.id; END;
            """
        ).close()
        let error = failure { try fixture.copy() }
        #expect(error?.code == .data)
        #expect(error?.message.contains("the trigger 't' of") == true)
        #expect(try fixture.cloudRows("SELECT * FROM Item").isEmpty)
        #expect(try fixture.cloudRows("SELECT name FROM sqlite_schema WHERE name LIKE 'godwit%'").isEmpty)
    }
}
