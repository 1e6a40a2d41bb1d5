import Godwit
import GodwitModel
import FoundationLite
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// What becomes of legacy values, seen from the stores: dates, precedence, receipts.
struct LegacyRuleTests {
    private static let written = "2026-11-20T21:14:03.000Z"
    private static let favorite = Preference.array([.string("bench-press")])

    private func settings(_ app: TrainLog, _ store: String = TrainLog.local) throws -> [String] {
        try app.rows(store, "SELECT id, weightUnitRaw, theme, updatedAt FROM UserSettings").map {
            $0.map(\.readable).joined(separator: " ")
        }
    }

    @Test("a record made only of defaults is dated 1970")
    func defaultsAlone() throws {
        let app = try TrainLog()
        try app.writePreferences(["favoriteExercises": Self.favorite])
        let report = try app.perform(.migrate)
        #expect(try settings(app) == ["singleton kg system 1970-01-01T00:00:00.000Z"])
        #expect(report.line("weightUnit")?.bucket == .defaulted)
        #expect(report.legacy?.buckets == ["migrated": 1, "defaulted": 4])
    }

    @Test("a value that is refused leaves the record to its defaults, dated 1970")
    func refusedValue() throws {
        let app = try TrainLog()
        try app.writePreferences(["weightUnit": .string("stone")])
        let report = try app.perform(.migrate)
        #expect(report.outcome == .partial)
        #expect(report.line("weightUnit")?.bucket == .conflict)
        #expect(try settings(app) == ["singleton kg system 1970-01-01T00:00:00.000Z"])
        #expect(try app.readPreferences() == ["weightUnit": .string("stone")])
    }

    @Test("one legacy value dates the whole record with the file")
    func fileDate() throws {
        let app = try TrainLog()
        try app.writePreferences(["weightUnit": .string("pounds")])
        try app.perform(.migrate)
        #expect(try settings(app) == ["singleton lb system \(Self.written)"])
    }

    @Test("nothing is dated later than now")
    func neverLater() throws {
        let app = try TrainLog()
        let future = Date(timeIntervalSince1970: Double(Instant.sampleNow.seconds + 86_400))
        try app.writePreferences([
            "appTheme": .string("dark"),
            "favoriteExercises": .dictionary(["plank": .date(future), "row": .bool(true)]),
        ])
        try app.datePreferences(Instant.sampleNow.seconds + 3600)
        try app.perform(.migrate)
        let now = "2026-11-21T06:00:00.000Z"
        #expect(try settings(app) == ["singleton kg dark \(now)"])
        #expect(try app.column(TrainLog.local, "SELECT createdAt FROM FavoriteExercise") == [now, now])
    }

    @Test("a favourite with its own date keeps it; one without has the file's")
    func favoriteDates() throws {
        let app = try TrainLog()
        let marked = Date(timeIntervalSince1970: 1_790_000_000)
        try app.writePreferences([
            "favoriteExercises": .dictionary(["a": .date(marked), "b": .bool(true), "c": .bool(false)])
        ])
        let report = try app.perform(.migrate)
        let rows = try app.rows(TrainLog.local, "SELECT exerciseId, createdAt FROM FavoriteExercise ORDER BY 1")
        #expect(rows.map { $0.map(\.readable) } == [["a", "2026-09-21T14:13:20.000Z"], ["b", Self.written]])
        #expect(report.line("favoriteExercises")?.items == ["migrated": 2, "notFavorite": 1])
    }

    @Test("settings go only into an empty singleton")
    func settingsPresent() throws {
        let app = try TrainLog()
        try app.make(
            TrainLog.local, "INSERT INTO UserSettings(id, theme, updatedAt) VALUES ('x', 'light', '2020-01-01')")
        try app.writePreferences(["appTheme": .string("dark")])
        let report = try app.perform(.migrate)
        #expect(report.line("appTheme")?.bucket == .alreadyPresent)
        #expect(try settings(app) == ["x NULL light 2020-01-01"])
        #expect(try app.count(TrainLog.local, "SELECT count(*) FROM godwit_receipt WHERE stage = 'legacy'") == 1)
    }

    @Test("a value for a column that the record of the app leaves empty is in conflict, and a strict run stops")
    func emptyColumn() throws {
        let app = try TrainLog()
        try app.make(
            TrainLog.local, "INSERT INTO UserSettings(id, theme, updatedAt) VALUES ('x', 'light', '2020-01-01')")
        try app.writePreferences(["appTheme": .string("dark"), "weightUnit": .string("lb")])
        #expect(try app.perform(options: { $0.isStrict = true }).stoppedBy == .strict)
        let report = try app.perform(.migrate)
        #expect(report.line("appTheme")?.bucket == .alreadyPresent)
        #expect(report.line("weightUnit")?.bucket == .conflict && report.outcome == .partial)
        #expect(try settings(app) == ["x NULL light 2020-01-01"])
    }

    @Test("favourites go into an empty entity, or are added where the manifest says so", arguments: [false, true])
    func favoritesPresent(merging: Bool) throws {
        let app = try TrainLog(TrainLogManifest(mergesFavorites: merging))
        try app.make(TrainLog.local, "INSERT INTO FavoriteExercise VALUES ('row', 'mine', '2020-01-01')")
        try app.writePreferences(["favoriteExercises": .array([.string("row"), .string("plank")])])
        let report = try app.perform(.migrate)
        let keys = try app.column(TrainLog.local, "SELECT exerciseId FROM FavoriteExercise ORDER BY 1")
        #expect(keys == (merging ? ["plank", "row"] : ["row"]))
        #expect(report.line("favoriteExercises")?.bucket == (merging ? .migrated : .alreadyPresent))
        #expect(
            try app.column(TrainLog.local, "SELECT note FROM FavoriteExercise WHERE exerciseId = 'row'") == ["mine"])
    }

    @Test("of several preference files the first that has a key wins; the flag goes into the first")
    func precedence() throws {
        let (group, standard) = ("Library/Preferences/group.plist", "Library/Preferences/app.plist")
        let app = try TrainLog(TrainLogManifest(preferences: [group, standard, "Library/Preferences/old.json"]))
        try app.writePreferences(["appTheme": .string("dark")], to: "container/" + group)
        try app.writePreferences(
            ["appTheme": .string("light"), "weightUnit": .string("lb")], as: .xml, to: "container/" + standard)
        let other = try app.folder.bytes(of: "container/" + standard)
        let report = try app.perform()
        #expect(try settings(app, TrainLog.cloud) == ["singleton lb dark \(Self.written)"])
        #expect(report.line("appTheme")?.source == group)
        #expect(report.line("appTheme")?.note?.contains(standard) == true)
        #expect(report.line("weightUnit")?.source == standard)
        #expect(report.legacy?.sources.map(\.path) == [group, standard, "Library/Preferences/old.json"])
        #expect(try app.readPreferences("container/" + group)["cloudMigrationDone"] == .bool(true))
        #expect(try app.folder.bytes(of: "container/" + standard) == other)
        #expect(!app.folder.exists("container/Library/Preferences/old.json"))
    }

    @Test(
        "a missing file, an empty one and one with nothing mapped write no receipt",
        arguments: [
            nil, [:], ["launchCount": Preference.integer(3), "hasSeenTutorial": .bool(true)],
        ])
    func noReceipt(_ values: [String: Preference]?) throws {
        let app = try TrainLog()
        try app.make(TrainLog.local, "INSERT INTO Workout VALUES ('w', 't', NULL, 's', NULL, 'c', '2026-01-01')")
        if let values { try app.writePreferences(values) }
        let report = try app.perform(.migrate)
        #expect(report.legacy?.outcome == .nothingToDo)
        #expect(report.warningCodes.contains(values == nil ? "legacyMissing" : "legacyEmpty"))
        #expect(try app.count(TrainLog.local, of: "godwit_receipt") == 0)
        #expect(try app.count(TrainLog.local, of: "UserSettings") == 0)
        // When the file turns up later, it is still imported.
        try app.writePreferences(["appTheme": .string("dark")])
        #expect(try app.perform(.migrate).legacy?.outcome == .done)
    }

    @Test("with --allow-empty the import counts as done, and a key that turns up later is late")
    func allowEmpty() throws {
        let app = try TrainLog()
        try app.make(TrainLog.local)
        try app.perform(.migrate) { $0.allowsEmpty = true }
        #expect(try app.column(TrainLog.local, "SELECT stage FROM godwit_receipt") == ["legacy"])
        try app.writePreferences(["appTheme": .string("dark")])
        #expect(try app.perform(.migrate).legacy?.ledger.map(\.bucket).contains(.migrated) == true)
        #expect(try app.perform(.migrate).legacy?.outcome == .alreadyDone)
    }

    @Test("a fresh install's defaults do not overwrite good values in the cloud")
    func freshInstall() throws {
        let app = try TrainLog()
        try app.writePreferences(["favoriteExercises": Self.favorite])
        try app.make(
            TrainLog.cloud,
            "INSERT INTO UserSettings VALUES ('singleton', 'lb', 'dark', 150, 0, '2024-01-01', '2024-01-01T00:00:00Z')")
        let report = try app.perform()
        #expect(report.copied("UserSettings")?.cloudKept == 1)
        #expect(try settings(app, TrainLog.cloud) == ["singleton lb dark 2024-01-01T00:00:00Z"])
    }

    @Test("the receipt travels: with only the cloud store, nothing is imported again")
    func receiptTravels() throws {
        let app = try TrainLog(.container)
        try app.perform()
        for name in [TrainLog.local] { try app.folder.remove(name) }
        try app.write(TrainLog.cloud, "DELETE FROM FavoriteExercise; DELETE FROM UserSettings")
        let report = try app.perform()
        #expect(report.legacy?.outcome == .alreadyDone)
        #expect(try app.count(TrainLog.cloud, of: "FavoriteExercise") == 0)
        #expect(!app.folder.exists(TrainLog.local))
    }

    @Test(
        "each favourites encoding leads to the same records", arguments: Favorites.allCases, Preference.Format.allCases)
    func encodings(_ favorites: Favorites, _ format: Preference.Format) throws {
        let app = try TrainLog()
        let value = try favorites.value(["bench-press", "plank", "腕立て"])
        try app.writePreferences(["favoriteExercises": value, "launchCount": .integer(1)], as: format)
        guard favorites.fits(format) else { return }
        let report = try app.perform(.migrate)
        #expect(
            report.line("favoriteExercises")?.bucket == (favorites == .dates && format == .json ? .coerced : .migrated))
        let keys = try app.column(TrainLog.local, "SELECT exerciseId FROM FavoriteExercise ORDER BY 1")
        #expect(keys == ["bench-press", "plank", "腕立て"])
        #expect(report.legacy?.buckets.values.reduce(0, +) == report.legacy?.ledger.count)
    }
}
