import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

#if os(Linux)
    /// A store that is only read can be protected from changes for a moment, which leaves no trace.
    struct WriteBarrierTests {
        private let folder: TemporaryFolder
        private let store: String

        init() throws {
            folder = try TemporaryFolder()
            store = folder["App.store"]
        }

        private func make(_ journal: String) throws {
            let app = try SampleStore(
                folder["made.store"], journal: journal, "CREATE TABLE Bird(id TEXT); INSERT INTO Bird VALUES ('a')")
            try folder.copyStore("made.store", to: "App.store")
            try app.close()
        }

        private func barrier(waiting milliseconds: Int = 0) throws -> WriteBarrier {
            try WriteBarrier(
                store, name: "App.store", stage: .copy, context: .sample(lockTimeoutMilliseconds: milliseconds))
        }

        @Test("in rollback mode the barrier has the locks of a writer that has not written, and releases them")
        func rollbackMode() throws {
            try make("DELETE")
            let before = try folder.fingerprint()
            let held = try barrier()
            #expect(try ForeignLocks.isLocked(store, .reserved))
            #expect(try ForeignLocks.isLocked(store, .shared))
            #expect(try !ForeignLocks.isLocked(store, .pending), "readers may come")
            _ = consume held
            #expect(try !ForeignLocks.isLocked(store, .reserved))
            #expect(try !ForeignLocks.isLocked(store, .shared))
            #expect(try folder.fingerprint().differences(from: before) == [])
        }

        @Test("in WAL mode without the app, no one can open the store, and no -shm file is made")
        func logAlone() throws {
            try make("WAL")
            let before = try folder.fingerprint()
            let held = try barrier()
            #expect(try ForeignLocks.isLocked(store, .pending))
            #expect(try ForeignLocks.isLocked(store, .shared))
            _ = consume held
            #expect(try !ForeignLocks.isLocked(store, .pending))
            #expect(try !ForeignLocks.isLocked(store, .shared))
            #expect(try folder.fingerprint().differences(from: before) == [])
        }

        @Test("in WAL mode with the app, the barrier has the writer's lock in the -shm file")
        func logInUse() throws {
            try make("WAL")
            try folder.write([UInt8](repeating: 0, count: 32_768), to: "App.store-shm")
            let before = try folder.fingerprint()
            let held = try barrier()
            #expect(try ForeignLocks.isLocked(store + "-shm", .walWriter))
            #expect(try ForeignLocks.isLocked(store, .shared))
            _ = consume held
            #expect(try !ForeignLocks.isLocked(store + "-shm", .walWriter))
            #expect(try folder.fingerprint().differences(from: before) == [])
        }

        @Test(
            "a writer is waited for, and 75 follows at the timeout",
            arguments: [
                ("DELETE", ForeignLocks.Place.reserved), ("DELETE", .pending), ("DELETE", .shared),
                ("WAL", .walWriter), ("WAL", .shared),
            ])
        func busy(journal: String, place: ForeignLocks.Place) throws {
            try make(journal)
            if place == .walWriter { try folder.write([UInt8](repeating: 0, count: 32_768), to: "App.store-shm") }
            let writer = try ForeignLocks(place == .walWriter ? store + "-shm" : store, place)
            let started = ContinuousClock.now
            let error = failure { try barrier(waiting: 100) }
            #expect(error?.code == .busy)
            #expect(error?.message.contains("App.store") == true)
            #expect(error?.hint?.contains("`MigrationOptions.lockTimeout`") == true)
            #expect(ContinuousClock.now - started >= .milliseconds(100))
            // No lock remains that would stop the writer from finishing.
            #expect(try place == .pending || !ForeignLocks.isLocked(store, .pending))
            writer.release()
            #expect(try !ForeignLocks.isLocked(store, .shared))
            #expect(failure { try barrier() } == nil, "what was taken in vain was given back")
        }

        @Test("a read-only store is checked too")
        func readOnly() throws {
            try make("DELETE")
            try folder.setMode(0o400, of: "App.store")
            #expect(failure { try barrier() } == nil)
        }

        @Test("a cancelled run stops waiting for a writer")
        func cancelled() throws {
            try make("DELETE")
            let writer = try ForeignLocks(store, .reserved)
            let cancellation = Cancellation()
            cancellation.cancel(.terminated)
            let context = RunContext.sample(cancellation: cancellation, lockTimeoutMilliseconds: 600_000)
            let error = failure { try WriteBarrier(store, name: "App.store", stage: .copy, context: context) }
            #expect(error?.code == .terminated)
            writer.release()
        }
    }
#endif
