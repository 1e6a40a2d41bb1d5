import GodwitModel
import Godwit
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// What a copy leaves behind is one warning with sums, and `ignore:` names what stays behind by intent.
struct IgnoreTests {
    private static let create = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT);
        CREATE TABLE Options(id TEXT PRIMARY KEY, theme TEXT, unit TEXT);
        """
    private static let others = """
        CREATE TABLE Log(line TEXT); CREATE TABLE Cache(key TEXT PRIMARY KEY); CREATE TABLE Empty(x);
        INSERT INTO Log VALUES ('a'), ('b'); INSERT INTO Cache VALUES ('k'); INSERT INTO Note VALUES ('n', 'one');
        """

    private func app(_ ignore: String = "") throws -> NoteApp {
        var app = try NoteApp(
            entities: "  Note: { key: id }\n  Options: { key: id, singleton: one }",
            migrations: [
                Self.create
                    + "CREATE TABLE Log(line TEXT); CREATE TABLE Cache(key TEXT PRIMARY KEY); CREATE TABLE Empty(x);"
            ],
            preferences: ["theme": "dark", "units": "kg", "AppleLanguages": ["en"]])
        app.legacy = "  settings: [{ key: theme, into: Options.theme }, { key: unit, into: Options.unit }]"
        app.settings = ignore
        try app.write(NoteApp.local, Self.create + Self.others)
        return app
    }

    @Test("one warning sums up what is left behind, and the list has each with its count")
    func summed() throws {
        let app = try app()
        let (plan, run) = (try app.perform(dryRun: true), try app.perform())
        for report in [plan, run] {
            let warning = try #require(report.warnings.first { $0.code == "leftBehind" })
            #expect(warning.message == "left behind: 2 tables with 3 records (Cache, Log)")
            #expect(report.leftBehind?.map(\.name) == ["Cache", "Log"])
            #expect(report.leftBehind?.map(\.count) == [1, 2])
        }
    }

    @Test("what `ignore` names is not counted, tables and keys alike")
    func ignored() throws {
        let app = try app("ignore: { tables: [log, Cache], keys: [unit*, Apple*] }")
        let report = try app.perform()
        #expect(report.leftBehind == nil && report.warningCodes == [])
        let buckets = Dictionary(uniqueKeysWithValues: (report.legacy?.ledger ?? []).map { ($0.key, $0.bucket) })
        #expect(buckets["units"] == .localOnly && buckets["AppleLanguages"] == .localOnly)
        // A star never hides a mapped key.
        #expect(try app.column(NoteApp.cloud, "SELECT theme FROM Options") == ["dark"])
    }

    @Test(
        "what is mapped can't be ignored",
        arguments: [
            ("tables: [note]", "is an entity"), ("columns: [Note.id]", "is mapped"),
            ("columns: [Options.theme]", "is mapped"),
            ("columns: [title]", "Entity.column"), ("keys: [theme]", "is mapped under"), ("tables: [{}]", "text"),
            ("table: [Log]", "unknown key `table`"), ("stores: [/tmp/a.db]", "is absolute"),
            ("stores: [../*.db]", "leaves the container"), ("stores: [1]", "text"),
            ("stores: [Library/Application Support/Notes.store]", "is the store of `local:`"),
            ("stores: [Library/Application Support/NotesCloud.store]", "is the store of `cloud:`"),
        ])
    func mapped(_ rule: (String, String)) throws {
        let app = try app("ignore: { \(rule.0) }")
        let error = try #require(failure { try app.perform(dryRun: true) })
        #expect(error.code == .manifest && error.message.contains(rule.1), "\(error.message)")
        #expect(error.position?.line != nil)
    }

    @Test(
        "a star is any number of characters, and all else is compared by bytes",
        arguments: [
            ("Apple*", "AppleLanguages", true), ("*", "", true), ("a*c*e", "abcde", true), ("a*c*e", "abcd", false),
            ("*Flag", "aFlagFlag", true), ("theme", "Theme", false), ("a**b", "ab", true), ("", "a", false),
            ("é*", "éa", true),
        ])
    func globs(_ match: (String, String, Bool)) {
        var rules = IgnoreRules()
        rules.keys = [match.0]
        #expect(rules.namesKey(match.1) == match.2)
    }
}
