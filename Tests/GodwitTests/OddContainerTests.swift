import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Containers that a user moved, grew or meddled with.
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
        #expect(plan?.message.contains("8,589,934,592 bytes") == true)
    }

    @Test("before the first run an export has what the store holds, and no more; the import brings it up to date")
    func exportBeforeTheFirstRun() throws {
        let app = try TrainLog(.container)
        let before = try app.fingerprint()
        let report = try app.migration().exportAndKeep(to: app.folder["export.json"], options: ExportOptions())
        #expect(report.counts == ["Workout": 40, "ExerciseSet": 600])
        #expect(report.warnings.map(\.code) == ["schemaPending"])
        #expect(report.warnings.first?.message.hasSuffix("(no FavoriteExercise, UserSettings yet)") == true)
        #expect(try app.fingerprint().differences(from: before) == [])
        let document = try app.folder.text(of: "export.json")
        #expect(document.contains("\"schemaMigration\": 1, \"contentVersion\"") && !document.contains("storeMigration"))
        var options = ExportOptions()
        options.entities = ["Workout", "UserSettings"]
        let error = failure { try app.migration().exportAndKeep(to: app.folder["more.json"], options: options) }
        #expect(error?.code == .data && error?.message.contains("no 'UserSettings' in the store yet") == true)
        let restored = try app.migration().restore(from: app.folder["export.json"], to: app.folder["new.store"])
        #expect(restored.schema.fromVersion == 1 && restored.schema.toVersion > 1)
    }

    @Test("status of a store that fits no version says so and answers all the same")
    func statusOfStrangeStore() throws {
        let app = try TrainLog(.container)
        try app.write(TrainLog.local, "CREATE TABLE Stranger(a)")
        let status = try app.migration().status()
        #expect(status.local.counts["Workout"] == 40)
        #expect(status.warnings.contains { $0.code == "pendingUnknown" && $0.message.contains("Stranger") })
        #expect(status.pendingChanges == nil)
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

    @Test("a store in which another entity, reported earlier, has duplicates is also rejected")
    func nullKeysBehindDuplicates() throws {
        let create = "CREATE TABLE Note(id TEXT, m INTEGER);\nCREATE TABLE Tag(id TEXT, m INTEGER);\n"
        let app = try NoteApp(
            entities: "  Note: { key: id, modified: m }\n  Tag: { key: id, modified: m }", migrations: [create])
        try app.write(
            NoteApp.local, create + "INSERT INTO Note VALUES ('a', 1), ('a', 2); INSERT INTO Tag VALUES (NULL, 1)")
        let before = try app.folder.bytes(of: NoteApp.local)
        let error = failure { try app.perform() }
        #expect(error?.message.hasSuffix("1 Tag record without a value in 'id'") == true)
        #expect(try app.folder.bytes(of: NoteApp.local) == before)
    }

    @Test("an unknown number of records that wait for the cloud makes no export fresh")
    func pendingThatCannotBeTold() throws {
        let create = "CREATE TABLE Note(id TEXT, m INTEGER);\n"
        let app = try NoteApp(entities: "  Note: { key: id, modified: m }", migrations: [create])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('a', 2)")
        try app.perform()
        let migration = try app.migration { ($0.account, $0.network) = (.available, .online) }
        func reasons() throws -> [Freshness.Code] {
            try migration.export(to: app.folder["e.json"], options: ExportOptions(replacesExisting: true))
                .freshness.reasons.map(\.code)
        }
        #expect(try !reasons().contains(.pendingChanges))
        try app.write(NoteApp.local, "INSERT INTO Note VALUES ('new', 3), (NULL, 1)")
        #expect(try reasons().contains(.pendingChanges))
        #expect(try app.folder.text(of: "e.json").contains("\"pendingChanges\": null"))
        #expect(try migration.status().pendingChanges == nil)
    }

    @Test(
        "where the manifest's key is a pending migration's column, a private copy is exported, and the document says so"
    )
    func exportOfCopy() throws {
        let create = "CREATE TABLE Note(old TEXT, m INTEGER);\n"
        let rename = "ALTER TABLE Note RENAME COLUMN old TO id; DELETE FROM Note WHERE m = 1;"
        let app = try NoteApp(entities: "  Note: { key: id, modified: m }", migrations: [create, rename])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('a', 1), ('b', 2)")
        let before = try app.folder.bytes(of: NoteApp.local)
        let report = try app.migration().export(to: app.folder["e.json"], options: .init())
        #expect(report.counts == ["Note": 1] && report.warnings.map(\.code) == ["schemaPending"])
        #expect(report.warnings.first?.message.contains("private copy at schema version 2") == true)
        #expect(try app.folder.text(of: "e.json").contains("\"schemaMigration\": 2, \"storeMigration\": 1, "))
        #expect(try app.folder.bytes(of: NoteApp.local) == before)
    }

    @Test("a migration that would delete records takes none out of an export before it")
    func exportBeforeDeletion() throws {
        let create = "CREATE TABLE Note(id TEXT, m INTEGER);\n"
        let app = try NoteApp(
            entities: "  Note: { key: id, modified: m }",
            migrations: [create, "DELETE FROM Note WHERE m = 1; ALTER TABLE Note ADD COLUMN body TEXT;"])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('a', 1), ('b', 2)")
        #expect(try app.migration().export(to: app.folder["e.json"], options: .init()).counts == ["Note": 2])
        let restored = try app.migration().restore(from: app.folder["e.json"], to: app.folder["new.store"])
        #expect(restored.counts == ["Note": 2] && restored.schema.toVersion == 2)
        #expect(try app.column("new.store", "SELECT id FROM Note") == ["b"])
    }

    @Test("the app's own version number in the store's header comes along to a new cloud store and through an export")
    func marks() throws {
        let create = "CREATE TABLE Note(id TEXT, m INTEGER);\n"
        let app = try NoteApp(entities: "  Note: { key: id, modified: m }", migrations: [create])
        try app.write(
            NoteApp.local,
            create + "INSERT INTO Note VALUES ('a', 1); PRAGMA user_version=-77; PRAGMA application_id=1196314761")
        try app.perform()
        _ = try app.migration().export(to: app.folder["e.json"], options: .init())
        #expect(try app.folder.text(of: "e.json").contains("\"userVersion\": -77, \"applicationId\": 1196314761"))
        _ = try app.migration().restore(from: app.folder["e.json"], to: app.folder["new.store"])
        for store in [NoteApp.cloud, "new.store"] {
            #expect(try app.column(store, "PRAGMA user_version") == ["-77"], "\(store)")
            #expect(try app.column(store, "PRAGMA application_id") == ["1196314761"], "\(store)")
        }
    }
}
