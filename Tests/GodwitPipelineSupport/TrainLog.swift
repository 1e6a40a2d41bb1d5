package import Godwit
package import GodwitModel
internal import FoundationLite
package import GodwitTestSupport

/// The containers of `SampleData/trainlog`.
package enum Scenario: String, CaseIterable, Sendable {
    case container
    case twoDevices = "scenarios/two-devices/container"
    case interrupted = "scenarios/interrupted/container"
    case empty = "scenarios/empty/container"
}

/// TrainLog on a device: a container in a temporary folder, its manifest, and a pipeline for both.
package final class TrainLog: Sendable {
    package static let preferences = "container/Library/Preferences/com.example.trainlog.plist"
    package static let local = "container/Library/Application Support/TrainLog.store"
    package static let cloud = "container/Library/Application Support/TrainLogCloud.store"
    package static let syncEvents = "container/Library/Application Support/sync-events.jsonl"
    /// The default modification time of the preferences: 2026-11-20T21:14:03Z.
    package static let preferencesWritten: Int64 = 1_795_209_243

    package let folder: TemporaryFolder
    package let manifest: Manifest

    /// A container without any file.
    package init(_ manifest: TrainLogManifest = .init()) throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("container/Library/Preferences")
        try folder.makeFolder("container/Library/Application Support")
        self.manifest = try .load(path: folder.write(manifest.text, to: "godwit.yaml"))
    }

    /// A copy of a sample container, with the sample's manifest.
    package init(_ scenario: Scenario) throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("container/Library/Preferences")
        try folder.makeFolder("container/Library/Application Support")
        manifest = try .load(path: Repository.path("SampleData/trainlog/godwit.yaml"))
        for name in [Self.preferences, Self.local, Self.cloud] {
            let source = Repository.path("SampleData/trainlog/\(scenario.rawValue)\(name.dropFirst("container".count))")
            guard FileManager.default.fileExists(atPath: source) else { continue }
            try folder.write(Array(Data(contentsOf: URL(filePath: source))), to: name)
        }
        if folder.exists(Self.preferences) { try datePreferences() }
    }

    package var container: String { folder["container"] }

    package func datePreferences(_ seconds: Int64 = preferencesWritten) throws {
        try folder.setModified(seconds: seconds, of: Self.preferences)
    }

    // MARK: Running

    /// A pipeline with a fixed clock that waits for no lock.
    package func migration(
        preferences: Preferences = .files, cloud: CloudStore = .file,
        _ change: (inout MigrationOptions) -> Void = { _ in }
    ) throws -> Migration {
        var options = MigrationOptions()
        options.now = .sampleNow
        options.lockTimeoutMilliseconds = 0
        change(&options)
        return try Migration(
            manifest: manifest, container: .path(container), preferences: preferences, cloud: cloud,
            options: options)
    }

    /// Runs a command for real, or as a dry run.
    @discardableResult
    package func perform(
        _ command: Command = .run, dryRun: Bool = false, cancellation: Cancellation = Cancellation(),
        options change: (inout MigrationOptions) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws -> RunReport {
        try migration(change).perform(command, dryRun: dryRun, cancellation: cancellation, faultPoint: faultPoint)
    }

    // MARK: Looking

    /// Everything in the container: bytes, sizes, times and identities.
    package func fingerprint() throws -> FolderFingerprint { try FolderFingerprint(container) }

    /// The preferences, read by Foundation.
    package func readPreferences(_ name: String = preferences) throws -> [String: Preference] {
        try Preference.read(folder.bytes(of: name))
    }

    /// Whether the app would read the flag as set.
    package func isFlagSet() throws -> Bool {
        guard folder.exists(Self.preferences) else { return false }
        return try readPreferences()["cloudMigrationDone"] == .bool(true)
    }

    /// Rows of a store, read from a copy; empty if the store is missing.
    package func rows(_ store: String, _ sql: String) throws -> [[Value]] {
        guard folder.exists(store) else { return [] }
        let copy = try StoreCopy(of: folder[store])
        return try copy.store.rows(sql)
    }

    /// The first column of a query, as text.
    package func column(_ store: String, _ sql: String) throws -> [String] {
        try rows(store, sql).map { $0[0].readable }
    }

    /// The number that a query returns; 0 if the store is missing.
    package func count(_ store: String, _ sql: String) throws -> Int {
        guard case .integer(let number)? = try rows(store, sql).first?.first else { return 0 }
        return Int(number)
    }

    /// The number of rows of a table.
    package func count(_ store: String, of table: String) throws -> Int {
        let isThere = try count(store, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(table)'")
        return isThere == 0 ? 0 : try count(store, "SELECT count(*) FROM \"\(table)\"")
    }

    /// Both stores, for a comparison of two runs.
    package func contents() throws -> [String: StoreContents] {
        var contents: [String: StoreContents] = [:]
        for store in [Self.local, Self.cloud] where folder.exists(store) {
            contents[store] = try StoreContents(StoreCopy(of: folder[store]).store)
        }
        return contents
    }

    /// Files that must not exist while no process is at work.
    package func leftovers() throws -> [String] {
        try fingerprint().names.filter { $0.contains(".godwit-tmp-") || $0.hasSuffix("-journal") }
    }

    // MARK: Making

    /// Makes a store of a schema version, and runs some SQL in it.
    package func make(_ store: String, version: Int = 2, _ sql: String = "") throws {
        try SampleStore.make(folder[store], try Repository.schema(version: version) + "\n" + sql)
    }

    /// Writes into an existing store as the app.
    package func write(_ store: String, _ sql: String) throws {
        let opened = try SampleStore(folder[store])
        try opened.execute(sql)
        try opened.close()
    }

    /// Sets a store to WAL mode, with some rows only in its log, as an app that was killed leaves it.
    package func leaveInLog(_ store: String, _ sql: String) throws {
        try folder.makeFolder("app")
        try folder.copyStore(store, to: "app/in-use")
        let opened = try SampleStore(folder["app/in-use"], journal: "WAL")
        try opened.execute(sql)
        try folder.copyStore("app/in-use", to: store)
        try opened.close()
    }

    /// Writes the preferences file as the app would.
    package func writePreferences(
        _ values: [String: Preference], as format: Preference.Format = .binary, to name: String = preferences
    ) throws {
        try folder.write(Preference.write(values, as: format), to: name)
        try folder.setModified(seconds: Self.preferencesWritten, of: name)
    }
}
