import Foundation
import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Containers that somebody moved, grew or meddled with.
struct OddContainerTests {
    @Test(
        "a journal or log without its store is refused: SQLite would play it into the next store of that name",
        arguments: ["-journal", "-wal"], [TrainLog.local, TrainLog.cloud])
    func strayLog(suffix: String, store: String) throws {
        let app = try TrainLog(.container)
        try app.folder.remove(TrainLog.local)
        try app.folder.write("what a writer left behind", to: store + suffix)
        let before = try app.fingerprint()
        for dryRun in [true, false] {
            let error = failure { try app.perform(dryRun: dryRun) }
            #expect(error?.code == .noInput)
            #expect(error?.message.contains(suffix) == true)
            #expect(error?.hint?.isEmpty == false)
        }
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("a trigger that no migration made is refused, also in a store that has a history")
    func foreignTrigger() throws {
        let app = try TrainLog(.interrupted)
        try app.write(
            TrainLog.cloud, "CREATE TRIGGER evil AFTER UPDATE ON Workout BEGIN DELETE FROM ExerciseSet; END")
        let before = try app.fingerprint()
        let error = failure { try app.perform() }
        #expect(error?.code == .data)
        #expect(error?.message.contains("'evil'") == true)
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("a preferences file beyond all bounds is refused before it is copied or read, by plan and run alike")
    func hugePreferences() throws {
        let app = try TrainLog(.container)
        let handle = try FileHandle(forWritingTo: app.folder.url(TrainLog.preferences))
        try handle.truncate(atOffset: 8 << 30)
        try handle.close()
        let plan = failure { try app.perform(dryRun: true) }
        let run = failure { try app.perform() }
        #expect(plan?.code == .data && run?.code == .data)
        #expect(plan?.message == run?.message)
        #expect(plan?.message.contains("8589934592 bytes") == true)
    }

    @Test("before the first migration an export has every entity, those the store lacks yet empty")
    func exportBeforeTheFirstRun() throws {
        let app = try TrainLog(.container)
        let before = try app.fingerprint()
        let report = try app.pipeline().exportAndKeep(to: app.folder["export.json"], options: ExportOptions())
        #expect(report.counts == ["Workout": 40, "ExerciseSet": 600, "FavoriteExercise": 0, "UserSettings": 0])
        #expect(report.warnings.map(\.code) == ["schemaPending"])
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("status of a store that fits no version says so and answers all the same")
    func statusOfStrangeStore() throws {
        let app = try TrainLog(.container)
        try app.write(TrainLog.local, "CREATE TABLE Stranger(a)")
        let status = try app.pipeline().status()
        #expect(status.local.counts["Workout"] == 40)
        #expect(status.warnings.contains { $0.code == "pendingUnknown" && $0.message.contains("Stranger") })
    }

    @Test("a store without a history whose records lack keys is refused before anything is written to it")
    func nullKeys() throws {
        let create = "CREATE TABLE Note(id TEXT, m INTEGER);\n"
        let app = try NoteApp(entities: "  Note: { key: id, modified: m }", migrations: [create])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES (NULL, 1), ('a', 2)")
        let before = try app.folder.bytes(of: NoteApp.local)
        #expect(failure { try app.perform() }?.code == .data)
        #expect(try app.folder.bytes(of: NoteApp.local) == before)
    }

    @Test("so is one where another entity, told of earlier, has duplicates")
    func nullKeysBehindDuplicates() throws {
        let create = "CREATE TABLE Note(id TEXT, m INTEGER);\nCREATE TABLE Tag(id TEXT, m INTEGER);\n"
        let app = try NoteApp(
            entities: "  Note: { key: id, modified: m }\n  Tag: { key: id, modified: m }", migrations: [create])
        try app.write(
            NoteApp.local, create + "INSERT INTO Note VALUES ('a', 1), ('a', 2); INSERT INTO Tag VALUES (NULL, 1)")
        let before = try app.folder.bytes(of: NoteApp.local)
        let error = failure { try app.perform() }
        #expect(error?.message.hasSuffix("1 Tag record without a value in 'id'.") == true)
        #expect(try app.folder.bytes(of: NoteApp.local) == before)
    }
}
