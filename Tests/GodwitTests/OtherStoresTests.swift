import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Stores of the container that the manifest does not name.
struct OtherStoresTests {
    private static let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT);"
    private static let notes = "INSERT INTO Note VALUES ('a', 'one'), ('b', 'two');"
    private static let support = "container/Library/Application Support/"

    private func app(_ settings: String = "") throws -> NoteApp {
        var app = try NoteApp(entities: "  Note: { key: id }", migrations: [Self.create])
        app.settings = settings
        try app.write(NoteApp.local, Self.create + Self.notes)
        return app
    }

    @Test("a store with records of the app, in any folder, gives a warning before the copy, and none after it")
    func recordsOfApp() throws {
        let app = try app()
        try app.folder.makeFolder("container/Documents/old")
        let more = "INSERT INTO Note VALUES ('c', '')"
        try app.write("container/Documents/old/All.store", Self.create + Self.notes + more)
        for report in [try app.perform(dryRun: true), try app.perform()] {
            #expect(report.warningCodes == ["storeNotNamed"])
            let warning = try #require(report.warnings.first)
            #expect(warning.message.contains("`Documents/old/All.store` has 3 records of `Note`"))
            #expect(warning.hint?.contains("correct `local:`") == true)
        }
        #expect(try app.perform().warningCodes == [])
    }

    @Test("a store with records in other tables is a warning with their number")
    func otherTables() throws {
        let app = try app()
        try app.write(
            Self.support + "Diary.sqlite",
            """
            CREATE TABLE Page(x); CREATE TABLE Tag(x); CREATE TABLE Empty(x); CREATE TABLE android_metadata(locale);
            INSERT INTO Page VALUES (1); INSERT INTO Tag VALUES (1); INSERT INTO android_metadata VALUES ('en');
            """)
        let report = try app.perform()
        #expect(report.warningCodes == ["storeNotNamed"])
        #expect(report.warnings.first?.message.contains("Diary.sqlite` has records in 2 tables") == true)
    }

    @Test("the container of another app is refused, with nothing written, unless `ignore` names its store")
    func otherApp() throws {
        var app = try NoteApp(entities: "  Note: { key: id }", migrations: [Self.create])
        try app.folder.remove(NoteApp.preferences)
        try app.write(Self.support + "Diary.sqlite", "CREATE TABLE Page(x); INSERT INTO Page VALUES (1);")
        let before = try FolderFingerprint(app.folder["container"])
        for dryRun in [true, false] {
            let error = try #require(failure { try app.perform(dryRun: dryRun) })
            #expect(error.code == .noInput && error.message.contains("`Library/Application Support/Diary.sqlite`"))
        }
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
        app.settings = "ignore: { stores: ['*'] }"
        #expect(try app.perform().outcome == .nothingToDo)
    }

    @Test("a strict run stops at such a store, and goes on if `ignore` names it", arguments: ["*/Old*", "*"])
    func strict(_ pattern: String) throws {
        var app = try app()
        try app.write(Self.support + "Old.store", Self.create + Self.notes)
        let before = try FolderFingerprint(app.folder["container"])
        #expect(try app.perform { $0.isStrict = true }.stoppedBy == .strict)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
        app.settings = "ignore: { stores: ['\(pattern)'] }"
        let report = try app.perform { $0.isStrict = true }
        #expect(report.stoppedBy == nil && report.outcome == .done)
    }

    @Test(
        "stores of the system, stores of Godwit, and stores without records give no warning",
        arguments: [
            ("Feeds/Cache.db", notes), ("com.apple.metrics/data.sqlite", notes), ("Empty.store", ""),
            ("Notes.store.before-rollback-20260101T000000Z", notes), (".godwit-tmp-0A1B2C3D", notes),
            ("Locale.db", "CREATE TABLE android_metadata(locale); INSERT INTO android_metadata VALUES ('en');"),
            (
                "Core.sqlite",
                """
                CREATE TABLE Z_PRIMARYKEY(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                CREATE TABLE Z_METADATA(Z_VERSION INTEGER); INSERT INTO Z_METADATA VALUES (1);
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Page', 0, 0);
                """
            ),
        ])
    func unrelated(_ store: (name: String, sql: String)) throws {
        let app = try app()
        for folder in ["Feeds", "com.apple.metrics"] { try app.folder.makeFolder(Self.support + folder) }
        try app.write(Self.support + store.name, Self.create + store.sql)
        #expect(try app.perform(dryRun: true).warningCodes == [])
    }

    @Test("of many stores the first three are named, and the others counted")
    func many() throws {
        let app = try app()
        for number in 1...5 {
            try app.write(Self.support + "Page\(number).db", "CREATE TABLE P(x); INSERT INTO P VALUES (1)")
        }
        let warnings = try app.perform().warnings
        #expect(warnings.count == 4)
        #expect(warnings.last?.message.hasPrefix("2 more stores have records (") == true)
        #expect(warnings.last?.message.contains("Page4.db`, `") == true)
    }

    @Test("a local store that is a link to a file with another name does not count as another store")
    func linked() throws {
        let app = try app()
        try app.folder.makeFolder("container/Documents")
        try app.folder.copy(NoteApp.local, to: "container/Documents/Real.db")
        try app.folder.remove(NoteApp.local)
        try app.folder.makeLink(NoteApp.local, to: "../../Documents/Real.db")
        for dryRun in [true, false] { #expect(try app.perform(dryRun: dryRun).warningCodes == []) }
    }
}
