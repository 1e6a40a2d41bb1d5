import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport

/// A container that a seed decides: stores, duplicates, conflicts, dates in many spellings, legacy values, damage.
///
/// The test keeps what it made, so that it can work out what must become of it without the code under test.
struct GeneratedContainer {
    let app: TrainLog
    let manifest: TrainLogManifest
    private(set) var local: [SampleRecord]?
    private(set) var cloud: [SampleRecord]?
    private(set) var favorites: [String] = []
    private(set) var favoritesEncoding = Favorites.array
    private(set) var preferences: [String: Preference]?
    private(set) var allowsOrphans = false
    private(set) var allowsEmpty = false
    private(set) var account = Freshness.Account.unknown
    private var markers = 0
    private var shared: [SampleRecord] = []

    static let rules: [ConflictRule] = [.keepNewest, .keepEarliest, .keepCloud, .keepLocal]
    private static let noon: Int64 = 1_795_240_800_000

    /// - Parameter isSound: whether nothing is damaged or missing that a run needs.
    init(seed: UInt64, isSound: Bool = false) throws {
        var dice = Dice(seed: seed)
        var manifest = TrainLogManifest(mergesFavorites: dice.hits(oneIn: 3))
        for name in ReportTests.entities where dice.hits(oneIn: 2) { manifest.conflicts[name] = dice.pick(Self.rules) }
        self.manifest = manifest
        app = try TrainLog(manifest)
        let hasOrphans = !isSound && dice.hits(oneIn: 4)
        let kind = isSound ? 1 + dice.roll(3) : dice.roll(5)
        if kind != 0 { local = try makeStore(TrainLog.local, hasOrphans, &dice) }
        if kind > 1 { cloud = try makeStore(TrainLog.cloud, hasOrphans, &dice) }
        if !dice.hits(oneIn: 5) { try makePreferences(isSound, &dice) }
        allowsOrphans = dice.hits(oneIn: 2)
        allowsEmpty = dice.hits(oneIn: 5)
        account = dice.pick([.unknown, .available, .noAccount])
        if !isSound { try damage(&dice) }
    }

    /// The options of a run.
    func change(_ options: inout MigrationOptions) {
        options.allowsOrphans = allowsOrphans
        options.allowsEmpty = allowsEmpty
        options.account = account
    }

    // MARK: Stores

    private mutating func makeStore(
        _ store: String, _ hasOrphans: Bool, _ dice: inout Dice
    ) throws -> [SampleRecord] {
        let version = dice.hits(oneIn: 3) ? 1 : 2
        var records: [SampleRecord] = []
        let names = ReportTests.entities.prefix(version == 1 ? 2 : 4)
        for name in names where name == "Workout" || !dice.hits(oneIn: 5) {
            for _ in 0..<dice.roll(name == "UserSettings" ? 3 : 9) { records.append(record(name, &dice)) }
        }
        // The other store has some of the same records, and this one has some twice.
        records += shared.filter { names.contains($0.entity) && dice.hits(oneIn: 2) && $0.entity != "ExerciseSet" }
        for record in records where dice.hits(oneIn: 8) && record.entity != "ExerciseSet" { records.append(record) }
        if !hasOrphans { giveParents(&records, &dice) }
        shared = records
        try app.make(store, version: version)
        let sql = records.map(\.insertion).joined(separator: "\n")
        switch dice.roll(3) {
        case 0: try app.leaveInLog(store, sql)
        default: try app.write(store, sql)
        }
        return records
    }

    private mutating func record(_ entity: String, _ dice: inout Dice) -> SampleRecord {
        markers += 1
        let key = entity == "UserSettings" && dice.hits(oneIn: 2) ? "singleton" : "\(entity.prefix(1))-\(dice.roll(7))"
        // Few instants, so that ties occur; some texts that are no dates; some dates ahead of now.
        let date: Int64? = dice.hits(oneIn: 10) ? nil : Self.noon - Int64(dice.roll(12) - 1) * 3_600_500
        let isNullable = entity == "FavoriteExercise" || entity == "UserSettings"
        let text = date.map { SampleRecord.write($0, &dice) } ?? (isNullable && dice.hits(oneIn: 2) ? nil : "soon")
        return SampleRecord(
            entity: entity, key: key, marker: "marker \(markers) 'é'", date: date, dateText: text,
            parent: "W-\(dice.roll(9))")
    }

    /// Points every set at a workout of its own store, which a merge never removes.
    private func giveParents(_ records: inout [SampleRecord], _ dice: inout Dice) {
        let workouts = records.filter { $0.entity == "Workout" }.map(\.key)
        if workouts.isEmpty { records.removeAll { $0.entity == "ExerciseSet" } }
        for index in records.indices where records[index].entity == "ExerciseSet" {
            records[index].parent = dice.pick(workouts)
        }
    }

    // MARK: Legacy

    private mutating func makePreferences(_ isSound: Bool, _ dice: inout Dice) throws {
        let format = dice.pick(Preference.Format.allCases)
        var values: [String: Preference] = [:]
        if dice.hits(oneIn: 2) { values["weightUnit"] = .string(dice.pick(["kg", "lb", "pounds", "stone"])) }
        if dice.hits(oneIn: 2) { values["appTheme"] = .string("legacy theme") }
        if dice.hits(oneIn: 2) { values["restTimer"] = dice.pick([.integer(75), .array([])]) }
        if dice.hits(oneIn: 2) { values["soundOn"] = .bool(false) }
        if dice.hits(oneIn: 2) { values["hasSeenTutorial"] = .bool(true) }
        if dice.hits(oneIn: 2) { values["launchCount"] = .integer(dice.roll(500)) }
        if !isSound, dice.hits(oneIn: 12) { values["cloudMigrationDone"] = .bool(dice.hits(oneIn: 2)) }
        let encodings = Favorites.allCases.filter { $0.fits(format) }
        favoritesEncoding = dice.pick(encodings)
        if dice.hits(oneIn: 2) {
            favorites = ["F-1", "F-3", "F-9"].filter { _ in !dice.hits(oneIn: 3) }
            values["favoriteExercises"] = try favoritesEncoding.value(favorites)
        }
        preferences = values
        try app.writePreferences(values, as: format)
        if dice.hits(oneIn: 6) { try app.datePreferences(Instant.sampleNow.seconds + 999) }
    }

    /// One container in four is bad in some way.
    private func damage(_ dice: inout Dice) throws {
        let store = dice.pick([TrainLog.local, TrainLog.cloud])
        switch dice.roll(16) {
        case 0: try app.folder.write("no property list", to: TrainLog.preferences)
        case 1: try app.folder.write("no store", to: store)
        case 2 where app.folder.exists(store): try app.write(store, "ALTER TABLE Workout ADD COLUMN mood TEXT")
        case 3: try app.folder.write([], to: store)
        default: break
        }
    }
}
