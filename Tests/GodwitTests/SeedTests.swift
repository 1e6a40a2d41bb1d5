import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Records that schema files bring along are no user's: in a cloud store that Godwit makes local records replace them.
struct SeedTests {
    private static let create = "CREATE TABLE Kind(id TEXT PRIMARY KEY, title TEXT, m TEXT);\n"
    private static let seeds = """
        INSERT INTO Kind VALUES ('one', 'Push', '2026-01-01T00:00:00.000Z'), ('two', 'Pull', '2026-01-01T00:00:00.000Z');

        """

    @Test(
        "a cloud store that is made holds the local records, with any rule and also if the seeds seem newer",
        arguments: [
            "modified: m", "modified: m, conflict: keepEarliest", "modified: m, conflict: keepCloud",
            "modified: m, conflict: keepNewest",
        ])
    func newCloudStore(rule: String) throws {
        let app = try NoteApp(entities: "  Kind: { key: id, \(rule) }", migrations: [Self.create + Self.seeds])
        try app.write(
            NoteApp.local,
            Self.create + Self.seeds + """
                UPDATE Kind SET title = 'My push day', m = '2025-01-01T00:00:00.000Z' WHERE id = 'one';
                DELETE FROM Kind WHERE id = 'two';
                """)
        let plan = try app.perform(dryRun: true)
        let report = try app.perform()
        #expect(plan.copy?.entities == report.copy?.entities)
        #expect(report.copy?.entities.first?.cloudBefore == 0)
        #expect(try app.column(NoteApp.cloud, "SELECT id || title FROM Kind") == ["oneMy push day"])
        #expect(try app.perform(.verify).outcome == .done)
    }

    @Test("a cloud store that was there keeps what it has, seeds included")
    func cloudStoreThere() throws {
        let app = try NoteApp(entities: "  Kind: { key: id, modified: m }", migrations: [Self.create + Self.seeds])
        try app.write(
            NoteApp.local, Self.create + "INSERT INTO Kind VALUES ('three', 'Legs', '2026-01-01T00:00:00.000Z')")
        try app.write(NoteApp.cloud, Self.create + Self.seeds)
        try app.perform()
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Kind ORDER BY id") == ["one", "three", "two"])
    }

    @Test("a legacy value that meets a record of a schema file of the same run is reported")
    func beforeLegacy() throws {
        var app = try NoteApp(
            entities: "  Kind: { key: id, modified: m, conflict: keepEarliest }",
            migrations: ["CREATE TABLE Other(id TEXT);", Self.create + Self.seeds], preferences: ["starred": ["x"]])
        app.legacy = "  favorites: [{ key: starred, into: Kind.id }]"
        try app.write(NoteApp.local, "CREATE TABLE Other(id TEXT)")
        let plan = try app.perform(dryRun: true)
        let report = try app.perform()
        for report in [plan, report] {
            let warning = report.warnings.first { $0.code == "seedBeforeLegacy" }
            #expect(warning?.message.contains("Kind") == true)
        }
        // What users put there is no schema file's doing.
        #expect(try app.perform().warnings.allSatisfy { $0.code != "seedBeforeLegacy" })
    }
}
