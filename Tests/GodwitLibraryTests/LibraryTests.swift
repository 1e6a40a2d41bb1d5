import Foundation
import Godwit
import Testing

/// The public API, as an app sees it: this target has no package access.
struct LibraryTests {
    let folder: URL
    private static let sample = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../SampleData/trainlog").standardizedFileURL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "godwit-library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Self.sample.appending(path: "container"), to: folder.appending(path: "container"))
    }

    private func migration(_ options: MigrationOptions = .init()) throws -> Migration {
        var options = options
        options.now = Instant(iso8601: "2026-11-21T08:00:00Z")
        return try Migration(
            manifest: .init(contentsOf: Self.sample.appending(path: "godwit.yaml")),
            container: .directory(folder.appending(path: "container")), options: options)
    }

    /// Compiled only: a test has no sandbox.
    private func launch(_ manifest: URL, _ show: (Double) async -> Void) async throws -> URL? {
        let migration = try Migration(
            manifest: .init(contentsOf: manifest), container: .app(groups: ["group.com.example.trainlog"]))
        if try await migration.isPending() {
            let report = try await migration.run { await show($0.fraction) }
            print(report.summary)
        }
        return try await migration.activeStore().url
    }

    @MainActor
    @Test("an app migrates at launch, and opens the cloud store")
    func atLaunch() async throws {
        let migration = try migration()
        #expect(try await migration.isPending())
        #expect(try await migration.activeStore().role == .local)
        var fractions: [Double] = []
        let report = try await migration.run { fractions.append($0.fraction) }
        #expect(report.outcome == .done && report.copy?.flag?.isSet == true)
        #expect(report.summary == "40 Workout, 600 ExerciseSet, 5 FavoriteExercise, 1 UserSettings")
        #expect(try await !migration.isPending())
        let store = try await migration.activeStore()
        #expect(store.role == .cloud && store.url?.lastPathComponent == "TrainLogCloud.store")
        #expect(try await migration.run().outcome == .alreadyDone)
        #expect(try await migration.verify().verify?.outcome == .done)
        #expect(try await migration.history().map(\.command) == ["run"])
        #expect(try await migration.status().copy == .done)
    }

    @Test("an app without preferences has nothing pending after its run")
    func withoutPreferences() async throws {
        let sample = try String(contentsOf: Self.sample.appending(path: "godwit.yaml"), encoding: .utf8)
        let lines = sample.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex { $0.hasPrefix("legacy:") })
        let end = lines[(begin + 1)...].firstIndex { $0.first?.isLetter == true } ?? lines.endIndex
        let schema = Self.sample.appending(path: "../../Migrations/trainlog").standardizedFileURL.path
        let text = (lines[..<begin] + lines[end...]).joined(separator: "\n")
            .replacing("../../Migrations/trainlog", with: schema)
        let manifest = folder.appending(path: "godwit.yaml")
        try Data(text.utf8).write(to: manifest)
        let migration = try Migration(
            manifest: .init(contentsOf: manifest), container: .directory(folder.appending(path: "container")))
        #expect(try await migration.isPending())
        #expect(try await migration.run().copy?.flag?.isSet == true)
        #expect(try await !migration.isPending())
    }

    @Test("a plan in a unit test counts what would come along, and changes nothing")
    func plan() async throws {
        let plan = try await migration().plan()
        #expect(plan.copy?["Workout"]?.inserted == 40 && plan.legacy?.count(.conflict) == 0 && plan.warnings.isEmpty)
        #expect(try await migration().isPending())
    }

    @Test("an export says how stale it may be, and is restored into a new store")
    func export() async throws {
        let migration = try migration()
        _ = try await migration.run()
        let file = folder.appending(path: "export.json.gz")
        let made = try await migration.export(to: file, .init(gzip: true, minRecords: 1)) { _ in }
        #expect(made.counts["Workout"] == 40 && made.freshness.status == .pass)
        let restored = try await migration.restore(from: file, to: folder.appending(path: "new.store"))
        #expect(restored.counts == made.counts)
        let error = await #expect(throws: GodwitError.self) {
            _ = try await migration.export(to: file, .init(minRecords: 10_000, replacesExisting: true))
        }
        #expect(error?.code == .data)
    }

    @Test("a backup is rolled back, and the copy is made again")
    func rollback() async throws {
        var options = MigrationOptions()
        options.backupFolder = folder.appending(path: "backups")
        options.lockTimeout = .seconds(5)
        let migration = try migration(options)
        let backup = try #require(try await migration.run().backup)
        let back = try await migration.rollback(to: URL(filePath: backup.folder))
        #expect(back.rollback?.outcome == .done)
        #expect(try await migration.isPending())
        #expect(try await migration.run().outcome == .done)
        #expect(try await migration.reopen(isDryRun: true).reopen?.outcome == .done)
    }

    @Test("an error says what is wrong, where, and what to do")
    func error() throws {
        let missing = folder.appending(path: "nothing.yaml")
        let error = #expect(throws: GodwitError.self) { _ = try Manifest(contentsOf: missing) }
        #expect(error?.code == .noInput && error?.stage == .manifest && error?.hint != nil)
    }
}
