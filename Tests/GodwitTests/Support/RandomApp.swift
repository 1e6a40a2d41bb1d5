import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport

/// An app that a seed decides: its schema, from a small family, its stores, its legacy values, and what happened before.
struct RandomApp {
    private(set) var app: NoteApp
    private(set) var dice: Dice
    /// The parts of the family that this app has.
    let schema: RandomSchema
    private var allowsOrphans = false
    private var allowsEmpty = false
    private var account = Freshness.Account.unknown

    init(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        schema = RandomSchema(&dice)
        app = try NoteApp(entities: schema.entities, migrations: schema.migrations)
        app.legacy = schema.legacy
        self.dice = dice
        allowsOrphans = self.dice.hits(oneIn: 2)
        allowsEmpty = self.dice.hits(oneIn: 6)
        account = self.dice.pick([.unknown, .available, .noAccount, .restricted])
        if !self.dice.hits(oneIn: 8) { try makeStore(NoteApp.local) }
        if !self.dice.hits(oneIn: 2) { try makeStore(NoteApp.cloud) }
        try makePreferences()
        try live()
        try leaveAsApp()
    }

    /// The options of a run.
    func change(_ options: inout MigrationOptions) {
        options.allowsOrphans = allowsOrphans
        options.allowsEmpty = allowsEmpty
        options.account = account
    }

    // MARK: Stores

    private mutating func makeStore(_ store: String) throws {
        let version = 1 + dice.roll(schema.migrations.count)
        var sql = schema.migrations[..<version].joined(separator: "\n")
        let tables = schema.tables(at: version)
        for table in tables where !dice.hits(oneIn: 6) { sql += insertions(into: table, 1 + dice.roll(12)) }
        if dice.hits(oneIn: 40) { sql += "ALTER TABLE Item ADD COLUMN mood TEXT;" }
        if dice.hits(oneIn: 40) { sql += "CREATE TABLE Extra(x); INSERT INTO Extra VALUES (1);" }
        let journal = dice.pick(["DELETE", "WAL", "TRUNCATE", "PERSIST"])
        try SampleStore.make(app.folder[store], journal: journal, sql)
    }

    private mutating func insertions(into table: RandomSchema.Table, _ count: Int) -> String {
        var sql = ""
        var rows: [String] = []
        for _ in 0..<count {
            let values = table.columns.map { literal(for: $0) }
            // Some records are there twice, equal or not.
            rows.append(dice.hits(oneIn: 6) ? rows.last ?? "" : "(\(values.joined(separator: ", ")))")
            if let row = rows.last, !row.isEmpty {
                sql +=
                    "INSERT OR IGNORE INTO \(table.name)(\(table.columns.map(\.name).joined(separator: ", "))) VALUES \(row);"
            }
        }
        return sql
    }

    private mutating func literal(for column: RandomSchema.Column) -> String {
        switch column.kind {
        case .key(let isInteger):
            if dice.hits(oneIn: 400) { return "NULL" }
            return isInteger
                ? "\(dice.roll(9) + 1)"
                : "'\(dice.pick(["a", "b", "c", "é", "e\u{301}", "A", "z 9", "k'k"].map { $0.split(separator: "'").joined(separator: "''") }))'"
        case .reference(let isInteger):
            return isInteger ? "\(dice.roll(10) + 1)" : "'\(dice.pick(["a", "b", "c", "A"]))'"
        case .date(let encoding): return date(encoding)
        case .text: return dice.pick(["NULL", "''", "'x'", "'日本 🏋️'", "'two\nlines'", "CAST(x'FF41' AS TEXT)"])
        case .number: return dice.pick(["NULL", "0", "-1", "1.5", "9007199254740993", "-0.0", "1e300"])
        case .blob: return dice.pick(["NULL", "x''", "x'00FF'", "zeroblob(300)"])
        }
    }

    /// Few instants, so that ties occur; some values that are no dates; some dates ahead of the clock.
    private mutating func date(_ encoding: InstantEncoding?) -> String {
        if dice.hits(oneIn: 12) { return dice.pick(["NULL", "'soon'", "''"]) }
        let seconds = Instant.sampleNow.seconds - Int64(dice.roll(6) - 1) * 3600
        switch encoding {
        case .unixSeconds: return dice.hits(oneIn: 2) ? "\(seconds)" : "\(seconds).0"
        case .unixMilliseconds: return "\(seconds * 1000)"
        case .coreData: return "\(seconds - 978_307_200)"
        case .iso8601, nil:
            let text = Instant(seconds: seconds).iso8601
            return dice.hits(oneIn: 3) ? "'\(text.dropLast(5))+00:00'" : "'\(text)'"
        }
    }

    // MARK: Legacy

    private mutating func makePreferences() throws {
        guard !dice.hits(oneIn: 6) else { return try app.folder.remove(NoteApp.preferences) }
        let format = dice.pick(Preference.Format.allCases)
        var values: [String: Preference] = ["launchCount": .integer(dice.roll(90))]
        if dice.hits(oneIn: 2) {
            values["unit"] = dice.pick([.string("kg"), .string("pounds"), .string("stone"), .bool(true)])
        }
        if dice.hits(oneIn: 2) { values["rest"] = dice.pick([.integer(75), .string("80"), .real(1.5), .array([])]) }
        if dice.hits(oneIn: 3) { values["seen"] = .bool(true) }
        if dice.hits(oneIn: 15) { values["moved"] = dice.pick([.bool(true), .bool(false), .string("yes")]) }
        if dice.hits(oneIn: 2) {
            let encoding = dice.pick(Favorites.allCases.filter { $0.fits(format) })
            values["favorites"] = try encoding.value(["a", "b", "c", "zz"].filter { _ in dice.hits(oneIn: 2) })
        }
        var bytes = try Preference.write(values, as: format)
        if dice.hits(oneIn: 25) { bytes.removeLast(bytes.count / 2) }
        if dice.hits(oneIn: 60) { bytes = [] }
        try app.folder.write(bytes, to: NoteApp.preferences)
        let written = Instant.sampleNow.seconds - 9000 + (dice.hits(oneIn: 8) ? 20_000 : 0)
        try app.folder.setModified(seconds: written, of: NoteApp.preferences)
    }

    // MARK: What happened before

    /// An earlier run, whole or stopped, or one of its stages.
    private mutating func live() throws {
        let command: Command? = dice.pick([nil, nil, nil, .run, .run, .run, .migrate, .dedupe, .copy])
        guard let command else { return }
        let points = FaultPoint.allCases + [.beforeFlag, .afterCopyCommit, .beforeFlag, .afterCopyCommit, .beforeFlag]
        let point = dice.hits(oneIn: 2) ? dice.pick(points) : nil
        let fault = point.map(Fault.init(at:))
        _ = failure {
            try app.migration(change).perform(
                command, dryRun: false, faultPoint: { point throws(GodwitError) in try fault?.meet(point) })
        }
    }

    /// The app goes on, and may be killed in the middle of what it does.
    private mutating func leaveAsApp() throws {
        for store in [NoteApp.local, NoteApp.cloud] where app.folder.exists(store) && dice.hits(oneIn: 3) {
            let sql = insertions(into: schema.tables(at: 1)[0], 1 + dice.roll(3))
            switch dice.roll(3) {
            case 0: try? app.write(store, sql)
            case 1: try? leave(store, journal: "WAL", sql)
            default: try? leave(store, journal: "DELETE", "BEGIN; UPDATE Item SET title = hex(zeroblob(3000)); " + sql)
            }
        }
    }

    /// Leaves a store as an app does that is killed: with its log, or with a journal of half a transaction.
    private func leave(_ store: String, journal: String, _ sql: String) throws {
        try app.folder.makeFolder("app")
        try app.folder.copyStore(store, to: "app/in-use")
        let opened = try SampleStore(app.folder["app/in-use"], journal: journal, encoding: nil, cachePages: 1)
        try opened.execute(sql)
        for suffix in ["", "-wal", "-journal"] where app.folder.exists(store + suffix) {
            try app.folder.remove(store + suffix)
        }
        try app.folder.copyStore("app/in-use", to: store)
        if journal == "DELETE" { try opened.execute("ROLLBACK") }
        try opened.close()
    }
}
