import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Stores and exports of CloudKit's two environments: recorded, and never merged.
struct EnvironmentTests {
    private static let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT, updatedAt TEXT);"

    private func app(_ environment: String? = "development") throws -> NoteApp {
        var app = try NoteApp(
            entities: "  Note: { key: id, modified: updatedAt }", migrations: [Self.create], preferences: ["theme": "x"]
        )
        app.legacy = "  settings: []\n  localOnly: [theme]"
        app.settings = environment.map { "environment: \($0)" } ?? ""
        try app.write(NoteApp.local, Self.create + "INSERT INTO Note VALUES ('n', 'text', '2026-01-01')")
        return app
    }

    private func inEnvironment(_ environment: String?, _ app: NoteApp) -> NoteApp {
        var app = app
        app.settings = environment.map { "environment: \($0)" } ?? ""
        return app
    }

    private func export(
        _ app: NoteApp, _ name: String, after seconds: Int64 = 0, _ change: (inout ExportOptions) -> Void = { _ in }
    ) throws -> ExportReport {
        var options = ExportOptions()
        change(&options)
        try app.folder.makeFolder("out")
        return try app.migration { $0.now = Instant(milliseconds: Instant.sampleNow.milliseconds + 1000 * seconds) }
            .exportAndKeep(to: app.folder["out/\(name)"], options: options)
    }

    private func detail(_ app: NoteApp, _ store: String, _ stage: String) throws -> String? {
        try app.column(store, "SELECT detail FROM godwit_receipt WHERE stage = '\(stage)'").first
    }

    // MARK: Recorded

    @Test("the copy's receipt and report name the environment, and a receipt without one says nothing of it")
    func receipts() throws {
        for environment in ["development", "production", nil] {
            let app = try app(environment)
            let report = try app.perform()
            #expect(report.copy?.environment?.rawValue == environment)
            let text = try #require(try detail(app, NoteApp.cloud, "copy"))
            #expect(text.hasSuffix(environment.map { ",\"environment\":\"\($0)\"}" } ?? "\"}"), "\(text)")
            #expect(text.contains("environment") == (environment != nil))
            #expect(try app.migration().status().environment?.rawValue == environment)
        }
    }

    @Test("the receipt of a legacy import names the environment, and carries it into the cloud store")
    func legacyReceipt() throws {
        let create = Self.create + "CREATE TABLE Prefs(id TEXT PRIMARY KEY, theme TEXT, updatedAt TEXT);"
        for environment in ["production", nil] {
            var app = try NoteApp(
                entities: "  Prefs: { key: id, modified: updatedAt, singleton: one }", migrations: [create],
                preferences: ["theme": "dark"])
            app.legacy = "  settings: [{ key: theme, into: Prefs.theme }]"
            app.settings = environment.map { "environment: \($0)" } ?? ""
            try app.perform()
            for store in [NoteApp.local, NoteApp.cloud] {
                let text = try #require(try detail(app, store, "legacy"))
                #expect(text.contains("\"environment\":\"production\"") == (environment != nil), "\(text)")
            }
        }
    }

    @Test("an export names the environment in its source, and one without it keeps its very bytes")
    func header() throws {
        let unnamed = try app(nil)
        let named = inEnvironment("production", unnamed)
        _ = try export(unnamed, "b.json")
        _ = try export(named, "a.json")
        let (a, b) = (try named.folder.text(of: "out/a.json"), try named.folder.text(of: "out/b.json"))
        #expect(a.contains("\"environment\": \"production\", \"contentVersion\""))
        #expect(!b.contains("environment"))
        #expect(a.replacingOccurrences(of: "\"environment\": \"production\", ", with: "") == b)
    }

    @Test("a supplement to a copy keeps what the receipt says of the environment")
    func kept() throws {
        var app = try app("production")
        try app.write(NoteApp.local, "CREATE TABLE Tag(id TEXT PRIMARY KEY); INSERT INTO Tag VALUES ('t')")
        try app.folder.write(
            Self.create + "CREATE TABLE Tag(id TEXT PRIMARY KEY);", to: "migrations/V0001__step.sql")
        try app.perform()
        app = inEnvironment(nil, app)
        app.entities += "\n  Tag: { key: id }"
        let report = try app.perform()
        #expect(report.copy?.added == ["Tag"])
        #expect(try detail(app, NoteApp.cloud, "copy")?.contains("\"environment\":\"production\"") == true)
    }

    // MARK: Never merged

    @Test(
        "every command that writes refuses a store of another environment, before anything is written",
        arguments: [Command.run, .migrate, .dedupe, .copy], [true, false])
    func refused(command: Command, isFlagLost: Bool) throws {
        let made = try app("development")
        try made.perform()
        if isFlagLost { try made.folder.write("{\"theme\": \"x\"}", to: NoteApp.preferences) }
        // A duplicate that dedupe would have to set aside, and a record that the copy would have to take along.
        try made.write(NoteApp.local, "INSERT INTO Note VALUES ('o', 'text', '2026-01-02')")
        let app = inEnvironment("production", made)
        _ = try app.migration()
        for dryRun in [false, true] {
            let before = try FolderFingerprint(app.folder["container"])
            let error = failure { try app.perform(command, dryRun: dryRun) }
            #expect(error?.code == .data)
            #expect(error?.message.contains("NotesCloud.store") == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("'development'") == true && error?.message.contains("'production'") == true)
            #expect(error?.message.hasSuffix("; nothing was written") == true)
            #expect(try FolderFingerprint(app.folder["container"]) == before)
        }
    }

    @Test("an undo is refused as well")
    func undo() throws {
        let made = try app("development")
        try made.perform()
        let app = inEnvironment("production", made)
        #expect(failure { try app.migration().undoDedupe(of: "latest", dryRun: false) }?.code == .data)
    }

    @Test("what is not known passes: no environment in the manifest, or none in the receipt")
    func unknown() throws {
        for (first, second) in [("development", nil), (nil, "production"), (nil, nil), ("production", "production")] {
            let made = try app(first)
            try made.perform()
            let app = inEnvironment(second, made)
            #expect(try app.perform().outcome == .alreadyDone, "\(first ?? "-") \(second ?? "-")")
            #expect(try app.migration().status().warnings.contains { $0.code == "otherEnvironment" } == false)
        }
    }

    @Test("two stores whose receipts differ are not merged under a manifest that says nothing")
    func betweenStores() throws {
        let made = try app("development")
        try made.perform()
        try made.write(
            NoteApp.local,
            """
            CREATE TABLE IF NOT EXISTS godwit_receipt(
              stage TEXT PRIMARY KEY, runId TEXT, completedAt TEXT, manifestSha256 TEXT, godwitVersion TEXT, detail TEXT);
            INSERT INTO godwit_receipt VALUES ('legacy', 'r', '2026-01-01', 'x', '1', '{"environment":"staging"}');
            """)
        let app = inEnvironment(nil, made)
        let error = failure { try app.perform() }
        #expect(error?.code == .data && error?.message.contains("'staging'") == true, "\(error?.message ?? "")")
    }

    @Test("verify checks the environment: the check fails, passes, or is skipped if one side is unknown")
    func verified() throws {
        let made = try app("development")
        try made.perform()
        for (environment, verdict) in [
            ("development", RunReport.Verify.Verdict.passed), ("production", .failed), (nil, .skipped),
        ] {
            let app = inEnvironment(environment, made)
            let checks = try app.perform(.verify).verify?.checks ?? []
            #expect(checks.first { $0.name == "environment" }?.verdict == verdict, "\(environment ?? "-")")
            #expect(checks.contains { $0.verdict == .failed } == (verdict == .failed))
        }
        let silent = try app(nil)
        try silent.perform()
        #expect(try silent.perform(.verify).verify?.checks.contains { $0.name == "environment" } == false)
        let later = try inEnvironment("production", silent).perform(.verify).verify?.checks ?? []
        #expect(later.first { $0.name == "environment" }?.verdict == .skipped)
    }

    @Test("status warns, and an export of such a store names the environment of its data")
    func warned() throws {
        let made = try app("development")
        try made.perform()
        let app = inEnvironment("production", made)
        let status = try app.migration().status()
        #expect(status.warnings.contains { $0.code == "otherEnvironment" && $0.message.contains("'development'") })
        let report = try export(app, "e.json")
        #expect(report.warnings.contains { $0.code == "otherEnvironment" })
        #expect(try app.folder.text(of: "out/e.json").contains("\"environment\": \"development\""))
    }

    // MARK: Exports

    @Test("changes are not counted from an export of another environment; from one that says nothing they are")
    func since() throws {
        for (base, now, isRefused) in [
            ("development", "production", true), ("production", "production", false), (nil, "production", false),
            ("development", nil, false),
        ] {
            let first = try app(base)
            _ = try export(first, "full.json")
            let app = inEnvironment(now, first)
            try app.write(NoteApp.local, "INSERT INTO Note VALUES ('o', 'text', '2026-01-02')")
            let error = failure {
                try export(app, "part.json", after: 1) { $0.sincePath = app.folder["out/full.json"] }
            }
            #expect(error?.code == (isRefused ? .data : nil), "\(base ?? "-") \(now ?? "-")")
            #expect(app.folder.exists("out/part.json") == !isRefused)
        }
    }

    @Test("exports of another environment do not prevent an export, and are not compared for --max-shrink")
    func compared() throws {
        for (base, now, isCompared) in [
            ("development", "production", false), ("production", "production", true), (nil, "production", true),
        ] {
            let first = try app(base)
            _ = try export(first, "first.json")
            let app = inEnvironment(now, first)
            let same = try export(app, "second.json", after: 1) { ($0.skipsUnchanged, $0.isDryRun) = (true, true) }
            #expect((same.unchangedSince != nil) == isCompared, "\(base ?? "-") \(now)")
            try app.write(NoteApp.local, "DELETE FROM Note")
            let error = failure { try export(app, "third.json", after: 2) { $0.maxShrinkPercent = 10 } }
            #expect((error?.code == .data) == isCompared)
        }
    }

    @Test("an import refuses an export of another environment than the manifest's")
    func imported() throws {
        for (made, now, isRefused) in [
            ("development", "production", true), ("production", "production", false), (nil, "production", false),
            ("development", nil, false),
        ] {
            let first = try app(made)
            for lines in [false, true] {
                _ = try export(first, "e\(lines).json") { $0.lines = lines }
                let app = inEnvironment(now, first)
                let target = app.folder["new\(lines).store"]
                let error = failure {
                    try app.migration().restore(from: app.folder["out/e\(lines).json"], to: target)
                }
                #expect(error?.code == (isRefused ? .data : nil), "\(made ?? "-") \(now ?? "-")")
                #expect(app.folder.exists("new\(lines).store") == !isRefused)
            }
        }
    }

    @Test("a base and an increment of two environments are not restored together")
    func importedPair() throws {
        let first = try app("development")
        _ = try export(first, "full.json")
        try first.write(NoteApp.local, "INSERT INTO Note VALUES ('o', 'text', '2026-01-02')")
        _ = try export(first, "part.json", after: 1) { $0.sincePath = first.folder["out/full.json"] }
        let silent = inEnvironment(nil, first)
        let names = (first.folder["out/full.json"], first.folder["out/part.json"])
        _ = try silent.migration().restore(from: names.0, increment: names.1, to: first.folder["good.store"])
        let text = try first.folder.text(of: "out/part.json")
        try first.folder.write(text.replacing("\"development\"", with: "\"production\""), to: "out/part.json")
        let error = failure {
            try silent.migration().restore(from: names.0, increment: names.1, to: first.folder["new.store"])
        }
        #expect(error?.code == .data && error?.message.contains("never merges") == true)
        #expect(!first.folder.exists("new.store"))
    }

    @Test("an export with an unknown environment is rejected")
    func unknownWord() throws {
        let app = try app("development")
        _ = try export(app, "e.json")
        let text = try app.folder.text(of: "out/e.json")
        try app.folder.write(text.replacing("\"development\"", with: "\"staging\""), to: "e.json")
        #expect(
            failure { try app.migration().restore(from: app.folder["e.json"], to: app.folder["n.store"]) }?.code
                == .data
        )
    }

    @Test(
        "an unknown environment in the manifest is an error with its position",
        arguments: ["Production", "prod", "staging", "1", "[production]", "~"])
    func manifest(word: String) throws {
        let app = try app(word)
        let error = failure { try app.perform() }
        #expect(error?.code == .manifest)
        #expect(error?.message.contains("godwit.yaml:14:") == true, "\(error?.message ?? "")")
    }
}
