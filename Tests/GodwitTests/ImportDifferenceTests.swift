import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Documents that are restored into tables declared otherwise than where they came from.
struct ImportDifferenceTests {
    /// An app whose store was made by other words than its schema file's, and what an import of its export says.
    private func restored(_ store: String, _ schema: String, entity: String = "Note") throws -> (NoteApp, RestoreReport)
    {
        let app = try NoteApp(entities: "  \(entity): { key: id }", migrations: [schema])
        try app.write(NoteApp.local, store)
        _ = try app.migration().exportAndKeep(to: app.folder["e.json"], options: .init())
        return (app, try app.migration().restore(from: app.folder["e.json"], to: app.folder["new.store"]))
    }

    /// Whether an export of the restored store has the document's hash.
    private func isSameAgain(_ app: NoteApp, _ report: RestoreReport) throws -> Bool {
        try app.folder.remove(NoteApp.local)
        try app.folder.copy("new.store", to: NoteApp.local)
        return try app.migration().exportAndKeep(to: app.folder["again.json"], options: .init()).sha256 == report.sha256
    }

    static let differences: [(store: String, schema: String, says: String)] = [
        (
            "CREATE TABLE Note(id TEXT, made DATETIME)", "CREATE TABLE Note(id TEXT, made TIMESTAMP);",
            "'made' of Note has type 'DATETIME' in the export and 'TIMESTAMP' in the store"
        ),
        (
            "CREATE TABLE Note(id TEXT, made datetime)", "CREATE TABLE Note(id TEXT, made DateTime);",
            "'made' of Note has type 'datetime' in the export and 'DateTime' in the store"
        ),
        (
            "CREATE TABLE Note(id TEXT, Made TEXT)", "CREATE TABLE Note(id TEXT, made TEXT);",
            "'Made' of Note is 'made' in the store"
        ),
        (
            "CREATE TABLE Note(made TEXT, id TEXT)", "CREATE TABLE Note(id TEXT, made TEXT);",
            "'made' of Note is column 1 in the export and column 2 in the store"
        ),
    ]

    @Test("what is declared otherwise is restored, and a warning names it", arguments: differences.indices)
    func warned(index: Int) throws {
        let (store, schema, says) = Self.differences[index]
        let (app, report) = try restored(store + "; INSERT INTO Note VALUES ('a', 'b');", schema)
        #expect(report.warnings.map(\.code) == ["columnsDiffer"])
        #expect(report.warnings.first?.message.contains(says) == true, "\(report.warnings)")
        #expect(report.warnings.first?.hint?.contains("sha256") == true)
        #expect(try !isSameAgain(app, report))
    }

    @Test("tables with equal declarations give no warning, and an export of the restored store has the same hash")
    func alike() throws {
        let (app, report) = try restored(
            "CREATE TABLE note(id text, made Integer); INSERT INTO note VALUES ('a', 1);",
            "CREATE TABLE \"Note\"(id TEXT, made INTEGER);")
        #expect(report.warnings.map(\.code) == [])
        #expect(try isSameAgain(app, report))
    }

    @Test("a warning names an entity that the manifest spells differently than the export")
    func entityName() throws {
        var (app, _) = try restored("CREATE TABLE Note(id TEXT)", "CREATE TABLE Note(id TEXT);")
        app.entities = "  note: { key: id }"
        let report = try app.migration().restore(from: app.folder["e.json"], to: app.folder["second.store"])
        #expect(report.warnings.map(\.code) == ["columnsDiffer"])
        #expect(report.warnings.first?.message.contains("'Note' is 'note' in the manifest") == true)
    }

    @Test("a few are named, the rest are counted, and long names are cut")
    func bounded() throws {
        let long = String(repeating: "x", count: 5000)
        let columns = (1...40).map { "c\($0) \(long)" }.joined(separator: ", ")
        let (_, report) = try restored(
            "CREATE TABLE Note(id TEXT, \(columns))",
            "CREATE TABLE Note(id TEXT, \(columns.replacingOccurrences(of: long, with: "y")));")
        let message = try #require(report.warnings.first?.message)
        #expect(report.warnings.count == 1 && message.contains("and 35 more"))
        #expect(message.utf8.count < 1500)
    }
}
