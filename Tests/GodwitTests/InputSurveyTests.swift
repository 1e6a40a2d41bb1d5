import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Wrong paths and orphans are found before the first write, and a strict run writes nothing after a warning.
struct InputSurveyTests {
    private static let create = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT);
        CREATE TABLE Pin(noteId TEXT PRIMARY KEY);
        CREATE TABLE Options(id TEXT PRIMARY KEY, theme TEXT);
        """
    private static let entities = """
          Note: { key: id }
          Pin: { key: noteId, belongsTo: { noteId: Note } }
          Options: { key: id, singleton: one }
        """
    private static let legacy = """
          settings: [{ key: theme, into: Options.theme }]
          favorites: [{ key: pins, into: Pin.noteId }]
        """
    private static let notes = "INSERT INTO Note VALUES ('a', 'one'), ('b', 'two');"

    private func app(
        _ migrations: [String] = [create], preferences: [String: Any] = ["theme": "dark"]
    ) throws -> NoteApp {
        var app = try NoteApp(entities: Self.entities, migrations: migrations, preferences: preferences)
        app.legacy = Self.legacy
        return app
    }

    /// Both the plan and the run end with the error, and nothing is written.
    private func expectRefusal(
        _ app: NoteApp, _ code: GodwitError.Code, naming parts: [String],
        _ change: (inout MigrationOptions) -> Void = { _ in }
    ) throws {
        let before = try FolderFingerprint(app.folder["container"])
        for dryRun in [true, false] {
            let error = failure { try app.perform(dryRun: dryRun) { change(&$0) } }
            #expect(error?.code == code, "\(String(describing: error))")
            for part in parts { #expect(error?.message.contains(part) == true, "\(error?.message ?? "")") }
            #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
        }
    }

    // MARK: Another store

    @Test(
        "a missing local store is refused if another store has records of the app, wherever it is in the container",
        arguments: ["Library/Application Support/Nodes.store", "Documents/data.sqlite", "old.db"])
    func otherStore(_ name: String) throws {
        let app = try app()
        try app.folder.makeFolder("container/Documents")
        try app.write("container/" + name, Self.create + Self.notes)
        try expectRefusal(app, .noInput, naming: ["Notes.store", name, "2 records of `Note`"])
        #expect(try app.perform { $0.allowsEmpty = true }.outcome == .done)
    }

    @Test("a store of Core Data with entities of these names counts as well")
    func otherCoreData() throws {
        let app = try app()
        try app.write(
            "container/Library/Application Support/Old.store",
            """
            CREATE TABLE Z_PRIMARYKEY(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE ZNOTE(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZTITLE VARCHAR);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 1); INSERT INTO ZNOTE VALUES (1, 1, 'one');
            """)
        try expectRefusal(app, .noInput, naming: ["Old.store", "1 record of `Note`"])
    }

    @Test(
        "stores without such records, backups, and files that a rollback renamed do not count as other stores",
        arguments: [
            "Cache.db", "Empty.store", "Notes.store.before-rollback-20260101T000000Z", "backup/container/Notes.store",
            "Caches",
        ])
    func unrelated(_ kind: String) throws {
        let app = try app()
        let folder = "container/Library/Application Support/"
        switch kind {
        case "Cache.db": try app.write(folder + kind, "CREATE TABLE response(id); INSERT INTO response VALUES (1)")
        case "Empty.store": try app.write(folder + kind, Self.create)
        case "Caches":
            try app.folder.makeFolder("container/Library/Caches")
            try app.write("container/Library/Caches/Notes.store", Self.create + Self.notes)
        default:
            try app.folder.makeFolder(folder + "backup/container")
            if kind.hasPrefix("backup") {
                try app.folder.write(#"{"format" : "godwit-backup"}"#, to: folder + "backup/backup.json")
            }
            try app.write(folder + kind, Self.create + Self.notes)
        }
        let report = try app.perform()
        #expect(report.outcome == .done && report.warningCodes == ["localStoreMissing"], "\(report.warnings)")
    }

    // MARK: Another folder

    @Test("a folder without the files and their folders is not a container", arguments: ["", "Library"])
    func wrongFolder(_ inside: String) throws {
        let app = try app()
        try app.folder.makeFolder("elsewhere/Documents")
        for command in Command.allCases {
            let place = inside.isEmpty ? "elsewhere" : "container/Library"
            let error = failure {
                try Migration(
                    manifest: .load(path: app.folder["godwit.yaml"]), container: .path(app.folder[place])
                ).perform(command, dryRun: command != .verify)
            }
            if command == .run || command == .copy {
                #expect(error?.code == .noInput, "\(command): \(String(describing: error))")
            }
        }
    }

    @Test("missing preferences and a missing folder of the cloud store are warnings, each by its name")
    func missingFiles() throws {
        var app = try app()
        try app.write(NoteApp.local, Self.create + Self.notes)
        try app.folder.remove(NoteApp.preferences)
        #expect(try app.perform(dryRun: true).warningCodes == ["legacyMissing"])
        app.settings = ""
        let moved = app.manifest.replacingOccurrences(of: "Support/NotesCloud", with: "Suport/NotesCloud")
        try app.folder.write(moved, to: "godwit.yaml")
        for dryRun in [true, false] {
            let report = try Migration(
                manifest: .load(path: app.folder["godwit.yaml"]), container: .path(app.folder["container"])
            ).perform(.run, dryRun: dryRun)
            #expect(report.warningCodes == ["legacyMissing", "cloudFolderMissing"], "also after the run made it")
        }
    }

    @Test(
        "a file next to the preferences with mapped keys that the manifest does not name is a warning; others are not")
    func unnamedPreferences() throws {
        let app = try app()
        try app.write(NoteApp.local, Self.create + Self.notes)
        func write(_ list: [String: Any], to name: String) throws {
            let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            try app.folder.write(Array(bytes), to: "container/Library/Preferences/" + name)
        }
        try write(["AppleLanguages": ["en"], "moved": true], to: "com.example.other.plist")
        try app.folder.write("no list", to: "container/Library/Preferences/damaged.plist")
        #expect(try app.perform(dryRun: true).warningCodes == [])
        try write(["pins": ["b"], "theme": "light"], to: "com.example.suite.plist")
        let report = try app.perform()
        #expect(report.warningCodes == ["preferencesNotNamed"])
        #expect(report.warnings.first?.message.contains("com.example.suite.plist` has 2 keys") == true)
        #expect(try app.perform().warningCodes == [])
    }

    @Test("favorites without records name a local store that is missing, or one that is not named")
    func missingStore() throws {
        let app = try app(preferences: ["theme": "dark", "pins": ["a", "b"]])
        let missing = try #require(throws: GodwitError.self) { try app.perform(dryRun: true) }
        #expect(missing.message.contains("Notes.store` does not exist, and 2 `Pin` records refer"))
        #expect(missing.hint?.hasPrefix("If the app has a local store, put it back or correct `local:`") == true)
        try app.write(NoteApp.local, Self.create)
        let other = NoteApp.local + ".old"
        try app.write(other, Self.create + Self.notes)
        let unnamed = try #require(throws: GodwitError.self) { try app.perform(dryRun: true) }
        #expect(unnamed.message.contains("Notes.store.old` has 2 records, but the manifest does not name it, and 2"))
        #expect(unnamed.hint?.hasPrefix("If the app uses that store, correct `local:`") == true)
    }

    @Test("a wrong name of the preferences is replaced, not kept next to the right one")
    func wrongPreferences() throws {
        var app = try app(preferences: ["theme": "dark", "pins": ["a"]])
        try app.write(NoteApp.local, Self.create + Self.notes)
        let right = app.manifest
        let wrong = right.replacingOccurrences(of: "Library/Preferences/", with: "Library/Preferences/wrong.")
        func perform(_ manifest: String, dryRun: Bool = false) throws -> RunReport {
            try app.folder.write(manifest, to: "godwit.yaml")
            return try Migration(
                manifest: .load(path: app.folder["godwit.yaml"]), container: .path(app.folder["container"])
            ).perform(.run, dryRun: dryRun)
        }
        let plan = try perform(wrong, dryRun: true)
        let hint = try #require(plan.warnings.first { $0.code == "preferencesNotNamed" }?.hint)
        #expect(hint.contains("instead of Library/Preferences/wrong."))
        #expect(!plan.nextSteps.contains { $0.contains("To make these changes") } && !plan.nextSteps.isEmpty)
        _ = try perform(wrong)
        let corrected = try perform(right)
        let elsewhere = try #require(corrected.warnings.first { $0.code == "flagElsewhere" })
        #expect(elsewhere.message.contains("wrong.") && elsewhere.hint?.contains("set the flag there: ") == true)
        #expect(!(try perform(right).warnings.contains { $0.code == "flagElsewhere" }))
        app.settings = ""
    }

    @Test("a store with the receipt of the copy is named if `cloud:` is mistyped after it", .commandLineWords)
    func wrongCloud() throws {
        let app = try app()
        try app.write(NoteApp.local, Self.create + Self.notes)
        try app.perform()
        let moved = app.manifest.replacingOccurrences(of: "NotesCloud", with: "NotesClud")
        try app.folder.write(moved, to: "godwit.yaml")
        let migration = try Migration(
            manifest: .load(path: app.folder["godwit.yaml"]), container: .path(app.folder["container"]))
        for command in [Command.run, .copy, .verify] {
            let error = try #require(failure { try migration.perform(command, dryRun: command == .run) })
            #expect(error.code == .noInput && error.message.contains("NotesCloud.store` has the receipt"))
            for way in ["correct `cloud:`", "godwit reopen", "godwit run"] {
                #expect(error.hint?.contains(way) == true)
            }
        }
        let steps = try migration.status().nextSteps
        #expect(steps.count == 3 && steps.first?.contains("NotesCloud.store has the receipt") == true)
    }

    @Test("a reopen after a mistyped `cloud:` names the store that the first run made")
    func reopenBesideOtherCloud() throws {
        let app = try app()
        try app.write(NoteApp.local, Self.create + Self.notes)
        let mistyped = app.manifest.replacingOccurrences(of: "NotesCloud", with: "NotesClud")
        try app.folder.write(mistyped, to: "godwit.yaml")
        var options = MigrationOptions()
        options.now = .sampleNow
        let first = try Migration(
            manifest: .load(path: app.folder["godwit.yaml"]), container: .path(app.folder["container"]),
            options: options)
        _ = try first.perform(.run, dryRun: false)
        for dryRun in [true, false] {
            let report = try app.migration().reopen(dryRun: dryRun)
            let other = try #require(report.warnings.first { $0.code == "copiedElsewhere" })
            #expect(other.message.contains("NotesClud.store"))
            let reopened = try #require(report.warnings.first { $0.code == "copyReopened" })
            #expect(!reopened.message.contains("since the copy"))
        }
        #expect(try app.perform().outcome == .done)
        #expect(try !app.migration().reopen(dryRun: true).warningCodes.contains("copiedElsewhere"))
    }

    @Test(
        "a cloud store that is gone after the copy: the steps that are named copy the records again", .commandLineWords)
    func goneCloud() throws {
        let app = try app()
        try app.write(NoteApp.local, Self.create + Self.notes)
        try app.perform()
        try app.folder.remove(NoteApp.cloud)
        let steps = try app.migration().status().nextSteps + app.perform(dryRun: true).nextSteps
        #expect(steps.filter { $0.contains("godwit reopen") }.count == 2)
        _ = try app.migration().reopen(dryRun: false)
        #expect(try app.perform().outcome == .done)
    }

    // MARK: Strict

    @Test("a strict run with a warning stops after its plan, and says so; without one it is any other run")
    func strict() throws {
        let app = try app(preferences: ["them": "dark", "pins": ["a"]])
        try app.write(NoteApp.local, Self.create + Self.notes)
        let before = try FolderFingerprint(app.folder["container"])
        let stopped = try app.perform { $0.isStrict = true }
        #expect(stopped.stoppedBy == .strict && stopped.warningCodes == ["keyNotFound"])
        #expect(stopped.stopError?.code == .partial)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
        let other = try self.app()
        try other.write(NoteApp.local, Self.create + Self.notes)
        let report = try other.perform { $0.isStrict = true }
        #expect(report.stoppedBy == nil && report.outcome == .done && !report.run.dryRun)
        #expect(try other.perform { $0.isStrict = true }.outcome == .alreadyDone)
    }

    @Test("a strict run stops if a list that nothing maps fits a rule whose key no file has, until the import is made")
    func fittingList() throws {
        let app = try app(preferences: ["theme": "dark", "starred": ["a"]])
        try app.write(NoteApp.local, Self.create + Self.notes)
        let stopped = try app.perform { $0.isStrict = true }
        #expect(stopped.stoppedBy == .strict && stopped.warningCodes == ["keyNotFound"])
        #expect(try app.perform().warningCodes == ["keyNotFound"])
        #expect(try app.perform { $0.isStrict = true }.outcome == .alreadyDone)
    }

    @Test("a plan of a manifest that maps no key says how many keys stay behind, before it says how to run")
    func nothingMapped() throws {
        // The system writes the last one into the preferences of every app.
        var app = try app(preferences: ["theme": "dark", "pins": ["a"], "AppleLanguages": ["en"]])
        app.legacy = ""
        try app.write(NoteApp.local, Self.create + Self.notes)
        let steps = try app.perform(dryRun: true).nextSteps
        #expect(steps.count == 2 && steps[1].hasPrefix("To make these changes: "))
        #expect(
            steps[0].hasSuffix(
                "maps no key of the preferences: 2 keys stay behind. If the app needs them, map them under "
                    + "`legacy:` first."))
        #expect(try !app.perform().nextSteps.contains { $0.contains("stay behind") })
        app.legacy = Self.legacy
        #expect(try !app.perform(dryRun: true).nextSteps.contains { $0.contains("stay behind") })
    }

    @Test("favorites that an entity with records does not take are a warning")
    func notMerged() throws {
        let app = try app(preferences: ["theme": "dark", "pins": ["a", "b"]])
        try app.write(NoteApp.local, Self.create + Self.notes + "INSERT INTO Pin VALUES ('a')")
        let report = try app.perform(dryRun: true)
        #expect(report.warningCodes == ["favoritesNotMerged"])
        #expect(report.warnings.first?.message.hasPrefix("1 favorite of 'pins'") == true)
    }

    // MARK: Orphans

    private static let second = "CREATE TABLE Tag(id TEXT PRIMARY KEY);"

    @Test("a favorite without its record stops a run before any schema file is applied", arguments: [false, true])
    func favorite(_ hasCloud: Bool) throws {
        let app = try app([Self.create, Self.second], preferences: ["theme": "dark", "pins": ["a", "ghost"]])
        try app.write(NoteApp.local, Self.create + Self.notes)
        if hasCloud { try app.write(NoteApp.cloud, Self.create) }
        try expectRefusal(app, .data, naming: ["1 `Pin` record", "`noteId` of the record 'ghost'"])
        if hasCloud { try app.write(NoteApp.cloud, "INSERT INTO Note VALUES ('ghost', 'three')") }
        #expect(try app.perform { $0.allowsOrphans = !hasCloud }.outcome == .done)
    }

    @Test("an orphan of the local store stops a run before any schema file is applied")
    func orphan() throws {
        let app = try app([Self.create, Self.second])
        try app.write(NoteApp.local, Self.create + Self.notes + "INSERT INTO Pin VALUES ('ghost')")
        try expectRefusal(app, .data, naming: ["`Pin` record", "`noteId` of the record 'ghost'"])
    }

    @Test("a run accepts an orphan if a schema file inserts its parent")
    func corrected() throws {
        let app = try app([
            Self.create, "CREATE TABLE Tag(id TEXT PRIMARY KEY); INSERT INTO Note VALUES ('ghost', 'found')",
        ])
        try app.write(NoteApp.local, Self.create + Self.notes + "INSERT INTO Pin VALUES ('ghost')")
        #expect(try app.perform().outcome == .done)
        #expect(try app.column(NoteApp.cloud, "SELECT title FROM Note WHERE id = 'ghost'") == ["found"])
    }
}
