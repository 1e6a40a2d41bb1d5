import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A failure says what, where and what to do next, hands back what was done, and is what the plan said it would be.
struct ErrorTests {
    /// Ways in which a container is bad.
    enum BadInput: String, CaseIterable, Sendable {
        case noContainer, containerIsFile, damagedPreferences, preferencesFolder, damagedLocal, localFolder
        case emptyCloud, encryptedCloud, strangeLocal, newerLocal, divergentCloud, orphan, sameFile, sameFileByLink
        case linkOut, deadLink, mirrored, wrongFlag

        var code: GodwitError.Code {
            switch self {
            case .noContainer, .containerIsFile, .preferencesFolder, .localFolder, .deadLink: .noInput
            case .sameFile, .sameFileByLink, .linkOut: .manifest
            default: .data
            }
        }
    }

    @Test(
        "bad input: one clear line with a hint, nothing written, and the plan says the same",
        arguments: BadInput.allCases)
    func refused(_ fault: BadInput) throws {
        let app = try make(fault)
        let before = try app.folder.fingerprint()
        let plan = try Ending { try app.perform(dryRun: true) }
        #expect(try app.folder.fingerprint().differences(from: before) == [])
        let error = failure { try app.perform() }
        #expect(error?.code == fault.code)
        #expect(error?.message.contains("\n") == false)
        #expect(error?.hint?.isEmpty == false)
        #expect(error?.report?.outcome == .failed)
        let mentionsPrivatePath = error.map { $0.description.contains("godwit-scratch") } ?? true
        #expect(!mentionsPrivatePath)
        let again = try make(fault)
        let run = try Ending { try again.perform() }
        #expect(plan.error?.replacing(app.folder.path, with: "") == run.error?.replacing(again.folder.path, with: ""))
        let writes = try app.folder.fingerprint().differences(from: before)
        #expect(fault == .orphan || writes == [], "\(writes)")
        #expect(!writes.contains { $0.contains("TrainLogCloud") || $0.contains("Preferences/") })
    }

    private func make(_ fault: BadInput) throws -> TrainLog {
        let app = try TrainLog(.twoDevices)
        let (folder, local, cloud) = (app.folder, TrainLog.local, TrainLog.cloud)
        switch fault {
        case .noContainer: try folder.remove("container")
        case .containerIsFile:
            try folder.remove("container")
            try folder.write("a file", to: "container")
        case .damagedPreferences: try folder.write("bplist00 and no more", to: TrainLog.preferences)
        case .preferencesFolder:
            try folder.remove(TrainLog.preferences)
            try folder.makeFolder(TrainLog.preferences)
        case .damagedLocal: try damage(app, local)
        case .localFolder:
            try folder.remove(local)
            try folder.makeFolder(local)
        case .emptyCloud: try folder.write([], to: cloud)
        case .encryptedCloud: try folder.write((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 37) }, to: cloud)
        case .strangeLocal: try app.write(local, "ALTER TABLE Workout ADD COLUMN mood TEXT")
        case .newerLocal: try app.write(local, Self.history(versions: 3))
        case .divergentCloud: try app.write(cloud, Self.history(versions: 2))
        case .orphan: try app.write(local, Self.orphan)
        case .sameFile:
            try folder.remove(cloud)
            try folder.makeHardLink(cloud, to: local)
        case .sameFileByLink:
            try folder.remove(cloud)
            try folder.makeLink(cloud, to: "TrainLog.store")
        case .linkOut:
            try folder.copy(cloud, to: "outside")
            try folder.remove(cloud)
            try folder.makeLink(cloud, to: folder["outside"])
        case .deadLink:
            try folder.remove(cloud)
            try folder.makeLink(cloud, to: "nowhere")
        case .mirrored: try app.write(cloud, "CREATE TABLE ANSCKEVENT(Z_PK INTEGER)")
        case .wrongFlag: try app.writePreferences(["cloudMigrationDone": .string("yes")])
        }
        return app
    }

    private func damage(_ app: TrainLog, _ store: String) throws {
        var bytes = try app.folder.bytes(of: store)
        for index in 4096..<8192 { bytes[index] = 0xA5 }
        try app.folder.write(bytes, to: store)
    }

    private static func history(versions: Int) -> String {
        let rows = (1...versions).map { "(\($0), 'x', 'sha256-v1:\($0)', '2026-01-01', 0, '0')" }
        return """
            CREATE TABLE godwit_migration(
              version INTEGER PRIMARY KEY, name TEXT, checksum TEXT, appliedAt TEXT, durationMs INTEGER,
              godwitVersion TEXT);
            INSERT INTO godwit_migration VALUES \(rows.joined(separator: ", "));
            """
    }

    static let orphan = """
        INSERT INTO ExerciseSet(id, workoutId, exerciseId, position, createdAt, updatedAt)
          VALUES ('lost', 'no-such-workout', 'plank', 1, '2026-11-01', '2026-11-01');
        """

    @Test("a failure of a later stage hands back what the earlier ones did")
    func reportOfWhatWasDone() throws {
        let app = try TrainLog(.container)
        let error = failure { try app.perform(faultPoint: Fault(at: .beforeCopyCommit).meet) }
        #expect(error?.stage == .copy)
        #expect(error?.report?.schema?.applied.map(\.version) == [2])
        #expect(error?.report?.legacy?.inserted["FavoriteExercise"] == 5)
        #expect(error?.report?.copy == nil)
        #expect(error?.report?.verify == nil)
    }

    @Test(
        "a failure of a stage does not claim what was rolled back",
        arguments: [
            FaultPoint.beforeSchemaCommit, .beforeLegacyCommit,
        ])
    func nothingClaimed(_ point: FaultPoint) throws {
        let app = try TrainLog(.container)
        let report = failure { try app.perform(faultPoint: Fault(at: point).meet) }?.report
        #expect(report?.legacy == nil && report?.dedupe == nil && report?.copy == nil)
        // Adopting the store was committed by itself; the migration after it was not.
        #expect(report?.schema?.applied.map(\.version) == (point == .beforeSchemaCommit ? [] : [2]))
        #expect(report?.schema?.toVersion == (point == .beforeSchemaCommit ? 1 : 2))
        let history = try app.column(TrainLog.local, "SELECT max(version) FROM godwit_migration")
        #expect(history == [point == .beforeSchemaCommit ? "1" : "2"])
    }

    @Test(
        "a new store that was not put in place is not reported as made",
        arguments: [
            FaultPoint.beforeSchemaCommit, .beforeLegacyCommit,
        ])
    func nothingMade(_ point: FaultPoint) throws {
        let app = try Shape.absentLocal.make()
        let report = failure { try app.perform(faultPoint: Fault(at: point).meet) }?.report
        #expect(report?.schema == nil && report?.legacy == nil && report?.dedupe == nil)
        #expect(app.folder.names(in: "container/Library/Application Support") == [])
    }

    @Test("orphans stop the copy and are named, or are copied unchanged if they are allowed")
    func orphans() throws {
        let app = try TrainLog(.twoDevices)
        try app.write(TrainLog.local, Self.orphan)
        let error = failure { try app.perform() }
        #expect((error?.stage, error?.code) == (.copy, .data))
        #expect(error?.message.contains("'lost'") == true)
        #expect(try !app.isFlagSet())
        let report = try app.perform { $0.allowsOrphans = true }
        #expect(report.copy?.orphans == ["ExerciseSet.workoutId": 1])
        #expect(report.notes.map(\.code).contains("orphans"))
        #expect(report.failedChecks == [])
        #expect(try app.count(TrainLog.cloud, "SELECT count(*) FROM ExerciseSet WHERE id = 'lost'") == 1)
    }

    @Test("a store that another process holds for writing is busy", arguments: [TrainLog.local, TrainLog.cloud])
    func held(_ store: String) throws {
        let app = try TrainLog(.twoDevices)
        let before = try app.fingerprint()
        let other = try SampleStore(app.folder[store])
        try other.execute("BEGIN EXCLUSIVE")
        let error = failure { try app.perform() }
        #expect(error?.code == .busy)
        #expect(error?.hint?.contains("`MigrationOptions.lockTimeout`") == true)
        try other.execute("ROLLBACK")
        try other.close()
        #expect(try app.fingerprint().differences(from: before) == [])
        #expect(try app.perform().outcome == .done)
    }

    @Test("a manifest that does not fit its schema files is refused before a container is looked at")
    func unfitManifest() throws {
        let app = try TrainLog()
        let text = TrainLogManifest().text.replacing(
            "key: id, modified: updatedAt, conflict", with: "key: uuid, conflict")
        let manifest = try Manifest.load(path: app.folder.write(text, to: "unfit.yaml"))
        let error = failure { try Migration(manifest: manifest, container: .path("/no/such/container")) }
        #expect(error?.code == .manifest)
        #expect(error?.message.contains("uuid") == true)
    }

    @Test("a manifest that does not exist is missing input")
    func noManifest() throws {
        let error = failure { try Manifest.load(path: "/no/such/godwit.yaml") }
        #expect(error?.code == .noInput)
        #expect(error?.hint == "Check the path of the manifest.")
        #expect(failure { try Manifest.load(path: "godwit.yaml") }?.hint == "Check the path of the manifest.")
        let folder = try TemporaryFolder()
        try folder.write("godwit: 1", to: "godwit.yaml")
        #expect(
            failure { try Manifest.load(path: folder["godwit.yml"]) }?.hint
                == "Did you mean `\(folder["godwit.yaml"])`?")
    }
}
