import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Foreign keys of schema files that SQLite can't hold records to: reported before anything is written, while a new
/// schema file can still correct them.
struct UnusableReferenceTests {
    private static let entity = "  Note: { key: id, modified: m }"
    private static let note = "CREATE TABLE Note(id TEXT PRIMARY KEY, m TEXT, kind TEXT REFERENCES Kind(id));\n"
    private static let rows = "INSERT INTO Note VALUES ('n', '2026-01-01T00:00:00.000Z', NULL);"

    /// How the files are wrong, what is said of it, and what another file makes of it.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let schema: String
        let message: String
        let correction: String

        var testDescription: String { name }
    }

    private static let cases = [
        Case(
            name: "no table", schema: note,
            message: "in the schema files `Note` refers to `Kind` by `kind`, but no such table is made",
            correction: "CREATE TABLE Kind(id TEXT PRIMARY KEY);"),
        Case(
            name: "not unique", schema: note + "CREATE TABLE Kind(id TEXT);",
            message:
                "in the schema files `Note` refers to `Kind` by `kind`, but the referenced columns are not unique",
            correction: "CREATE UNIQUE INDEX Kind_id ON Kind(id);"),
        Case(
            name: "two of one column",
            schema: "CREATE TABLE Kind(id TEXT, at TEXT, PRIMARY KEY(id, at));"
                + note.replacingOccurrences(of: "Kind(id)", with: "Kind"),
            message:
                "in the schema files `Note` refers to `Kind` by `kind`, but the referenced columns are not unique",
            correction: "DROP TABLE Kind; CREATE TABLE Kind(id TEXT PRIMARY KEY);"),
    ]

    @Test("they are refused before the local store is adopted, and another file corrects them", arguments: cases)
    func refused(_ one: Case) throws {
        let app = try NoteApp(entities: Self.entity, migrations: [one.schema])
        try app.write(NoteApp.local, one.schema + Self.rows)
        let before = try app.folder.fingerprint()
        for isDry in [true, false] {
            let error = try #require(failure { try app.perform(dryRun: isDry) })
            #expect(error.code == .data)
            #expect(error.message == one.message)
            #expect(error.hint?.contains("In a new schema file") == true)
        }
        #expect(try app.folder.fingerprint().differences(from: before).filter { !$0.contains("godwit.yaml") } == [])
        try app.folder.write(one.correction, to: "migrations/V0002__corrected.sql")
        let report = try app.perform()
        #expect(report.outcome == .done)
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Note") == ["n"])
        #expect(try app.perform(.verify).outcome == .done)
    }

    @Test("one that only SQLite itself finds out about stops no command that writes no record")
    func collation() throws {
        let plain = "CREATE TABLE Note(id TEXT PRIMARY KEY, m TEXT);\n"
        let other = """
            CREATE TABLE Kind(id TEXT); CREATE UNIQUE INDEX Kind_id ON Kind(id COLLATE NOCASE);
            CREATE TABLE Other(id TEXT, kind TEXT REFERENCES Kind(id));
            """
        let app = try NoteApp(entities: Self.entity, migrations: [plain + other])
        try app.write(NoteApp.local, plain + other + "INSERT INTO Note VALUES ('n', '2026-01-01T00:00:00.000Z');")
        #expect(try app.perform(.migrate).outcome == .done)
        #expect(try app.perform(.dedupe).outcome != .failed)
        #expect(try app.migration().status().activeStore == .local)
        #expect(failure { try app.perform() }?.code == .data)
    }

    @Test("a table that is not copied may refer to a missing table, but not to columns that are not unique")
    func otherTables() throws {
        let other = "CREATE TABLE Other(id TEXT, kind TEXT REFERENCES Kind(id));\n"
        let plain = "CREATE TABLE Note(id TEXT PRIMARY KEY, m TEXT);\n"
        let app = try NoteApp(entities: Self.entity, migrations: [plain + other])
        try app.write(NoteApp.local, plain + other + "INSERT INTO Note VALUES ('n', '2026-01-01T00:00:00.000Z');")
        #expect(try app.perform().outcome == .done)

        let alike = "CREATE TABLE Kind(id TEXT);\n"
        let refused = try NoteApp(entities: Self.entity, migrations: [plain + other + alike])
        try refused.write(NoteApp.local, plain + other + alike)
        #expect(failure { try refused.perform() }?.message.contains("`Other` refers to `Kind` by `kind`") == true)
        // What stays on the device is kept up to date all the same.
        #expect(try refused.perform(.migrate).outcome == .done)
    }

    @Test("an existing cloud store is written to, except if a copied table is one of them")
    func cloudStoreThere() throws {
        let plain = "CREATE TABLE Note(id TEXT PRIMARY KEY, m TEXT);\n"
        let other = "CREATE TABLE Other(id TEXT, kind TEXT REFERENCES Kind(id)); CREATE TABLE Kind(id TEXT);\n"
        let app = try NoteApp(entities: Self.entity, migrations: [plain + other])
        try app.write(NoteApp.local, plain + other + "INSERT INTO Note VALUES ('n', '2026-01-01T00:00:00.000Z');")
        try app.write(NoteApp.cloud, plain + other)
        #expect(failure { try app.perform() } == nil)
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Note") == ["n"])
    }
}
