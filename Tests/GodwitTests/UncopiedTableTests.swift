import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A copy reports what it leaves behind, or chooses on its way.
struct UncopiedTableTests {
    @Test("a table of the app's that is called like a full-text table and more is reported, those of the index are not")
    func besideIndexes() throws {
        let create = """
            CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT);
            CREATE VIRTUAL TABLE search USING fts5(body);
            CREATE VIRTUAL TABLE old USING fts4(body);
            CREATE TABLE search_history(query TEXT);
            CREATE TABLE old_data(line TEXT);
            """
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: [create])
        try app.write(
            NoteApp.local,
            create + """
                INSERT INTO Note VALUES ('n', 'oats');
                INSERT INTO search VALUES ('oats'); INSERT INTO old VALUES ('oats');
                INSERT INTO search_history VALUES ('rye'); INSERT INTO old_data VALUES ('x');
                """)
        let messages = (try app.perform().leftBehind ?? []).map(\.message)
        let expected = ["old_data", "search_history"].map {
            "table `\($0)` (1 record) is not an entity of the manifest; it stays in the local store"
        }
        #expect(messages.sorted().filter { $0.contains("of the manifest") } == expected)
    }

    /// Tables that SQLite runs by a module: with records of their own, over an entity, over nothing.
    private static let virtual = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT);
        CREATE VIRTUAL TABLE memo USING fts5(body);
        CREATE VIRTUAL TABLE old USING fts4(body);
        CREATE VIRTUAL TABLE area USING rtree(id, x0, x1);
        CREATE VIRTUAL TABLE over USING fts5(body, content='Note');
        CREATE VIRTUAL TABLE bare USING fts5(body, content='');
        CREATE VIRTUAL TABLE empty USING fts5(body);

        """
    private static let records = """
        INSERT INTO Note VALUES ('n', 'oats'), ('m', 'rye');
        INSERT INTO memo VALUES ('a'), ('b'), ('c'); INSERT INTO old VALUES ('a'), ('b');
        INSERT INTO area VALUES (1, 0, 1);
        INSERT INTO over(over) VALUES ('rebuild'); INSERT INTO bare(rowid, body) VALUES (1, 'oats');
        """

    @Test("records of a virtual table are left behind by name and number in plan, run and verify; an index is a note")
    func virtualTables() throws {
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: [Self.virtual])
        try app.write(NoteApp.local, Self.virtual + Self.records)
        let expected = [
            "table `area` (1 record) is an R-tree", "table `memo` (3 records) is a full-text table",
            "table `old` (2 records) is a full-text table",
        ].map { $0 + ", which can't be an entity; the cloud store has none of them" }
        let reports = [
            try app.perform(dryRun: true), try app.perform(), try app.perform(.verify),
        ]
        for report in reports {
            #expect((report.leftBehind ?? []).map(\.message) == expected && report.warningCodes.contains("leftBehind"))
            let notes = report.notes.filter { $0.code == "indexNotFilled" }
            #expect(
                notes.map(\.message) == [
                    "the search index `bare` covers 1 record of the local store, and none of the cloud store",
                    "the search index `over` covers 2 records of the local store, and none of the cloud store",
                ])
            #expect(notes.last?.hint?.contains("INSERT INTO \"over\"(\"over\") VALUES('rebuild')") == true)
        }
    }

    @Test(
        "more records in a cloud store that was there before leave nothing behind only if the local ones are among them",
        arguments: ["a", "z"])
    func otherRecords(_ text: String) throws {
        let create = "CREATE TABLE Note(id TEXT PRIMARY KEY); CREATE VIRTUAL TABLE memo USING fts5(body);\n"
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: [create])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('n'); INSERT INTO memo VALUES ('a'), ('b');")
        try app.write(NoteApp.cloud, create + "INSERT INTO memo VALUES ('y'), ('b'), ('\(text)');")
        let messages = (try app.perform().leftBehind ?? []).map(\.message)
        let message =
            "table `memo` (2 records) is a full-text table, which can't be an entity; the cloud store lacks 1 of them"
        #expect(messages == (text == "a" ? [] : [message]))
        #expect(try app.perform(.verify).warnings == [])
    }

    @Test("a virtual table that triggers or a schema file fill in the cloud store leaves nothing behind")
    func filledTables() throws {
        let create = """
            CREATE TABLE Note(id TEXT, body TEXT);
            CREATE VIRTUAL TABLE memo USING fts5(body);
            CREATE VIRTUAL TABLE over USING fts5(body, content='Note');
            CREATE TRIGGER feed AFTER INSERT ON Note BEGIN
              INSERT INTO memo(rowid, body) VALUES (new.rowid, new.body);
              INSERT INTO over(rowid, body) VALUES (new.rowid, new.body);
            END;
            CREATE TRIGGER starve AFTER DELETE ON Note BEGIN
              DELETE FROM memo WHERE rowid = old.rowid;
              INSERT INTO over(over, rowid, body) VALUES ('delete', old.rowid, old.body);
            END;
            CREATE VIRTUAL TABLE area USING rtree(id, x0, x1);
            INSERT INTO area VALUES (1, 0, 1);

            """
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: [create])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('n', 'oats'), ('n', 'rye'), ('m', 'rice');")
        let report = try app.perform(.copy)
        #expect(report.copy?.entities.map(\.inserted) == [2])
        #expect(report.warnings.map(\.code) == [] && report.notes.map(\.code) == [])
        #expect(try app.perform(.verify).warnings == [])
    }

    @Test("the hint for a table with a primary key of several columns names the columns and not just a run")
    func severalColumns() throws {
        let create = """
            CREATE TABLE Note(id TEXT PRIMARY KEY);
            CREATE TABLE Place(country TEXT, code TEXT, PRIMARY KEY(country, code));
            CREATE TABLE Other(id TEXT PRIMARY KEY);
            """
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: [create])
        try app.write(
            NoteApp.local,
            create + """
                INSERT INTO Note VALUES ('n'); INSERT INTO Place VALUES ('jp', '1'); INSERT INTO Other VALUES ('o');
                """)
        let messages = try app.perform().leftBehind ?? []
        #expect(messages.map { $0.hint?.contains("run again to copy it") } == [true, false])
        #expect(messages.last?.hint?.contains("primary key (country, code)") == true)
    }

    @Test("a copy that takes duplicates out of a private clone reports the dates it chose by")
    func datesOfDuplicates() throws {
        let create = "CREATE TABLE Note(id TEXT, body TEXT, updatedAt TEXT);\n"
        let app = try NoteApp(entities: "  Note: { key: id, modified: updatedAt }", migrations: [create])
        try app.write(
            NoteApp.local,
            create + "INSERT INTO Note VALUES ('n', '1', 'garbled'), ('n', '2', '2999-01-01T00:00:00Z');")
        let report = try app.perform(.copy)
        #expect(report.copy?.dates.unreadable == ["Note": 1])
        #expect(report.copy?.dates.future == ["Note": 1])
        let codes = report.warnings.map(\.code)
        #expect(codes.contains("unreadableDate") && codes.contains("clockSkew"))
    }
}
