import Godwit
import GodwitFiles
import GodwitModel
import Foundation
import GRDB
import GodwitPipelineSupport
import GodwitTestSupport
import Synchronization
import Testing

/// An app that has its cloud store open, and does with it what it pleases during the run.
struct AppStoreTroubleTests {
    /// The app's store, open in each way.
    private func made(_ opening: SyncingApp.Opening) throws -> SyncingApp {
        try SyncingApp(TrainLog(.twoDevices), opening)
    }

    /// Puts a copy in the place of the cloud store, as a restore does.
    private static func replaceCloud(of app: TrainLog) throws {
        let path = app.folder[TrainLog.cloud]
        try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
        try #require(rename(path + ".copy", path) == 0)
    }

    // MARK: Another file in its place

    @Test(
        "a database whose file was replaced is refused, and nothing is written to either",
        arguments: SyncingApp.Opening.allCases, [false, true])
    func replaced(_ opening: SyncingApp.Opening, dryRun: Bool) throws {
        let open = try made(opening)
        let count = try open.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Workout") }
        try Self.replaceCloud(of: open.app)
        let before = try open.app.fingerprint()
        let error = failure { try open.perform(dryRun: dryRun) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("moved, replaced or removed") == true)
        #expect(try open.app.fingerprint().differences(from: before) == [])
        #expect(try open.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Workout") } == count)
        #expect(try !open.app.isFlagSet())
    }

    @Test(
        "nor is the flag set where the file is replaced between the commit and the proof",
        arguments: SyncingApp.Opening.allCases)
    func replacedMeanwhile(_ opening: SyncingApp.Opening) throws {
        let open = try made(opening)
        let error = failure {
            try open.perform(faultPoint: { point throws(GodwitError) in
                guard point == .afterCopyCommit else { return }
                do { try Self.replaceCloud(of: open.app) } catch { throw GodwitError(.copy, .bug, "\(error)") }
            })
        }
        #expect(error?.code == .usage)
        #expect(try !open.app.isFlagSet())
    }

    // MARK: An app at work

    /// Does something while the app is in the middle of a write.
    private func whileWriting(_ open: SyncingApp, _ body: () throws -> Void) throws {
        let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let thread = try #require(
            WorkerThread {
                open.database.unsafeReentrantWrite { _ in
                    begun.signal()
                    ended.wait()
                }
            })
        begun.wait()
        defer {
            ended.signal()
            thread.join()
        }
        try body()
    }

    @Test(
        "a write of the app's is waited for no longer than the lock timeout",
        arguments: [(.queue, .run), (.pool, .verify)] as [(SyncingApp.Opening, Command)])
    func atWork(_ opening: SyncingApp.Opening, command: Command) throws {
        let open = try made(opening)
        let before = try open.app.fingerprint()
        try whileWriting(open) {
            let error = failure { try open.perform(command, options: { $0.lockTimeoutMilliseconds = 50 }) }
            #expect(error?.code == .busy)
            #expect(error?.message.contains("longer than the lock timeout") == true)
        }
        #expect(try open.app.fingerprint().differences(from: before) == [])
        // What had given up waiting does nothing once it is its turn.
        #expect(try open.perform().outcome == .done)
    }

    @Test("so is one that itself waits for Godwit")
    func insideOwnWrite() throws {
        let open = try made(.queue)
        open.database.writeWithoutTransaction { _ in
            let error = failure { try open.perform(options: { $0.lockTimeoutMilliseconds = 50 }) }
            #expect(error?.code == .busy)
        }
        #expect(try open.perform().outcome == .done)
    }

    @Test(
        "a run that waits for the app ends when it is cancelled",
        arguments: [GodwitError.Code.interrupted, .terminated])
    func cancelledWaiting(code: GodwitError.Code) throws {
        let open = try made(.pool)
        let cancellation = Cancellation()
        try whileWriting(open) {
            let thread = try #require(WorkerThread { cancellation.cancel(code) })
            let error = failure {
                try open.migration { $0.lockTimeoutMilliseconds = 3_600_000 }
                    .perform(.run, dryRun: false, cancellation: cancellation)
            }
            thread.join()
            #expect(error?.code == code)
        }
        #expect(try !open.app.isFlagSet())
    }

    // MARK: An app that stops it

    @Test(
        "a database that the app suspends is busy, not damaged",
        // The notification goes to every database of the process that listens: one resumed would be the other's as well.
        .serialized, arguments: [FaultPoint.beforeDedupeCommit, .beforeCopyCommit])
    func suspended(point: FaultPoint) throws {
        let app = try TrainLog(.twoDevices)
        var configuration = Configuration()
        configuration.observesSuspensionNotifications = true
        let queue = try DatabaseQueue(path: app.folder[TrainLog.cloud], configuration: configuration)
        let migration = try app.migration(cloud: .database(queue))
        let error = failure {
            try migration.perform(
                .run, dryRun: false,
                faultPoint: { reached throws(GodwitError) in
                    guard reached == point else { return }
                    NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
                })
        }
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
        #expect(error?.code == .busy)
        #expect(error?.message.contains("suspended") == true)
        #expect(try !app.isFlagSet())
        #expect(try migration.perform(.run, dryRun: false).outcome == .done)
        #expect(try app.isFlagSet())
    }

    @Test("an app that interrupts its connection has not cancelled the run")
    func interrupted() throws {
        let open = try made(.queue)
        let error = failure {
            try open.perform(faultPoint: { point throws(GodwitError) in
                if point == .beforeCopyCommit { throw GodwitError(.copy, .interrupted, "as SQLite says it") }
            })
        }
        #expect(error?.code == .busy)
        #expect(try open.perform().outcome == .done)
    }

    @Test("a commit that an observer of the app rejects is not a bug of Godwit")
    func refusedCommit() throws {
        let open = try made(.queue)
        let observer = Refusing()
        open.database.add(transactionObserver: observer, extent: .databaseLifetime)
        let error = failure { try open.perform() }
        #expect(error?.code == .data)
        #expect(error?.message.contains("an observer of the app") == true)
        #expect(error?.underlying?.contains("NotToday") == true)
        #expect(try !open.app.isFlagSet())
        observer.refuses.withLock { $0 = false }
        #expect(try open.perform().outcome == .done)
    }

    // MARK: An app that migrates by GRDB

    @Test("a store that GRDB's migrator made is one of the schema", arguments: [false, true])
    func migrated(dryRun: Bool) throws {
        let open = try made(.pool)
        try open.database.write {
            try $0.execute(
                sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY); "
                    + "INSERT INTO grdb_migrations VALUES ('first')")
        }
        #expect(try open.perform(dryRun: dryRun).outcome == .done)
        let noted = try open.database.read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations") }
        #expect(noted == ["first"])
    }
}

/// Lets nothing be committed.
private final class Refusing: TransactionObserver, Sendable {
    struct NotToday: Error {}

    let refuses = Mutex(true)

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { if refuses.withLock(\.self) { throw NotToday() } }
    func databaseDidCommit(_ database: Database) {}
    func databaseDidRollback(_ database: Database) {}
}
