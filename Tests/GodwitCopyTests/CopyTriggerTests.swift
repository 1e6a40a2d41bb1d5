import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Testing

/// Triggers of a cloud store that the copy makes: their effects in the local store are not repeated.
struct CopyTriggerTests {
    private static let tables =
        "CREATE TABLE Item(id TEXT PRIMARY KEY, n, at); CREATE TABLE Log(id TEXT PRIMARY KEY, item, at);"

    /// A trigger, and rows of the local store that exist although the trigger ran, or was not there yet.
    private static let triggers: [(sql: String, rows: String)] = [
        // Inserts a record of another entity with a new key each time.
        (
            "CREATE TRIGGER t AFTER INSERT ON Item BEGIN INSERT INTO Log VALUES (hex(randomblob(8)), new.id, 1); END;",
            "INSERT INTO Item VALUES ('a', 1, 1), ('b', 2, 1);"
        ),
        // Counts in another entity.
        (
            "CREATE TRIGGER t AFTER INSERT ON Item BEGIN UPDATE Log SET at = at + 1 WHERE id = new.n; END;",
            "INSERT INTO Log VALUES ('x', NULL, 1); INSERT INTO Item VALUES ('a', 'x', 1), ('b', 'x', 1);"
        ),
        // Dates its own record.
        (
            "CREATE TRIGGER t AFTER INSERT ON Item BEGIN UPDATE Item SET at = 9 WHERE id = new.id; END;",
            "INSERT INTO Item VALUES ('a', 1, 1); UPDATE Item SET at = 2;"
        ),
        // Removes records of another entity; one was added again later.
        (
            "CREATE TRIGGER t AFTER INSERT ON Log BEGIN DELETE FROM Item WHERE id = new.item; END;",
            "INSERT INTO Log VALUES ('x', 'a', 1); INSERT INTO Item VALUES ('a', 1, 1);"
        ),
        // Rejects what existed before the trigger.
        (
            "CREATE TRIGGER t BEFORE INSERT ON Item WHEN new.n < 0 BEGIN SELECT RAISE(ABORT, 'no'); END;",
            "INSERT INTO Item VALUES ('a', 1, 1); UPDATE Item SET n = -1;"
        ),
        // Writes to a missing table.
        (
            "CREATE TRIGGER t AFTER INSERT ON Item WHEN new.n > 5 BEGIN INSERT INTO gone VALUES (1); END;",
            "INSERT INTO Log VALUES ('x', 'a', 1);"
        ),
    ]

    private func fixture(_ trigger: String) throws -> CopyFixture {
        try CopyFixture(
            ["Item", "Log"].map { Entity(name: $0, key: "id", modified: .init(column: "at")) },
            schema: Self.tables + trigger)
    }

    @Test(
        "the new store has the local records and the trigger, which did not run for them",
        arguments: triggers)
    func heldBack(_ sample: (sql: String, rows: String)) throws {
        let fixture = try fixture(sample.sql)
        try fixture.local(sample.rows).close()
        let before = try fixture.localFingerprint()
        let report = try fixture.copy()
        #expect(report.triggersHeldBack == ["t"])
        for table in ["Item", "Log"] {
            let sql = "SELECT * FROM \(table) ORDER BY id"
            #expect(try fixture.cloudRows(sql) == fixture.localRows(sql), "\(table)")
        }
        let trigger = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'"
        #expect(try fixture.cloudRows(trigger) == fixture.localRows(trigger))
        #expect(try fixture.cloudRows(trigger).count == 1)
        #expect(try fixture.localFingerprint().differences(from: before) == [])
        #expect(try fixture.prove().allSatisfy(\.holds))
    }

    @Test("a trigger that fills a full-text index or its own table runs without a report")
    func feeding() throws {
        let fixture = try fixture(
            """
            CREATE VIRTUAL TABLE Search USING fts5(body); CREATE TABLE Seen(item);
            CREATE TRIGGER f AFTER INSERT ON Item BEGIN INSERT INTO Search VALUES (new.id); END;
            CREATE TRIGGER s AFTER INSERT ON Item BEGIN INSERT INTO Seen VALUES (new.id); END;
            """)
        try fixture.local("INSERT INTO Item VALUES ('a', 1, 1), ('b', 2, 1)").close()
        #expect(try fixture.copy().triggersHeldBack == nil)
        #expect(try fixture.cloudRows("SELECT count(*) FROM Search_content") == [[.integer(2)]])
        #expect(try fixture.cloudText("SELECT item FROM Seen ORDER BY item") == "a b")
    }

    @Test("with such a trigger in an existing cloud store, the copy is rejected")
    func shared() throws {
        let fixture = try fixture(Self.triggers[1].sql)
        try fixture.local(Self.triggers[1].rows).close()
        try fixture.cloud("INSERT INTO Log VALUES ('x', NULL, 1)").close()
        let error = failure { try fixture.copy() }
        #expect(error?.code == .data && error?.message.contains("the trigger 't' of") == true)
        #expect(try fixture.cloudRows("SELECT * FROM Item").isEmpty)
    }

    @Test("only triggers that call a function of the app are held back, for any event")
    func foreignCode() throws {
        let causes = ["AFTER INSERT ON Item", "AFTER UPDATE OF n ON Item", "BEFORE DELETE ON Item"]
        let foreign = causes.enumerated().map { "CREATE TRIGGER f\($0) \($1) BEGIN SELECT app_hash(1); END;" }.joined()
        let sound = "CREATE TRIGGER sound AFTER INSERT ON Item BEGIN INSERT INTO Note VALUES (lower(new.id)); END;"
        let fixture = try fixture("CREATE TABLE Note(id);" + foreign + sound)
        let dropped = (0...2).map { "DROP TRIGGER f\($0);" }.joined()
        try fixture.local(dropped + "INSERT INTO Item VALUES ('A', 1, 1), ('B', 2, 1);" + foreign).close()
        let report = try fixture.copy()
        #expect(report.triggersHeldBack == ["f0", "f1", "f2"])
        #expect(try fixture.cloudText("SELECT group_concat(id) FROM Item") == "A,B")
        #expect(try fixture.cloudText("SELECT group_concat(id) FROM Note") == "a,b")
        let made = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name IN ('f0', 'f1', 'f2', 'sound')"
        #expect(try fixture.cloudRows(made) == [[.integer(4)]])
    }
}
