import Godwit
import GodwitModel
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
        var options = PipelineOptions()
        (options.now, options.lockTimeoutMilliseconds) = (.sampleNow, 0)
        return try Pipeline(
            manifest: .load(path: folder["app/godwit.yaml"]), container: .directory(folder["box"]), options: options
        ).perform(command, dryRun: dryRun)
    }

    private func tables(of store: String) throws -> [String] {
        try StoreCopy(of: folder[store]).store.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'godwit%' ORDER BY name"
        ).map { $0[0].readable }
    }

    @Test("tables that an extension made are left out and named; what init writes can be planned and run as it is")
    func extensionTables() throws {
        try SampleStore.make(folder[Self.local], Self.tables + Self.extensionTable)
        let report = try draft()
        let entities = try Manifest.load(path: folder["app/godwit.yaml"]).entities.map(\.name)
        #expect(entities.sorted() == ["Note", "NoteVec_tag", "NoteVectors"])
        let left = try #require(report.leftOut.first { $0.message.hasPrefix("NoteVec is a virtual table") })
        #expect(left.message.contains("NoteVec_vector_chunks00, notevec_Info"))
        #expect(!report.leftOut.contains { $0.code == "notAdopted" || $0.code == "notInSchema" })
        for isRehearsal in [true, false] {
            let done = try perform(.run, dryRun: isRehearsal)
            #expect(done.schema?.adoptedAt == 1)
            let named = done.warnings.filter { $0.code == "tableNotCopied" }.map(\.message)
            #expect(named.count == 1)
            #expect(named.first?.contains("NoteVec_vector_chunks00, notevec_Info") == true)
        }
        let cloud = try #require(folder.names(in: "box/Library/Application Support").first { $0.contains("Cloud") })
        #expect(
            try tables(of: "box/Library/Application Support/" + cloud) == ["Note", "NoteVec_tag", "NoteVectors"])
        #expect(try perform(.verify).failedChecks == [])
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
                "Note: the schema file leaves out COLLATE APP_ORDER, which only the app knows."
            ])
        #expect(try perform(.run, dryRun: true).warnings.map(\.code) == [])
        let done = try perform(.run)
        #expect(done.copy?.entities.map(\.inserted) == [2, 1])
        #expect(try perform(.verify).failedChecks == [])
    }
}
