import GodwitModel
import GodwitSchema
import GodwitTestSupport
import Testing

struct SchemaFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func load(_ files: [(String, String)]) throws -> SchemaFiles {
        for (name, text) in files { try folder.write(text, to: name) }
        return try SchemaFiles.load(from: folder.path)
    }

    private func refusal(_ files: [(String, String)]) throws -> GodwitError {
        try #require(failure { try load(files) })
    }

    @Test("a folder is read in number order, with the shape of each version")
    func order() throws {
        let files = try load([
            ("V0002__dates.sql", SchemaSamples.dates), ("V0001__notes.sql", SchemaSamples.notes),
            ("V0003__tags.sql", SchemaSamples.tags),
        ])
        #expect(files.directory == folder.path)
        #expect(files.files.map(\.title) == ["V0001__notes", "V0002__dates", "V0003__tags"])
        #expect(files.latest == 3)
        #expect(files.shapes.map(\.tables.count) == [0, 1, 1, 2])
        #expect(files.shapes[1].table(named: "Note")?.columns.map(\.name) == ["id", "body"])
        #expect(files.shape.table(named: "note")?.columns.map(\.name) == ["id", "body", "updatedAt"])
        #expect(files.shape.table(named: "Note")?.column(named: "id")?.isNotNull == true)
        #expect(files.indexes == [[], [], [], ["Tag_noteId"]])
    }

    @Test("leading zeros do not matter, and ten follows nine")
    func numbers() throws {
        let files = try load((1...10).map { ("V\($0)__t\($0).sql", "CREATE TABLE T\($0)(x);") })
        #expect(files.files.map(\.version) == Array(1...10))
        #expect(files.files[9].name == "t10")
    }

    @Test("hidden files, and files without .sql, are ignored")
    func otherFiles() throws {
        try folder.makeFolder("old")
        let files = try load([
            ("V0001__notes.sql", SchemaSamples.notes), ("README.md", "read me"), ("V0002__draft.sql.bak", "nonsense"),
            ("._V0001__notes.sql", "\u{0}\u{5}"), (".V0001__notes.sql.swp", "b0VIM"),
        ])
        #expect(files.latest == 1)
    }

    @Test("a schema file that ends in .sql.txt is rejected, except if it is a copy of an existing file")
    func textEnding() throws {
        let first = ("V0001__notes.sql", SchemaSamples.notes)
        let error = try refusal([first, ("V0002__dates.sql.txt", SchemaSamples.dates)])
        #expect(error.code == .data && error.position?.file == folder["V0002__dates.sql.txt"])
        #expect(error.hint?.contains("`V0002__dates.sql`") == true)
        try folder.remove("V0002__dates.sql.txt")
        #expect(try load([first, ("V0001__notes.sql.txt", "a copy")]).latest == 1)
    }

    @Test(
        "the placeholder of a schema file that iCloud Drive has not downloaded gives 66, whether the file exists or not",
        arguments: [".V0002__dates.sql.icloud", ".V0001__notes.sql.icloud", ".V0002__dates.SQL.iCloud"])
    func placeholder(_ name: String) throws {
        let error = try refusal([("V0001__notes.sql", SchemaSamples.notes), (name, "bplist00")])
        #expect(error.code == .noInput && error.stage == .schema)
        #expect(error.message.contains("`\(folder[name])` is the placeholder of `\(name.dropFirst().dropLast(7))`,"))
        #expect(error.position?.file == folder[name])
    }

    @Test(
        "a file without the name of a schema file is rejected with its name",
        arguments: [
            "0002__dates.sql", "V2_dates.sql", "V__dates.sql", "V2__.sql", "v0002__dates.sql", "V0__zero.sql",
            "V-2__dates.sql", "V0002__dates.SQL", "V٢__dates.sql", "V1000000__far.sql", "notes.sql",
            "V99999999999999999999__far.sql",
        ])
    func names(_ name: String) throws {
        let error = try refusal([("V0001__notes.sql", SchemaSamples.notes), (name, SchemaSamples.dates)])
        #expect(error.stage == .schema)
        #expect(error.code == .data)
        #expect(error.message.contains(name))
        #expect(error.hint?.contains("V0001__what_it_does.sql") == true)
    }

    @Test("a gap is reported with the missing number and the file after it")
    func gap() throws {
        let error = try refusal([("V0001__a.sql", "CREATE TABLE A(x);"), ("V0003__c.sql", "CREATE TABLE C(x);")])
        #expect(error.code == .data)
        #expect(error.message.contains("schema file 2 is missing"))
        #expect(error.message.contains("V0003__c"))
    }

    @Test("files that do not begin at 1 have a gap")
    func beginning() throws {
        let error = try refusal([("V0002__b.sql", "CREATE TABLE B(x);")])
        #expect(error.code == .data)
        #expect(error.message.contains("schema file 1 is missing"))
    }

    @Test("two files of one version are both named")
    func duplicate() throws {
        let error = try refusal([
            ("V0001__a.sql", "CREATE TABLE A(x);"), ("V0002__b.sql", ""), ("V02__c.sql", ""),
        ])
        #expect(error.code == .data)
        #expect(error.message.contains("V0002__b"))
        #expect(error.message.contains("V0002__c"))
    }

    @Test(
        "SQL that a schema file cannot have is rejected before any store is opened",
        arguments: [
            "CREATE TABLE", "SELECT * FROM Missing;", "BEGIN; CREATE TABLE B(x); COMMIT;", "COMMIT;", "ROLLBACK;",
            "END;", "SAVEPOINT a;", "RELEASE a;", "ATTACH 'elsewhere.db' AS other;", "DETACH main;", "VACUUM;",
            "VACUUM INTO 'elsewhere.db';", "PRAGMA journal_mode=WAL;", "PRAGMA synchronous=OFF;",
            "PRAGMA writable_schema=ON;", "PRAGMA temp_store_directory='elsewhere';", "SELECT load_extension('x');",
            "CREATE TABLE A(x);", "CREATE TABLE B(x); INSERT INTO B VALUES (1, 2);",
        ])
    func badSQL(_ sql: String) throws {
        let error = try refusal([("V0001__a.sql", "CREATE TABLE A(x);"), ("V0002__bad.sql", sql)])
        #expect(error.stage == .schema)
        #expect(error.code == .data)
        #expect(error.message.contains("V0002__bad.sql"))
        #expect(error.message.contains("V0002__bad.sql:1: ") && error.hint != nil)
        #expect(folder.names() == ["V0001__a.sql", "V0002__bad.sql"])
    }

    @Test(
        "SQL that schema files need is accepted",
        arguments: [
            "PRAGMA foreign_keys=OFF; CREATE TABLE B(x); PRAGMA foreign_key_check;", "PRAGMA user_version=7;",
            "PRAGMA legacy_alter_table=ON; ALTER TABLE A RENAME TO Z;", "-- nothing at all", "",
            "CREATE VIRTUAL TABLE Search USING fts5(x);", "CREATE VIEW W AS SELECT x FROM A;",
            "CREATE TRIGGER T AFTER INSERT ON A BEGIN UPDATE A SET x = 1; END;", "REINDEX; ANALYZE;",
            "CREATE TABLE B(x) STRICT, WITHOUT ROWID;".replacing("(x)", with: "(x TEXT PRIMARY KEY)"),
            "INSERT INTO A VALUES (1); UPDATE A SET x = 2; DELETE FROM A;",
        ])
    func goodSQL(_ sql: String) throws {
        #expect(try load([("V0001__a.sql", "CREATE TABLE A(x);"), ("V0002__good.sql", sql)]).latest == 2)
    }

    @Test(
        "bytes that are not UTF-8, and NUL, are rejected in a schema file",
        arguments: [[0x2D, 0x2D, 0xFF], [0x2D, 0x2D, 0x00, 0x0A]] as [[UInt8]])
    func encodings(_ bytes: [UInt8]) throws {
        try folder.write(bytes, to: "V0001__a.sql")
        let error = try #require(failure { try SchemaFiles.load(from: folder.path) })
        #expect(error.code == .data)
        #expect(error.message.contains("V0001__a.sql"))
        #expect(error.message.contains(bytes.contains(0) ? "NUL" : "UTF-8"))
    }

    @Test("a byte-order mark, CRLF and bare CR run as intended", arguments: ["\n", "\r\n", "\r"])
    func lineEndings(_ ending: String) throws {
        let lines = [
            "\u{FEFF}-- the notes", "CREATE TABLE A(x);", "-- more", "CREATE TABLE B(y DEFAULT 'p", "q');", "",
        ]
        let files = try load([("V0001__a.sql", lines.joined(separator: ending))])
        #expect(files.shape.tables.map(\.name) == ["A", "B"])
        #expect(files.shape.table(named: "B")?.column(named: "y")?.defaultSQL == "'p\nq'")
    }

    @Test("a missing schema folder gives 66")
    func missingFolder() throws {
        let error = try #require(failure { try SchemaFiles.load(from: folder.path("nowhere")) })
        #expect(error.code == .noInput)
        #expect(error.message.contains("nowhere"))
        #expect(error.hint?.contains("schema:") == true)
    }

    @Test("a file instead of the schema folder gives 66")
    func fileForFolder() throws {
        try folder.write("x", to: "plain")
        #expect(try #require(failure { try SchemaFiles.load(from: folder.path("plain")) }).code == .noInput)
    }

    @Test("a folder without schema files gives 66, not version 0")
    func emptyFolder() throws {
        try folder.write("x", to: "README.md")
        let error = try #require(failure { try SchemaFiles.load(from: folder.path) })
        #expect(error.code == .noInput)
        #expect(error.message.contains(folder.path))
    }

    @Test("a folder with the name of a schema file gives 66")
    func folderForFile() throws {
        try folder.makeFolder("V0001__a.sql")
        #expect(try #require(failure { try SchemaFiles.load(from: folder.path) }).code == .noInput)
    }

    @Test("a schema file of more than 1 MiB is rejected")
    func size() throws {
        let error = try refusal([("V0001__a.sql", String(repeating: "-", count: (1 << 20) + 1))])
        #expect(error.code == .data)
    }
}
