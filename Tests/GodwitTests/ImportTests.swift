import Godwit
import GodwitFiles
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Exports as the pipeline restores them, with TrainLog's own schema files.
struct ImportTests {
    private static let forms = [
        ExportOptions(), ExportOptions(lines: true), ExportOptions(gzip: true),
        ExportOptions(lines: true, gzip: true, level: 9),
    ]

    private func exported(_ scenario: Scenario, _ options: ExportOptions = .init()) throws -> TrainLog {
        let app = try TrainLog(scenario)
        _ = try app.migration().exportAndKeep(to: app.folder["e.json"], options: options)
        return app
    }

    @discardableResult
    private func restore(
        _ app: TrainLog, to name: String = "new.store", isDryRun: Bool = false,
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws -> RestoreReport {
        try app.migration().restore(
            from: app.folder["e.json"], to: app.folder[name], isDryRun: isDryRun,
            faultPoint: faultPoint)
    }

    @Test("a sample comes back in every form, with its history and its run", arguments: forms.indices)
    func restored(form: Int) throws {
        let app = try exported(.twoDevices, Self.forms[form])
        let report = try restore(app)
        #expect(report.counts == ["Workout": 40, "ExerciseSet": 600, "FavoriteExercise": 0, "UserSettings": 1])
        #expect(report.document.layout == (Self.forms[form].lines ? .lines : .document))
        #expect(report.document.compressed == Self.forms[form].gzip)
        #expect(report.schema.fromVersion == 2 && report.schema.toVersion == 2 && report.schema.created)
        #expect(report.schema.store == nil && report.warnings.isEmpty && !report.dryRun)
        #expect(report.bytes == (try FileStatus.of(app.folder["new.store"])?.size))
        for table in ["Workout", "ExerciseSet", "FavoriteExercise", "UserSettings"] {
            let sql = "SELECT * FROM \(table) ORDER BY 1, 2, 3"
            #expect(try app.rows("new.store", sql) == app.rows(TrainLog.local, sql), "\(table)")
        }
        #expect(try app.column("new.store", "SELECT version FROM godwit_migration ORDER BY version") == ["1", "2"])
        let runs = try app.rows("new.store", "SELECT id, command, outcome, summary FROM godwit_run")
        #expect(
            runs.map { $0.map(\.readable) } == [
                [report.runId, "import", "done", "40 Workout, 600 ExerciseSet, 1 UserSettings"]
            ])
    }

    @Test("a restored store takes the old one's place: its export is the same, byte for byte, and a run takes it on")
    func takesItsPlace() throws {
        for scenario in [Scenario.container, .twoDevices] {
            let app = try TrainLog(scenario)
            if scenario == .container { try app.perform(.migrate) }
            _ = try app.migration().exportAndKeep(to: app.folder["e.json"], options: .init())
            let other = try TrainLog()
            if app.folder.exists(TrainLog.cloud) {
                try other.folder.write(app.folder.bytes(of: TrainLog.cloud), to: TrainLog.cloud)
            }
            _ = try app.migration().restore(from: app.folder["e.json"], to: other.folder[TrainLog.local])
            // The document says when the store was last saved.
            let status = try #require(try FileStatus.of(app.folder[TrainLog.local]))
            try other.folder.setModified(
                seconds: status.modifiedSeconds, nanoseconds: status.modifiedNanoseconds, of: TrainLog.local)
            _ = try other.migration().exportAndKeep(to: other.folder["e.json"], options: .init())
            let texts = try [app, other].map { try $0.folder.text(of: "e.json") }
            #expect(texts[1] == texts[0], "\(scenario)")
            #expect(try other.perform().outcome == .done)
            #expect(try other.perform(.verify).failedChecks == [])
        }
    }

    @Test("an export of an older version is restored at it, and brought up to date")
    func older() throws {
        let old = try TemporaryFolder()
        let file = "V0001__create_store.sql"
        try old.write(Repository.text("Migrations/trainlog/" + file), to: file)
        let app = try TrainLog()
        try app.make(TrainLog.local, version: 1, "INSERT INTO Workout VALUES ('w', 't', NULL, '1', '2', '3', '4')")
        try app.write(TrainLog.local, "DELETE FROM Workout WHERE id <> 'w'")
        let text = try Repository.text("SampleData/trainlog/godwit.yaml")
        let start = try #require(text.range(of: "  FavoriteExercise:")).lowerBound
        let legacy = try #require(text.range(of: "\nlegacy:")).lowerBound
        let export = try #require(text.range(of: "\nexport:")).lowerBound
        let shorter = (text[..<start] + text[legacy..<legacy] + text[export...]).replacingOccurrences(
            of: "../../Migrations/trainlog", with: old.path)
        let manifest = try Manifest.load(path: app.folder.write(shorter, to: "old.yaml"))
        var options = MigrationOptions()
        options.now = .sampleNow
        let before = try Migration(manifest: manifest, container: .path(app.container), options: options)
        _ = try before.perform(.migrate, dryRun: false)
        _ = try before.exportAndKeep(to: app.folder["e.json"], options: .init())
        let report = try restore(app)
        #expect(report.schema.fromVersion == 1 && report.schema.applied.map(\.version) == [2])
        #expect(try app.column("new.store", "SELECT version FROM godwit_migration ORDER BY version") == ["1", "2"])
        #expect(try app.count("new.store", of: "Workout") == 1 && app.count("new.store", of: "UserSettings") == 0)
        // The other way round: what is newer than the manifest is refused with both numbers.
        let newer = try exported(.twoDevices)
        let error = failure {
            try before.restore(from: newer.folder["e.json"], to: app.folder["other.store"])
        }
        #expect(error?.code == .data && error?.message.contains("schema version 2,") == true)
        #expect(error?.message.contains("(1)") == true && !app.folder.exists("other.store"))
    }

    @Test(
        "an import that stops anywhere leaves nothing, and the next one succeeds",
        arguments: [FaultPoint.beforeImportCommit, .afterImportCommit, .beforeImportRename])
    func stopped(at point: FaultPoint) throws {
        let app = try exported(.container)
        let names = app.folder.names()
        let fault = Fault(at: point)
        let error = failure { try restore(app, faultPoint: fault.meet) }
        #expect(fault.wasMet && error?.code == .io)
        #expect(app.folder.names() == names)
        try restore(app)
        #expect(try app.count("new.store", of: "Workout") == 40)
    }

    @Test("a dry run builds and proves everything, and leaves nothing")
    func dryRun() throws {
        let app = try exported(.twoDevices)
        let names = app.folder.names()
        let report = try restore(app, isDryRun: true)
        #expect(report.dryRun && report.counts["Workout"] == 40 && report.bytes > 0)
        #expect(app.folder.names() == names)
        let unnamed = try app.migration().restore(
            from: app.folder["e.json"], to: nil, isDryRun: true)
        #expect(unnamed.file == nil && unnamed.sha256 == report.sha256)
        #expect(failure { try app.migration().restore(from: app.folder["e.json"], to: nil) }?.code == .usage)
    }

    @Test("the library restores as the command does, and can be cancelled")
    func library() async throws {
        let app = try exported(.container)
        let report = try await app.migration().restore(
            from: app.folder.url("e.json"), to: app.folder.url("new.store"))
        #expect(report.counts["Workout"] == 40)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await app.migration().restore(
                from: app.folder.url("e.json"), to: app.folder.url("second.store"))
        }
        let result = await task.result
        #expect(throws: GodwitError.self) { try result.get() }
        #expect(!app.folder.exists("second.store"))
    }

    @Test("an export of another app is restored if it fits, and a warning says so")
    func otherApp() throws {
        let app = try exported(.container)
        let text = try app.folder.text(of: "e.json").replacingOccurrences(
            of: "\"app\": \"TrainLog\"", with: "\"app\": \"TrainLog Pro\"")
        try app.folder.write(text, to: "e.json")
        #expect(try restore(app).warnings.map(\.code) == ["otherApp"])
    }

    @Test("a killed import's half-built store is taken away by the next, and other files are not")
    func litter() throws {
        let app = try exported(.container)
        try app.folder.write("half a store", to: ".godwit-import-0123ABCD")
        try app.folder.write("half a journal", to: ".godwit-import-0123ABCD-journal")
        try app.folder.write("another process", to: ".godwit-tmp-0123ABCD")
        try restore(app)
        #expect(app.folder.names().filter { $0.hasPrefix(".godwit") } == [".godwit-tmp-0123ABCD"])
    }

    @Test(
        "an export of a store without a history says which version it is at, and later migrations are applied to it",
        arguments: [
            ("ALTER TABLE Note ADD COLUMN z DEFAULT 5", "90,5"), ("UPDATE Note SET seconds = seconds * 1000", "90000"),
        ])
    func withoutHistory(migration: String, expected: String) throws {
        let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, seconds INTEGER, m INTEGER);\n"
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: [create])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('a', 90, 1)")
        _ = try app.migration().exportAndKeep(to: app.folder["e.json"], options: .init())
        try app.folder.write(migration + ";", to: "migrations/V0002__later.sql")
        let report = try app.migration().restore(from: app.folder["e.json"], to: app.folder["new.store"])
        #expect(report.schema.fromVersion == 1 && report.schema.toVersion == 2)
        let columns = migration.contains(" z ") ? "seconds || ',' || z" : "seconds"
        #expect(try app.column("new.store", "SELECT \(columns) FROM Note") == [expected])
    }

    @Test(
        "a new store does not get the name of a log or journal, or of any file of the app's but a store",
        arguments: [
            NoteApp.local + "-journal", NoteApp.local + "-wal", NoteApp.cloud + "-wal", NoteApp.preferences + "-shm",
            "other.store-journal",
        ])
    func reservedNames(name: String) throws {
        let create = "CREATE TABLE Note(id TEXT PRIMARY KEY);\n"
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: [create])
        try app.write(NoteApp.local, create)
        try app.write("other.store", create)
        _ = try app.migration().exportAndKeep(to: app.folder["e.json"], options: .init())
        let error = failure { try app.migration().restore(from: app.folder["e.json"], to: app.folder[name]) }
        #expect(error?.code == .cannotCreate)
        #expect(!app.folder.exists(name))
        // The app's own next store may be what is restored.
        _ = try app.migration().restore(from: app.folder["e.json"], to: app.folder[NoteApp.cloud])
        #expect(app.folder.exists(NoteApp.cloud))
    }

    @Test(
        "AUTOINCREMENT gives no number again that a record of the export has, or had before an increment took it away")
    func numbers() throws {
        let create = "CREATE TABLE Note(id INTEGER PRIMARY KEY AUTOINCREMENT, updatedAt TEXT);"
        let app = try NoteApp(entities: "  Note: { key: id, modified: updatedAt }", migrations: [create])
        try app.write(
            NoteApp.local, create + "INSERT INTO Note VALUES (2, '2026-01-01'), (7, '2026-01-01'), (9, '2026-01-01')")
        var options = ExportOptions()
        _ = try app.migration().exportAndKeep(to: app.folder["whole.json"], options: options)
        try app.write(NoteApp.local, "DELETE FROM Note WHERE id = 9")
        options.sincePath = app.folder["whole.json"]
        _ = try app.migration().exportAndKeep(to: app.folder["later.json"], options: options)
        for (increment, count) in [(nil, 3), ("later.json", 2)] {
            let store = "of-\(count).store"
            _ = try app.migration().restore(
                from: app.folder["whole.json"], increment: increment.map { app.folder[$0] }, to: app.folder[store])
            try app.write(store, "INSERT INTO Note(updatedAt) VALUES ('2026-02-01')")
            let ids = try app.column(store, "SELECT id FROM Note ORDER BY id")
            #expect(ids.count == count + 1 && ids.last == "10")
        }
    }
}
