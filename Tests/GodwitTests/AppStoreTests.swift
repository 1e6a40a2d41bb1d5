import Godwit
import GodwitFiles
import GodwitModel
import Foundation
import GRDB
import GodwitPipelineSupport
import GodwitTestSupport
import Synchronization
import Testing

/// A cloud store that the app has open itself, and handed in.
struct AppStoreTests {
    /// Both stores, with duplicates and conflicts, as an app at work has them.
    private func made(
        _ opening: SyncingApp.Opening, triggers: String = "", cloudVersion: Int? = nil
    ) throws -> SyncingApp {
        let app = try TrainLog(.twoDevices)
        if let cloudVersion {
            try app.folder.remove(TrainLog.cloud)
            try app.make(TrainLog.cloud, version: cloudVersion)
        }
        return try SyncingApp(app, opening, triggers: triggers)
    }

    /// What a run comes to that opens the store by its path.
    private func expected(cloudVersion: Int? = nil) throws -> (report: RunReport, app: TrainLog) {
        let app = try TrainLog(.twoDevices)
        if let cloudVersion {
            try app.folder.remove(TrainLog.cloud)
            try app.make(TrainLog.cloud, version: cloudVersion)
        }
        return (try app.perform(), app)
    }

    @Test(
        "a run comes to the same as by path, and the sync engine sees every record",
        arguments: SyncingApp.Opening.allCases)
    func run(_ opening: SyncingApp.Opening) throws {
        let open = try made(opening)
        let before = try open.state()
        let (whole, other) = try expected()
        let report = try open.perform()
        #expect(try open.app.contents().differences(from: other.contents()) == [])
        #expect(report.copy?.entities == whole.copy?.entities)
        #expect(report.verify?.outcome == .done)
        #expect(try open.app.isFlagSet())
        let copied = try #require(report.copy?.entities)
        #expect(copied.contains { $0.inserted > 0 } && copied.contains { $0.updated > 0 })
        for entity in copied {
            #expect(try open.noted("INSERT", of: entity.name) == entity.inserted)
            #expect(try open.noted("UPDATE", of: entity.name) >= entity.updated)
        }
        #expect(try open.state() == before)
    }

    @Test("the second run changes nothing, and nothing is noted", arguments: SyncingApp.Opening.allCases)
    func twice(_ opening: SyncingApp.Opening) throws {
        let open = try made(opening)
        try open.perform()
        let (contents, notes) = (try open.app.contents(), try open.countNotes())
        let report = try open.perform()
        #expect(report.copy?.outcome == .alreadyDone)
        #expect(try open.app.contents().differences(from: contents) == [])
        #expect(try open.countNotes() == notes)
    }

    @Test("an empty table of an open store gets all records one by one, past the triggers", arguments: [1, 2])
    func filling(version: Int) throws {
        let open = try made(.pool, cloudVersion: version)
        let before = try open.state()
        let (whole, other) = try expected(cloudVersion: version)
        let report = try open.perform()
        #expect(try open.app.contents().differences(from: other.contents()) == [])
        #expect(report.copy?.entities == whole.copy?.entities)
        for entity in try #require(report.copy?.entities) {
            let isWatched = before.contains("trigger sync_INSERT_" + entity.name)
            #expect(try open.noted("INSERT", of: entity.name) == (isWatched ? entity.inserted : 0))
        }
        // The files of a migration do not change the engine's own triggers.
        #expect(try open.state() == before)
    }

    @Test(
        "a run that was stopped and run again comes to the same, and the engine sees each record once",
        arguments: [FaultPoint.beforeDedupeCommit, .beforeCopyCommit, .afterCopyCommit, .beforeFlag, .afterFlag],
        SyncingApp.Opening.allCases)
    func stopped(point: FaultPoint, opening: SyncingApp.Opening) throws {
        let undisturbed = try made(opening)
        try undisturbed.perform()
        let open = try made(opening)
        let before = try open.state()
        let fault = Fault(at: point)
        _ = failure { try open.perform(faultPoint: fault.meet) }
        #expect(fault.wasMet)
        #expect(try open.state() == before)
        try open.perform()
        #expect(try open.app.contents().differences(from: undisturbed.app.contents()) == [])
        #expect(try open.countNotes() == undisturbed.countNotes())
    }

    @Test("a dry run changes no byte, and the engine hears of nothing", arguments: SyncingApp.Opening.allCases)
    func dryRun(_ opening: SyncingApp.Opening) throws {
        let open = try made(opening)
        let (before, state) = (try open.app.fingerprint(), try open.state())
        let plan = try open.perform(dryRun: true)
        // Who reads a log notes in its index how far.
        #expect(try open.app.fingerprint().differences(from: before).filter { !$0.contains("-shm") } == [])
        #expect(try open.countNotes() == 0)
        #expect(try open.state() == state)
        #expect(try open.perform().copy?.entities == plan.copy?.entities)
    }

    @Test("undo puts duplicates back through the open store", arguments: SyncingApp.Opening.allCases)
    func undo(_ opening: SyncingApp.Opening) throws {
        let open = try made(opening)
        let run = try open.perform()
        let removed = try open.app.count(TrainLog.cloud, of: "godwit_removed")
        var inserted: [String: Int64] = [:]
        for entity in SyncingApp.entities { inserted[entity] = try open.noted("INSERT", of: entity) }
        let state = try open.state()
        let report = try open.migration().undoDedupe(of: run.run.id, dryRun: false)
        let cloud = try #require(report.undo?.stores.first { $0.store == .cloud })
        #expect(removed > 0 && cloud.outcome == .done && !cloud.restored.isEmpty)
        for (entity, count) in cloud.restored {
            #expect(try open.noted("INSERT", of: entity) - (inserted[entity] ?? 0) == Int64(count))
        }
        #expect(try open.state() == state)
    }

    @Test(
        "a temporary trigger that would change other records is not set off",
        arguments: [
            "CREATE TEMP TRIGGER sweep AFTER INSERT ON main.Workout BEGIN DELETE FROM FavoriteExercise; END;",
            "CREATE TEMP TRIGGER sweep AFTER INSERT ON sync.outbox BEGIN DELETE FROM FavoriteExercise; END;",
            """
            CREATE TABLE sync.seen(id PRIMARY KEY, n);
            CREATE TEMP TRIGGER see AFTER INSERT ON main.Workout BEGIN
              INSERT INTO seen VALUES (1, 1) ON CONFLICT DO UPDATE SET n = n + 1;
            END;
            CREATE TEMP TRIGGER sweep AFTER UPDATE ON sync.seen BEGIN DELETE FROM FavoriteExercise; END;
            """,
        ])
    func harmful(_ trigger: String) throws {
        let open = try made(.queue, triggers: trigger)
        let before = try open.app.contents()[TrainLog.cloud]
        let error = failure { try open.perform() }
        #expect(error?.code == .data)
        #expect(error?.message.contains("'sweep'") == true)
        #expect(try open.app.contents()[TrainLog.cloud] == before)
        #expect(try open.countNotes() == 0)
    }

    @Test("what the app takes out after the commit is its own will: the run is done, and nothing comes back")
    func deletedMeanwhile() throws {
        let open = try made(.pool)
        let database = open.database
        let report = try open.perform(faultPoint: { point throws(GodwitError) in
            guard point == .afterCopyCommit else { return }
            // Waits in the queue until the copy is proven.
            database.asyncWriteWithoutTransaction { try? $0.execute(sql: "DELETE FROM FavoriteExercise") }
        })
        #expect(report.copy?.outcome == .done)
        #expect(try open.app.isFlagSet())
        #expect(try open.perform().copy?.outcome == .alreadyDone)
        #expect(try open.app.count(TrainLog.cloud, of: "FavoriteExercise") == 0)
    }

    @Test("an attached store may be called what GRDB does not quote")
    func oddName() throws {
        let open = try made(
            .queue, triggers: "ATTACH ':memory:' AS \"sync-\"\"db\"; CREATE TABLE \"sync-\"\"db\".t(a);")
        let before = try open.state()
        #expect(try open.perform().outcome == .done)
        #expect(try open.state() == before)
    }

    @Test(
        "a connection that can't roll back, does not flush or does not write is refused before anything is done",
        arguments: [
            ("journal_mode=OFF", .usage), ("journal_mode=MEMORY", .usage), ("synchronous=OFF", .usage),
            ("query_only=ON", .permission),
        ] as [(String, GodwitError.Code)], [false, true])
    func unsafe(setting: (pragma: String, code: GodwitError.Code), dryRun: Bool) throws {
        let open = try made(.queue)
        try open.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA \(setting.pragma)") }
        let before = try open.app.fingerprint()
        let error = failure { try open.perform(dryRun: dryRun) }
        #expect(error?.code == setting.code)
        #expect(error?.message.contains(setting.pragma) == true)
        #expect(try open.app.fingerprint().differences(from: before) == [])
    }

    @Test("nor is it by an undo")
    func harmfulUndo() throws {
        let open = try made(.queue)
        let run = try open.perform()
        try open.database.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    CREATE TEMP TRIGGER sweep AFTER INSERT ON main.UserSettings BEGIN DELETE FROM Workout; END
                    """)
        }
        let before = try open.app.contents()
        let error = failure { try open.migration().undoDedupe(of: run.run.id, dryRun: false) }
        #expect(error?.code == .data)
        #expect(error?.message.contains("'sweep'") == true)
        #expect(try open.app.contents().differences(from: before) == [])
    }

    @Test("a migration that rebuilds a table leaves the engine's triggers on it")
    func rebuilding() throws {
        let create = "CREATE TABLE Note(id TEXT NOT NULL, m INTEGER);\n"
        let rebuild = """
            CREATE TEMP TABLE Scratch(a); CREATE TABLE NewNote(id TEXT NOT NULL, m INTEGER, body TEXT);
            INSERT INTO NewNote(id, m) SELECT id, m FROM Note; DROP TABLE Note; ALTER TABLE NewNote RENAME TO Note;
            """
        let app = try NoteApp(entities: "  Note: { key: id, modified: m }", migrations: [create, rebuild])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('a', 1), ('b', 2)")
        try app.write(NoteApp.cloud, create + "INSERT INTO Note VALUES ('c', 1)")
        let database = try DatabaseQueue(path: app.folder[NoteApp.cloud])
        try database.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    ATTACH ? AS sync; CREATE TABLE sync.outbox(key);
                    CREATE TEMP TRIGGER note AFTER INSERT ON main.Note BEGIN INSERT INTO outbox VALUES (NEW.id); END;
                    CREATE TEMP TRIGGER other AFTER INSERT ON sync.outbox BEGIN SELECT id FROM main.Note; END;
                    """, arguments: [app.folder["sync-notes"]])
        }
        let report = try app.migration(cloud: .database(database)).perform(.run, dryRun: false)
        #expect(report.copy?.schema?.toVersion == 2)
        let (noted, temporary) = try database.read { database in
            (
                try String.fetchAll(database, sql: "SELECT key FROM sync.outbox ORDER BY key"),
                try String.fetchAll(database, sql: "SELECT name FROM sqlite_temp_master")
            )
        }
        #expect(noted == ["a", "b"])
        #expect(temporary == ["note", "other"])
        // GRDB knows the new table as well.
        #expect(try database.read { try $0.columns(in: "Note").map(\.name) } == ["id", "m", "body"])
    }

    @Test("a migration after which a temporary trigger can't run any more is refused")
    func outgrown() throws {
        let create = "CREATE TABLE Note(id TEXT NOT NULL, m INTEGER, body TEXT);\n"
        let rebuild = """
            CREATE TABLE NewNote(id TEXT NOT NULL, m INTEGER); INSERT INTO NewNote SELECT id, m FROM Note;
            DROP TABLE Note; ALTER TABLE NewNote RENAME TO Note;
            """
        let app = try NoteApp(entities: "  Note: { key: id, modified: m }", migrations: [create, rebuild])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('a', 1, 'b')")
        try app.write(NoteApp.cloud, create)
        let database = try DatabaseQueue(path: app.folder[NoteApp.cloud])
        try database.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    CREATE TEMP TABLE outbox(a);
                    CREATE TEMP TRIGGER note AFTER INSERT ON main.Note BEGIN INSERT INTO outbox VALUES (NEW.body); END;
                    """)
        }
        let error = failure {
            try app.migration(cloud: .database(database)).perform(.run, dryRun: false)
        }
        #expect(error?.code == .data)
        #expect(error?.underlying == "the app's temporary trigger 'note': no such column: NEW.body")
        #expect(try database.read { try $0.columns(in: "Note").map(\.name) } == ["id", "m", "body"])
        try database.write { try $0.execute(sql: "INSERT INTO Note VALUES ('c', 1, 'd')") }
        #expect(try database.read { try String.fetchAll($0, sql: "SELECT a FROM temp.outbox") } == ["d"])
    }

    @Test("a temporary table that hides one of the store's is refused", arguments: [false, true])
    func hidden(dryRun: Bool) throws {
        let open = try made(.queue, triggers: "CREATE TEMP TABLE Workout(id);")
        let error = failure { try open.perform(dryRun: dryRun) }
        #expect(error?.code == .data)
        #expect(error?.message.contains("'Workout'") == true)
    }

    @Test("observers are notified of each transaction")
    func observers() async throws {
        let open = try made(.pool)
        let counts = Counts()
        open.database.add(transactionObserver: counts)
        let report = try await open.migration().run()
        #expect(report.outcome == .done)
        #expect(counts.notices.withLock { $0 } > 0)
        let seen = try await open.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM FavoriteExercise") }
        #expect(try seen == open.app.count(TrainLog.cloud, of: "FavoriteExercise"))
    }

    @Test("another database than the container's, or one in no file, is refused before anything is done")
    func wrong() throws {
        let open = try made(.queue)
        let other = try DatabaseQueue(path: open.app.folder["other.store"])
        try other.inDatabase { try $0.execute(sql: "CREATE TABLE t(a)") }
        let before = try open.app.fingerprint()
        for dryRun in [true, false] {
            let error = failure {
                try open.app.migration(cloud: .database(other)).perform(.run, dryRun: dryRun)
            }
            #expect(error?.code == .usage)
            #expect(error?.message.contains("other.store") == true)
        }
        let path = open.app.folder["export.json"]
        let error = failure {
            try open.app.migration(cloud: .database(other)).export(to: path, options: .init())
        }
        #expect(error?.code == .usage)
        let inMemory = failure { try open.app.migration(cloud: .database(DatabaseQueue())) }
        #expect(inMemory?.code == .usage)
        #expect(try open.app.fingerprint().differences(from: before) == [])
    }

    @Test("a store that the app has to itself, or a transaction that it has open, is busy")
    func busy() throws {
        let open = try made(.queue)
        try open.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA locking_mode=EXCLUSIVE") }
        let error = failure { try open.perform() }
        #expect(error?.code == .busy)
        #expect(error?.hint?.contains("locking_mode=NORMAL") == true)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let app = try TrainLog(.twoDevices)
        let queue = try DatabaseQueue(path: app.folder[TrainLog.cloud], configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN") }
        let unfinished = failure { try app.migration(cloud: .database(queue)).perform(.run, dryRun: false) }
        #expect(unfinished?.code == .busy)
        #expect(try app.count(TrainLog.local, of: "godwit_migration") == 0)
        try queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try app.migration(cloud: .database(queue)).perform(.run, dryRun: false).outcome == .done)
    }

    #if os(Linux)
        @Test("the app's own read lock stays, and looking again and again costs no descriptors")
        func locks() throws {
            let open = try made(.queue)
            try open.perform()
            let path = open.app.folder[TrainLog.cloud]
            let reader = try SampleStore(path)
            try reader.execute("BEGIN")
            _ = try reader.rows("SELECT count(*) FROM Workout")
            #expect(try ForeignLocks.isLocked(path, .shared))
            var descriptors: [Int] = []
            for number in 0..<4 {
                _ = try open.migration().export(to: open.app.folder["export-\(number).json"], options: .init())
                #expect(try open.perform(.verify).outcome == .done)
                #expect(try ForeignLocks.isLocked(path, .shared))
                descriptors.append(try Self.descriptors(on: path) - number)
            }
            #expect(Set(descriptors).count == 1)
            try reader.execute("COMMIT")
        }

        /// How many this process has open on a file; each question of `ForeignLocks` leaves one.
        private static func descriptors(on path: String) throws -> Int {
            let own = try FileStatus.of(path)
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
                guard let other = try FileStatus.of("/proc/self/fd/" + name), let own else { return false }
                return other.isSameFile(as: own)
            }
        }
    #endif
}

/// Counts the notifications by GRDB of changes that it did not see itself.
private final class Counts: TransactionObserver, Sendable {
    let notices = Mutex(0)

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange() { notices.withLock { $0 += 1 } }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) {}
    func databaseDidRollback(_ database: Database) {}
}
