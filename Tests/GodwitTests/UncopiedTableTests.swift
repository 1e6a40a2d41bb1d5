import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// What a copy leaves behind, or chooses on its way, is told of.
struct UncopiedTableTests {
    @Test("a table of the app's that is called like a full-text table and more is told of, those of the index are not")
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
        let told = try app.perform().warnings.filter { $0.code == "tableNotCopied" }.map(\.message)
        let expected = ["old_data", "search_history"].map { "Table \($0) (1 record) is no entity of the manifest." }
        #expect(told.sorted() == expected)
    }

    @Test("a table whose records several columns tell apart is not to be made an entity just so")
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
        let told = try app.perform().warnings.filter { $0.code == "tableNotCopied" }
        #expect(told.map { $0.hint?.contains("run again to copy it") } == [true, false])
        #expect(told.last?.hint?.contains("primary key is country, code, and an entity's key is one column") == true)
    }

    @Test("a copy that takes duplicates out of a private clone tells of the dates it chose by")
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
