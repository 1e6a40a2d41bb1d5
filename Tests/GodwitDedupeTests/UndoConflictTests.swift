import GodwitLedger
import GodwitModel
import GodwitSQLite
import GodwitDedupe
import GodwitTestSupport
import Testing

/// What the app did after the run decides what an undo may do: later changes stay, and an undo is complete or changes
/// nothing.
struct UndoConflictTests {
    private static let colors = "CREATE TABLE Color(id TEXT PRIMARY KEY, settingsId TEXT);" + UndoTests.colors

    private func deduped(_ schema: String = UndoTests.settings + colors) throws -> DedupeBench {
        let bench = try DedupeBench([.settings(), .color], schema)
        try bench.dedupe()
        return bench
    }

    /// Requires an error that names something and leaves everything unchanged.
    private func requireRefusal(_ bench: DedupeBench, _ run: String = "RUN-1", naming name: String) throws {
        let (before, books) = (try bench.contents(), try bench.text("SELECT * FROM godwit_removed"))
        let error = try #require(failure { try bench.undo(run) })
        #expect(error.code == .data)
        #expect(error.description.contains(name), "\(error)")
        #expect(error.hint?.isEmpty == false)
        #expect(try bench.contents() == before)
        #expect(try bench.text("SELECT * FROM godwit_removed") == books)
    }

    @Test("a winner edited after the run keeps the edit, and the others are restored")
    func winnerEdited() throws {
        let bench = try deduped()
        try bench.execute("UPDATE Settings SET unit = 'edited'")
        let store = try bench.undo()
        #expect(store.kept == 0)
        #expect(
            try bench.text("SELECT id, unit FROM Settings ORDER BY id") == ["B|edited", "C|older", "singleton|old"])
    }

    @Test("a winner deleted after the run stays deleted, and the others are restored")
    func winnerDeleted() throws {
        let bench = try deduped()
        try bench.execute("DELETE FROM Settings")
        #expect(try bench.undo().kept == 1)
        #expect(try bench.text("SELECT id FROM Settings ORDER BY id") == ["C", "singleton"])
        #expect(
            try bench.text("SELECT id, settingsId FROM Color ORDER BY id") == [
                "of new|B", "of none|NULL", "of old|singleton", "of older|C", "of older too|C",
            ])
    }

    @Test("a winner that got a third key keeps it")
    func winnerRekeyed() throws {
        let bench = try deduped()
        try bench.execute("UPDATE Settings SET id = 'D'")
        #expect(try bench.undo().kept == 1)
        #expect(try bench.text("SELECT id FROM Settings ORDER BY id") == ["C", "D", "singleton"])
    }

    @Test("children that got another parent or were deleted after the run stay so")
    func children() throws {
        let bench = try deduped()
        try bench.execute("UPDATE Color SET settingsId = 'elsewhere' WHERE id = 'of older'")
        try bench.execute("DELETE FROM Color WHERE id = 'of new'")
        try bench.execute("UPDATE Color SET id = 'renamed' WHERE id = 'of older too'")
        let store = try bench.undo()
        #expect(store.kept == 3)
        #expect(
            try bench.text("SELECT id, settingsId FROM Color ORDER BY id") == [
                "of none|NULL", "of old|singleton", "of older|elsewhere", "renamed|singleton",
            ])
    }

    @Test("a newer record with a removed record's key ends the undo if keys are unique")
    func keyTaken() throws {
        let bench = try deduped()
        try bench.execute("INSERT INTO Settings VALUES ('C', 'newer', NULL)")
        try requireRefusal(bench, naming: "Settings.id")
    }

    @Test("no newer record is replaced by an undo, with any conflict clause", arguments: ["REPLACE", "IGNORE"])
    func conflictClauses(_ clause: String) throws {
        let bench = try DedupeBench(
            [.settings()],
            """
            CREATE TABLE Settings(id TEXT, place INTEGER UNIQUE ON CONFLICT \(clause), at TEXT);
            INSERT INTO Settings VALUES ('a', 1, '2026-01-01T00:00:00Z'), ('b', 2, '2026-01-02T00:00:00Z');
            """)
        try bench.dedupe()
        try bench.execute("INSERT INTO Settings VALUES ('c', 1, '3')")
        try requireRefusal(bench, naming: "Settings.place")
    }

    @Test("a key that got children after the run keeps them, and duplicates are restored")
    func newChildren() throws {
        let bench = try deduped(Self.parents)
        try bench.execute("INSERT INTO Color VALUES ('late', 'singleton')")
        let store = try bench.undo()
        #expect(try bench.text("SELECT id FROM Settings ORDER BY id") == ["singleton", "y"])
        #expect(
            try bench.text("SELECT id, settingsId FROM Color ORDER BY id") == [
                "early|singleton", "late|singleton", "of y|y",
            ])
        #expect((store.restored["Settings"], store.repointed, store.rekeyed, store.kept) == (1, 1, 0, 2))
    }

    @Test("a winner that a copy replaced keeps its key, and its children keep their parent")
    func replacedWinner() throws {
        let bench = try deduped(Self.parents)
        try bench.execute("UPDATE Settings SET at = '3' WHERE id = 'singleton'")
        try bench.execute(
            """
            INSERT INTO godwit_removed(entity, key, record, reason, winnerKey, runId, removedAt, step)
            SELECT 'Settings', 'singleton', '{"id":"singleton","at":"2"}', 'replaced:newest', 'singleton', runId, removedAt, 99
            FROM godwit_removed LIMIT 1
            """)
        let store = try bench.undo()
        #expect(try bench.text("SELECT id, at FROM Settings ORDER BY id") == ["singleton|3", "y|2"])
        #expect(try bench.text("SELECT id, settingsId FROM Color ORDER BY id") == ["early|singleton", "of y|y"])
        #expect((store.repointed, store.rekeyed, store.kept) == (1, 0, 2))
        try bench.dedupe()
        #expect(try bench.text("SELECT DISTINCT settingsId FROM Color") == ["singleton"])
    }

    @Test("children that got another parent after the run keep nothing of the old key")
    func childrenGone() throws {
        let bench = try deduped(Self.parents)
        try bench.execute("INSERT INTO Color VALUES ('late', 'singleton')")
        try bench.execute("UPDATE Color SET settingsId = NULL WHERE id = 'late'")
        try bench.undo()
        #expect(try bench.text("SELECT id FROM Settings ORDER BY id") == ["x", "y"])
        #expect(
            try bench.text("SELECT id, settingsId FROM Color ORDER BY id") == ["early|x", "late|NULL", "of y|y"])
    }

    private static let parents = """
        CREATE TABLE Settings(id TEXT, at TEXT); INSERT INTO Settings VALUES ('x', '1'), ('y', '2');
        CREATE TABLE Color(id TEXT, settingsId TEXT); INSERT INTO Color VALUES ('early', 'x'), ('of y', 'y');
        """

    @Test("a missing column or table ends the undo, and a new column gets its default")
    func schemaChanged() throws {
        let gone = try deduped()
        try gone.execute("ALTER TABLE Settings DROP COLUMN unit")
        try requireRefusal(gone, naming: "'unit'")
        let renamed = try deduped()
        try renamed.execute("ALTER TABLE Settings RENAME TO Preferences")
        try requireRefusal(renamed, naming: "'Settings'")
        let added = try deduped()
        try added.execute("ALTER TABLE Settings ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'")
        let store = try added.undo()
        #expect(store.addedColumns == ["Settings.mood"])
        #expect(try added.text("SELECT id, unit, mood FROM Settings WHERE id = 'C'") == ["C|older|calm"])
    }

    @Test("a column that now stores values in another form ends the undo")
    func typeChanged() throws {
        let bench = try DedupeBench(
            [Entity(name: "Note", key: "id")],
            "CREATE TABLE Note(id TEXT, body TEXT); INSERT INTO Note VALUES ('n', '1'), ('n', '02');")
        try bench.dedupe()
        try bench.execute("ALTER TABLE Note RENAME TO Older")
        try bench.execute("CREATE TABLE Note(id TEXT, body INTEGER)")
        try bench.execute("INSERT INTO Note SELECT * FROM Older")
        try requireRefusal(bench, naming: "would differ from the earlier one")
    }

    @Test("a trigger that changes restored records ends the undo")
    func trigger() throws {
        let stamps = [
            "AFTER INSERT ON Settings BEGIN UPDATE Settings SET at = 'now' WHERE id = new.id; END",
            "BEFORE INSERT ON Settings BEGIN SELECT RAISE(IGNORE); END",
            "AFTER UPDATE OF settingsId ON Color BEGIN UPDATE Settings SET unit = 'x' WHERE id = new.settingsId; END",
        ]
        for stamp in stamps {
            let bench = try deduped()
            try bench.execute("CREATE TRIGGER Stamp \(stamp)")
            try requireRefusal(bench, naming: "rigger")
        }
    }

    @Test(
        "a trigger that would change or remove records of another table ends the undo",
        arguments: [
            "AFTER INSERT ON Settings BEGIN DELETE FROM Pin; END",
            "AFTER INSERT ON Settings BEGIN INSERT OR REPLACE INTO Pin VALUES (1, new.id); END",
            "AFTER UPDATE OF id ON Settings BEGIN UPDATE Pin SET note = new.id; END",
            "AFTER UPDATE ON Color BEGIN INSERT INTO Pin VALUES (1, 'x') ON CONFLICT(id) DO UPDATE SET note = 'x'; END",
        ])
    func otherTable(_ trigger: String) throws {
        let pins = "CREATE TABLE Pin(id INTEGER PRIMARY KEY, note TEXT); INSERT INTO Pin VALUES (1, 'mine');"
        let bench = try DedupeBench(
            [.settings(), .color, Entity(name: "Pin", key: "id")], UndoTests.settings + Self.colors + pins)
        try bench.dedupe()
        try bench.execute("CREATE TRIGGER Meddling \(trigger)")
        try requireRefusal(bench, naming: "'Meddling'")
        try bench.execute("DROP TRIGGER Meddling")
        #expect(try bench.undo().restored["Settings"] == 2)
    }

    @Test("a later run with the same records must be undone first")
    func laterRun() throws {
        let bench = try DedupeBench([.note], "CREATE TABLE Note(id TEXT, body TEXT, at TEXT);")
        try bench.execute("INSERT INTO Note VALUES ('n', 'a', '1'), ('n', 'b', '2'), ('m', 'x', '1'), ('m', 'y', '2')")
        let first = try bench.contents()
        try bench.dedupe(run: "RUN-1")
        try bench.execute("INSERT INTO Note VALUES ('n', 'c', '3')")
        let second = try bench.contents()
        try bench.dedupe(run: "RUN-2")
        try requireRefusal(bench, "RUN-1", naming: "`Migration.undoDedupe(run:)` with `RUN-2`")
        try bench.undo("RUN-2")
        #expect(try bench.contents() == second)
        try bench.execute("DELETE FROM Note WHERE body = 'c'")
        try bench.undo("RUN-1")
        #expect(try bench.contents() == first)
    }

    @Test("a later run with other records does not prevent an undo")
    func unrelatedRun() throws {
        let bench = try DedupeBench([.note], "CREATE TABLE Note(id TEXT, body TEXT, at TEXT);")
        try bench.execute("INSERT INTO Note VALUES ('n', 'a', '1'), ('n', 'b', '2')")
        try bench.dedupe(run: "RUN-1")
        try bench.execute("INSERT INTO Note VALUES ('m', 'a', '1'), ('m', 'b', '2')")
        try bench.dedupe(run: "RUN-2")
        #expect(try bench.undo("RUN-1").restored == ["Note": 1])
        #expect(try bench.text("SELECT id, body FROM Note ORDER BY id, body") == ["m|a", "n|a", "n|b"])
    }

    @Test("rows whose rowids changed in a VACUUM are found by their keys, or the undo is rejected")
    func vacuum() throws {
        let schema = """
            CREATE TABLE Settings(id TEXT, at TEXT); INSERT INTO Settings VALUES ('x', '1'), ('singleton', '2');
            CREATE TABLE Color(id TEXT, settingsId TEXT); CREATE TABLE Tag(name TEXT, settingsId TEXT);
            INSERT INTO Color VALUES ('gone', 'singleton'), ('1', 'singleton'), ('2', 'x'), ('3', 'singleton');
            """
        let bench = try deduped(schema)
        try bench.execute("DELETE FROM Color WHERE id = 'gone'")
        try bench.execute("VACUUM")
        try bench.undo()
        #expect(
            try bench.text("SELECT id, settingsId FROM Color ORDER BY id") == ["1|singleton", "2|x", "3|singleton"])

        let tags = """
            CREATE TABLE Settings(id TEXT PRIMARY KEY, at TEXT); INSERT INTO Settings VALUES ('x', '1'), ('singleton', '2');
            CREATE TABLE Tag(name TEXT, settingsId TEXT REFERENCES Settings);
            INSERT INTO Tag VALUES ('gone', 'singleton'), ('1', 'singleton'), ('2', 'x'), ('3', 'singleton');
            """
        let unnamed = try deduped(tags)
        try unnamed.execute("DELETE FROM Tag WHERE name = 'gone'")
        try unnamed.execute("VACUUM")
        try requireRefusal(unnamed, naming: "the records of `Tag`")
        let still = try deduped(tags)
        try still.execute("DELETE FROM Tag WHERE name = 'gone'")
        try still.undo()
        #expect(try still.text("SELECT * FROM Tag ORDER BY name") == ["1|singleton", "2|x", "3|singleton"])
    }

    @Test("an edited ledger is rejected, with any content")
    func editedBooks() throws {
        let edits = [
            "UPDATE godwit_removed SET record = '{'", "UPDATE godwit_removed SET record = NULL || x''",
            "UPDATE godwit_removed SET record = '{}'", "UPDATE godwit_removed SET record = '{\"id\":[1]}'",
            "UPDATE godwit_removed SET record = '{\"nope\":1}'", "UPDATE godwit_removed SET rowIdentity = 'x'",
            "UPDATE godwit_removed SET entity = 'sqlite_schema'",
            "UPDATE godwit_changed SET \"column\" = 'id\" = 1 --'",
            "UPDATE godwit_removed SET entity = 'Settings\"; DROP TABLE Settings; --'",
        ]
        for edit in edits {
            let bench = try deduped()
            guard (try? bench.execute(edit)) != nil else { continue }
            let before = try bench.contents()
            let error = try #require(failure { try bench.undo() }, "\(edit)")
            #expect(error.code == .data, "\(edit)")
            #expect(try bench.contents() == before)
        }
    }
}

/// Records of removals that an older Godwit wrote.
struct OlderBooksTests {
    private static let books = """
        CREATE TABLE godwit_removed(
          id INTEGER PRIMARY KEY, entity TEXT NOT NULL, key, record TEXT NOT NULL, reason TEXT NOT NULL,
          winnerKey, runId TEXT NOT NULL, removedAt TEXT NOT NULL);
        CREATE TABLE godwit_changed(
          id INTEGER PRIMARY KEY, entity TEXT NOT NULL, key, "column" TEXT NOT NULL, oldValue, newValue,
          reason TEXT NOT NULL, runId TEXT NOT NULL, changedAt TEXT NOT NULL);
        INSERT INTO godwit_removed VALUES
          (1, 'Note', 'n', '{"id":"n","body":"old","at":"1"}', 'newest', 'n', 'OLD', '2026-01-01T00:00:00.000Z'),
          (2, 'Note', 'n', '{"id":"n","body":"x","at":"1"}', 'replaced:newest', 'n', 'OLD', '2026-01-01T00:00:00.000Z');
        CREATE TABLE Note(id TEXT, body TEXT, at TEXT); INSERT INTO Note VALUES ('n', 'new', '2');
        """

    @Test("an old ledger without steps restores only records, and its tables get the new columns")
    func records() throws {
        let bench = try DedupeBench([.note], Self.books)
        #expect(try bench.undo("OLD").restored == ["Note": 1])
        #expect(try bench.text("SELECT body FROM Note ORDER BY body") == ["new", "old"])
        #expect(try bench.text("SELECT id, undoneBy FROM godwit_removed") == ["1|UNDO-1", "2|NULL"])
        try bench.dedupe()
        try bench.undo("RUN-1")
        #expect(try bench.text("SELECT body FROM Note ORDER BY body") == ["new", "old"])
    }

    @Test("an old ledger does not restore changed values, because it does not identify their rows")
    func changes() throws {
        let bench = try DedupeBench(
            [.note],
            Self.books + """
                INSERT INTO godwit_changed VALUES (1, 'Note', 'n', 'id', 'm', 'n', 'rekeyed', 'OLD', '2026-01-01T00:00:00.000Z');
                """)
        let error = try #require(failure { try bench.undo("OLD") })
        #expect(error.code == .data)
        #expect(error.message.contains("older Godwit"))
        #expect(try bench.count("Note") == 1)
        #expect(try bench.text("SELECT name FROM pragma_table_info('godwit_removed')").count == 8, "rolled back")
    }

    @Test("a reader finds the runs in a ledger of any age without changing it")
    func runs() throws {
        let bench = try DedupeBench([.note], Self.books)
        let bytes = try bench.folder.bytes(of: "Notes.store")
        let reader = try SQLiteReader(
            path: bench.path, name: "Notes.store", stage: .dedupe, busyMilliseconds: 0, cancellation: Cancellation())
        let runs = try reader.connection.readBookedRuns()
        #expect(
            runs == [
                LedgerRun(
                    id: "OLD", startedAt: try #require(Instant(iso8601: "2026-01-01T00:00:00Z")), open: 1, lastStep: 1)
            ])
        #expect(try bench.folder.bytes(of: "Notes.store") == bytes)
    }
}
