import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// Triggers that would change or remove other records when one is changed.
struct TriggerEffectsTests {
    private static let tables = """
        CREATE TABLE Note(id TEXT, body TEXT, at INTEGER);
        CREATE TABLE Page(id TEXT, noteId TEXT);
        CREATE TABLE "the log"(what TEXT);
        CREATE TABLE Counter(n INTEGER);
        CREATE VIRTUAL TABLE NoteText USING fts5(body);
        """

    /// A trigger that writes to a table in which a new row replaces another.
    private static func replacing(_ statement: String) -> String {
        "CREATE TABLE Seen(id TEXT, n INTEGER, UNIQUE(id) ON CONFLICT REPLACE);"
            + "CREATE TRIGGER t AFTER DELETE ON Note BEGIN \(statement); END;"
    }

    private func harmful(_ trigger: String, _ event: TriggerEffects.Event = .delete) throws -> String? {
        let folder = try TemporaryFolder()
        try SampleStore.make(folder["a.store"], Self.tables + trigger)
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a", stage: .dedupe, context: .sample())
        let effects = try TriggerEffects(
            of: snapshot.connection, snapshot.connection.readShape(), entities: ["note", "Page"])
        #expect(effects.isEmpty == trigger.isEmpty)
        return effects.firstHarmful(of: [(event, table: "Note")])
    }

    @Test(
        "a trigger that fills an index, writes to its own table, or only reads is harmless",
        arguments: [
            "",
            "CREATE TRIGGER t AFTER DELETE ON Note BEGIN DELETE FROM NoteText WHERE rowid = OLD.rowid; END;",
            "CREATE TRIGGER t AFTER DELETE ON Note BEGIN INSERT INTO \"the log\" VALUES ('DELETE FROM Page;'); END;",
            "CREATE TRIGGER t BEFORE DELETE ON Note BEGIN SELECT CASE WHEN OLD.id IS NULL THEN RAISE(ABORT, 'no') END; END;",
            "CREATE TRIGGER t AFTER UPDATE ON Note BEGIN DELETE FROM Page; END;",
            "CREATE TRIGGER t AFTER DELETE ON Page BEGIN DELETE FROM Note; END;",
            """
            CREATE TRIGGER t AFTER DELETE ON Note BEGIN INSERT INTO "the log" VALUES (1); END;
            CREATE TRIGGER u AFTER INSERT ON "the log" BEGIN INSERT INTO "the log" SELECT 2 WHERE 0; END;
            """,
            "CREATE TRIGGER t AFTER DELETE ON Note BEGIN INSERT OR REPLACE INTO Counter VALUES (1); END;",
            "CREATE TRIGGER t AFTER DELETE ON Note BEGIN INSERT INTO Counter VALUES (1) ON CONFLICT DO UPDATE SET n = 2; END;",
            "CREATE TRIGGER t AFTER DELETE ON Note BEGIN INSERT INTO \"the log\" VALUES (replace(OLD.id, 'a', 'b')); END;",
            """
            CREATE VIEW lines AS SELECT what FROM "the log";
            CREATE TRIGGER t AFTER DELETE ON Note BEGIN INSERT OR REPLACE INTO lines VALUES (OLD.id); END;
            CREATE TRIGGER u INSTEAD OF INSERT ON lines BEGIN INSERT INTO "the log" VALUES (new.what); END;
            CREATE TRIGGER v INSTEAD OF DELETE ON lines BEGIN DELETE FROM Page; END;
            """,
            replacing("INSERT OR IGNORE INTO Seen VALUES (OLD.id, 1)"),
            replacing("INSERT OR REPLACE INTO Seen VALUES (OLD.id, 1)"),
            "CREATE TABLE Noted(id TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'x');"
                + "CREATE TRIGGER t AFTER DELETE ON Note BEGIN INSERT INTO Noted VALUES (OLD.id); END;",
        ])
    func harmless(trigger: String) throws {
        #expect(try harmful(trigger) == nil)
    }

    @Test(
        "a trigger that removes or changes records in any way is harmful",
        arguments: [
            """
            CREATE VIEW lines AS SELECT id FROM Page;
            CREATE TRIGGER u AFTER DELETE ON Note BEGIN DELETE FROM lines; END;
            CREATE TRIGGER t INSTEAD OF DELETE ON lines BEGIN DELETE FROM Page WHERE id = old.id; END;
            """,
            "CREATE TRIGGER t AFTER DELETE ON Note BEGIN DELETE FROM Page WHERE noteId = OLD.id; END;",
            "CREATE TRIGGER t AFTER DELETE ON note BEGIN UPDATE OR IGNORE Page SET noteId = NULL; END;",
            "CREATE TRIGGER t AFTER DELETE ON Note BEGIN UPDATE Counter SET n = n - 1; END;",
            "CREATE TRIGGER t AFTER DELETE ON Note BEGIN REPLACE INTO Page VALUES (1, 2); END;",
            "CREATE TRIGGER \"on\" AFTER DELETE ON Note BEGIN SELECT 1; DELETE FROM [page]; END;",
            "CREATE TRIGGER \"update\" DELETE ON Note WHEN OLD.at > 0 BEGIN DELETE FROM Page; END;",
            """
            CREATE TRIGGER u AFTER DELETE ON Note BEGIN INSERT INTO "the log" VALUES (1); END;
            CREATE TRIGGER t AFTER INSERT ON "the log" BEGIN DELETE FROM Page; END;
            """,
            replacing("INSERT INTO Seen VALUES (OLD.id, 1)"),
            replacing("INSERT INTO Seen SELECT OLD.id, 1 ON CONFLICT(id) DO NOTHING"),
            """
            CREATE TRIGGER u AFTER DELETE ON Note BEGIN
              INSERT INTO Counter VALUES (1) ON CONFLICT DO UPDATE SET n = 2; END;
            CREATE TRIGGER t AFTER UPDATE ON Counter BEGIN DELETE FROM Page; END;
            """,
            """
            CREATE TABLE Day(day TEXT PRIMARY KEY); CREATE TABLE Entry(day TEXT REFERENCES Day ON DELETE CASCADE);
            CREATE TRIGGER t AFTER DELETE ON Note BEGIN REPLACE INTO Day VALUES (OLD.at); END;
            """,
        ])
    func harm(trigger: String) throws {
        let name = try harmful(trigger)
        #expect(name != nil)
        #expect(name != "u", "the one that does it is named")
    }

    @Test("an update of some columns is an update")
    func updateOf() throws {
        let trigger = "CREATE TRIGGER t AFTER UPDATE OF id, body ON Note BEGIN UPDATE Note SET at = 1; END;"
        #expect(try harmful(trigger, .update) == "t")
        #expect(try harmful(trigger, .delete) == nil)
        #expect(try harmful(trigger, .insert) == nil)
    }
}
