import GodwitModel
import GodwitDedupe
import GodwitTestSupport
import Testing

/// Foreign keys that copy a new key to the rows that refer to it.
struct CarriedReferenceTests {
    @Test(
        "rows identified by their own reference move with the winner, with any foreign key action, and are restored",
        arguments: ["ON UPDATE CASCADE", "ON UPDATE SET NULL"])
    func identifiedByForeignKey(_ action: String) throws {
        let badges = try DedupeBench(
            [.settings()],
            """
            CREATE TABLE Settings(id TEXT PRIMARY KEY, at TEXT);
            CREATE TABLE Badge(settingsId TEXT REFERENCES Settings \(action), n, PRIMARY KEY(settingsId, n))
              WITHOUT ROWID;
            INSERT INTO Settings VALUES ('a', '2026-01-01T00:00:00Z'), ('b', '2026-01-02T00:00:00Z');
            INSERT INTO Badge VALUES ('a', 1), ('b', 2);
            """)
        let before = try badges.contents()
        #expect(try badges.dedupe().repointed == 2)
        #expect(try badges.text("SELECT settingsId, n FROM Badge ORDER BY n") == ["singleton|1", "singleton|2"])
        try badges.undo()
        #expect(try badges.contents() == before)
        let numbered = try DedupeBench(
            [Entity(name: "Settings", key: "id", modified: ModifiedColumn(column: "at"), singleton: "1")],
            """
            CREATE TABLE Settings(id INTEGER PRIMARY KEY, at TEXT);
            CREATE TABLE Badge(id INTEGER PRIMARY KEY REFERENCES Settings \(action), name TEXT);
            INSERT INTO Settings VALUES (7, '2026-01-01T00:00:00Z'), (9, '2026-01-02T00:00:00Z');
            INSERT INTO Badge VALUES (9, 'mine');
            """)
        #expect(try numbered.dedupe().repointed == 1)
        #expect(try numbered.text("SELECT id, name FROM Badge") == ["1|mine"])
    }

    @Test(
        "a foreign key that changes further rows ends the run, because undo could not restore those",
        arguments: ["", "CREATE TRIGGER t AFTER UPDATE ON Theme BEGIN INSERT INTO Log VALUES (new.settingsId); END;"])
    func chain(_ trigger: String) throws {
        let schema = """
            CREATE TABLE Settings(id TEXT PRIMARY KEY, at TEXT); CREATE TABLE Log(line TEXT);
            CREATE TABLE Theme(settingsId TEXT PRIMARY KEY REFERENCES Settings(id) ON UPDATE CASCADE);
            CREATE TABLE Swatch(themeId TEXT REFERENCES Theme(settingsId) ON UPDATE CASCADE);
            INSERT INTO Settings VALUES ('x', NULL); INSERT INTO Theme VALUES ('x'); \(trigger)
            """
        let bench = try DedupeBench([.settings()], schema + "INSERT INTO Swatch VALUES ('x');")
        let before = try bench.contents()
        let error = try #require(failure { try bench.dedupe() })
        #expect(error.code == .data)
        #expect(error.message.contains("foreign key"))
        #expect(try bench.contents() == before)
        // Without such a row nothing is copied along the chain.
        guard trigger.isEmpty else { return }
        let short = try DedupeBench([.settings()], schema)
        try short.dedupe()
        #expect(try short.text("SELECT settingsId FROM Theme") == ["singleton"])
    }
}
