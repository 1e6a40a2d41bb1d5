import Godwit
import GodwitModel
import GodwitSQLite
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Stores with what only their app can run: tables of an extension's virtual table, indexes by a collation of the app's.
struct ForeignCodeStoreTests {
    private let folder: TemporaryFolder
    private static let local = "box/Library/Application Support/Notes.store"
    private static let tables = """
        CREATE TABLE Note(id TEXT NOT NULL PRIMARY KEY, title TEXT, updatedAt TEXT);
        CREATE TABLE NoteVectors(id TEXT NOT NULL PRIMARY KEY, title TEXT);
        CREATE TABLE NoteVec_tag(id TEXT NOT NULL PRIMARY KEY, noteId TEXT REFERENCES Note(id));
        CREATE TABLE notevec_Info(key TEXT PRIMARY KEY, value ANY);
        CREATE TABLE "NoteVec_vector_chunks00"(rowid PRIMARY KEY, vectors BLOB NOT NULL);
        INSERT INTO Note VALUES ('n', 'a', '2026-01-21T08:00:00Z'), ('m', 'b', '2026-01-22T08:00:00Z');
        INSERT INTO NoteVectors VALUES ('v', 'plain'); INSERT INTO NoteVec_tag VALUES ('t', 'n');
        INSERT INTO notevec_Info VALUES ('version', 1); INSERT INTO NoteVec_vector_chunks00 VALUES (1, zeroblob(900));
        PRAGMA writable_schema=ON;
        """
    private static let extensionTable = """
        INSERT INTO sqlite_schema VALUES
          ('table', 'NoteVec', 'NoteVec', 0, 'CREATE VIRTUAL TABLE NoteVec USING vec0(embedding float[3])');
        """

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("box/Library/Application Support")
        try folder.makeFolder("box/Library/Preferences")
    }

    private func draft() throws -> InitReport {
        var options = InspectOptions()
        options.now = .sampleNow
        return try Inspector(path: folder["box"], options: options).writeManifest(into: folder["app"])
    }

    private func perform(_ command: Command, dryRun: Bool = false) throws -> RunReport {
        var options = MigrationOptions()
        (options.now, options.lockTimeoutMilliseconds) = (.sampleNow, 0)
        return try Migration(
            manifest: .load(path: folder["app/godwit.yaml"]), container: .path(folder["box"]), options: options
        ).perform(command, dryRun: dryRun)
    }

    private func tables(of store: String) throws -> [String] {
        try StoreCopy(of: folder[store]).store.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'godwit%' ORDER BY name"
        ).map { $0[0].readable }
    }

    @Test("tables that an extension made are left out and named; the draft of init can be planned and run unchanged")
    func extensionTables() throws {
        try SampleStore.make(folder[Self.local], Self.tables + Self.extensionTable)
        let report = try draft()
        let entities = try Manifest.load(path: folder["app/godwit.yaml"]).entities.map(\.name)
        #expect(entities.sorted() == ["Note", "NoteVec_tag", "NoteVectors"])
        let left = try #require(report.leftOut.first { $0.message.hasPrefix("NoteVec is a virtual table") })
        #expect(left.message.contains("NoteVec_vector_chunks00, notevec_Info"))
        #expect(!report.leftOut.contains { $0.code == "notAdopted" || $0.code == "notInSchema" })
        for isDryRun in [true, false] {
            let done = try perform(.run, dryRun: isDryRun)
            #expect(done.schema?.adoptedAt == 1)
            let named = (done.leftBehind ?? []).map(\.message)
            #expect(named.count == 1)
            #expect(named.first?.contains("NoteVec_vector_chunks00, notevec_Info") == true)
        }
        let cloud = try #require(folder.names(in: "box/Library/Application Support").first { $0.contains("Cloud") })
        #expect(
            try tables(of: "box/Library/Application Support/" + cloud) == ["Note", "NoteVec_tag", "NoteVectors"])
        #expect(try perform(.verify).failedChecks == [])
    }

    @Test(
        "tables and views that only the app can make are left out by name; the draft of init can be planned and run unchanged",
        .commandLineWords,
        arguments: [
            ("CHECK (length(v) > 0)", "can't be run on an empty store here"),
            ("CHECK (v < 'x' COLLATE NOCASE)", "goes by COLLATE APP_ORDER, which only the app knows"),
            ("w TEXT AS (v < 'x' COLLATE NOCASE)", "goes by COLLATE APP_ORDER, which only the app knows"),
            ("w TEXT AS (length(v))", "can't be run on an empty store here"),
            ("CHECK (abs(v) >= 0)", "its SQL needs SQLite 3.43 or newer"),
        ])
    func leftOut(_ rule: String, _ reason: String) throws {
        if rule.contains("abs"), SyntaxVersion.needed(forFunction: "octet_length") == nil { return }
        try SampleStore.make(
            folder[Self.local],
            """
            CREATE TABLE Note(id TEXT NOT NULL PRIMARY KEY, title TEXT);
            INSERT INTO Note VALUES ('n', 'a'), ('m', 'b');
            CREATE TABLE "Se""cret"(id TEXT PRIMARY KEY, v TEXT, \(rule));
            INSERT INTO "Se""cret" (id, v) VALUES ('s', 'a');
            CREATE TRIGGER kept AFTER DELETE ON "Se""cret" BEGIN INSERT INTO Note VALUES (old.id, 'gone'); END;
            CREATE TABLE grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY); INSERT INTO grdb_migrations VALUES ('v1');
            PRAGMA writable_schema=ON;
            UPDATE sqlite_schema SET sql = replace(replace(sql, 'length(v)', 'appHash(v)'), 'NOCASE', 'APP_ORDER');
            UPDATE sqlite_schema SET sql = replace(sql, 'abs(v)', 'octet_length(v)');
            """)
        let report = try draft()
        #expect(try Manifest.load(path: folder["app/godwit.yaml"]).entities.map(\.name) == ["Note"])
        let named = report.leftOut.filter { $0.message.contains("Se\"cret") }
        #expect(named.contains { $0.message.contains(reason) }, "\(report.leftOut)")
        #expect(report.leftOut.contains { $0.code == "migratorTable" && $0.message.hasPrefix("grdb_migrations ") })
        #expect(!report.leftOut.contains { $0.code == "notAdopted" } && !report.nextSteps[0].contains("--baseline"))
        let sql = String(decoding: try folder.bytes(of: "app/Migrations/V0001__adopt_store.sql"), as: UTF8.self)
        #expect(sql.contains("\n-- godwit-leaves-out: \"Se\"\"cret\"\n") && !sql.contains("every table"))
        for isDryRun in [true, false] {
            let done = try perform(.run, dryRun: isDryRun)
            #expect(done.schema?.adoptedAt == 1)
            let behind = (done.leftBehind ?? []).map(\.message)
            #expect(behind.count == 1 && behind.first?.contains("`Se\"cret` (1 record)") == true)
        }
        #expect(try perform(.verify).failedChecks == [])
    }

    @Test(
        "a table that nothing names as left out is a difference, and so is a trigger that the files' own triggers can start"
    )
    func notLeftOut() throws {
        try SampleStore.make(
            folder[Self.local],
            """
            CREATE TABLE Note(id TEXT NOT NULL PRIMARY KEY, title TEXT); INSERT INTO Note VALUES ('n', 'a');
            CREATE TABLE Secret(id TEXT PRIMARY KEY, v TEXT, CHECK (length(v) > 0));
            CREATE TRIGGER first AFTER UPDATE ON Note BEGIN INSERT INTO Secret VALUES (new.id, 'a'); END;
            CREATE TRIGGER second AFTER INSERT ON Secret BEGIN DELETE FROM Note; END;
            PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, 'length(v)', 'appHash(v)');
            """)
        let report = try draft()
        #expect(report.leftOut.contains { $0.code == "notAdopted" && $0.message.contains("trigger second") })
        #expect(failure { try perform(.run) }?.code == .data)
        let path = "app/Migrations/V0001__adopt_store.sql"
        let sql = String(decoding: try folder.bytes(of: path), as: UTF8.self)
        let cut = sql.split(separator: "\n").filter { !$0.contains("godwit-leaves-out") }.joined(separator: "\n")
        try folder.write(cut, to: path)
        let error = try #require(failure { try perform(.run) })
        #expect(error.message.contains("table Secret of the store is not in the schema"))
    }

    @Test("a trigger that feeds such a table stays, and fills nothing while the new store is made")
    func trigger() throws {
        try SampleStore.make(
            folder[Self.local],
            Self.tables + """
                CREATE TRIGGER added AFTER INSERT ON Note BEGIN INSERT INTO NoteVec(rowid) VALUES (new.rowid); END;
                """ + Self.extensionTable)
        _ = try draft()
        let done = try perform(.run)
        #expect(done.copy?.entities.first { $0.name == "Note" }?.inserted == 2)
        let cloud = try #require(folder.names(in: "box/Library/Application Support").first { $0.contains("Cloud") })
        let store = try StoreCopy(of: folder["box/Library/Application Support/" + cloud]).store
        #expect(try store.text("SELECT name FROM sqlite_schema WHERE type = 'trigger'") == "added")
    }

    @Test(
        "writing to a table that is keyed by a collation of the app's names table, column and collation, and changes nothing",
        arguments: ["id TEXT PRIMARY KEY COLLATE NOCASE, v TEXT", "id TEXT, v TEXT UNIQUE COLLATE NOCASE"])
    func keyedByCollation(_ columns: String) throws {
        let app = try NoteApp(
            entities: "  Note: { key: id }",
            migrations: ["CREATE TABLE Note(\(columns.replacing(" COLLATE NOCASE", with: "")));"],
            preferences: ["favs": ["n"]])
        var importing = app
        importing.legacy = "  favorites: [{ key: favs, into: Note.id, mode: merge }]"
        try app.write(
            NoteApp.local,
            """
            CREATE TABLE Note(\(columns)); INSERT INTO Note VALUES ('a', 'x');
            PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'APP_ORDER');
            """)
        let before = try FolderFingerprint(app.folder["container"])
        let error = try #require(failure { try importing.perform(dryRun: true) })
        #expect(error.code == .data)
        #expect(error.message.contains(columns.contains("KEY") ? "Note.id" : "Note.v"))
        #expect(error.message.contains("sorts by the collation `APP_ORDER`, which only the app has"))
        #expect(error.hint?.contains("in a new schema file") == true)
        #expect(try FolderFingerprint(app.folder["container"]) == before)
        // Without anything to write to it, its records are copied.
        #expect(try app.perform().copy?.entities.map(\.inserted) == [1])
        // What the hint says can be done.
        let remade = try NoteApp(
            entities: "  Note: { key: id }",
            migrations: [
                "CREATE TABLE Note(\(columns.replacing(" COLLATE NOCASE", with: "")));",
                """
                CREATE TABLE Note2(id TEXT PRIMARY KEY COLLATE NOCASE, v TEXT, w TEXT);
                INSERT INTO Note2 SELECT id, v, NULL FROM Note;
                DROP TABLE Note; ALTER TABLE Note2 RENAME TO Note;
                """,
            ], preferences: ["favs": ["n"]])
        var remaking = remade
        remaking.legacy = importing.legacy
        try remade.write(
            NoteApp.local,
            """
            CREATE TABLE Note(\(columns)); INSERT INTO Note VALUES ('a', 'x');
            PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'APP_ORDER');
            """)
        #expect(try remaking.perform().legacy?.inserted == ["Note": 1])
    }

    @Test("an index by a collation of the app's hides nothing: it stays in the local store, and the records are copied")
    func collation() throws {
        try SampleStore.make(
            folder[Self.local],
            """
            CREATE TABLE Note(id TEXT NOT NULL PRIMARY KEY, title TEXT COLLATE NOCASE, updatedAt TEXT);
            CREATE INDEX Note_title ON Note(title); CREATE TABLE Tag(id TEXT NOT NULL PRIMARY KEY, name TEXT);
            INSERT INTO Note VALUES ('n', 'B', '2026-01-21T08:00:00Z'), ('m', 'a', '2026-01-22T08:00:00Z');
            INSERT INTO Tag VALUES ('t', 'red');
            PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'APP_ORDER');
            """)
        var options = InspectOptions()
        options.now = .sampleNow
        let seen = try Inspector(path: folder["box"], options: options).inspect()
        let store = try #require(seen.stores.first)
        #expect(store.entities.map(\.name) == ["Note", "Tag"] && store.entities.map(\.count) == [2, 1])
        #expect(store.risks.first { $0.code == "appCollation" }?.message.contains("APP_ORDER of Note") == true)
        let report = try draft()
        #expect(
            report.leftOut.map(\.message) == [
                "Note: the schema file leaves out COLLATE APP_ORDER, which only the app has"
            ])
        #expect(try perform(.run, dryRun: true).warnings.map(\.code) == [])
        let done = try perform(.run)
        #expect(done.copy?.entities.map(\.inserted) == [2, 1])
        #expect(try perform(.verify).failedChecks == [])
    }
}
