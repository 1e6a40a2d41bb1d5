import GodwitFiles
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

#if os(Linux)
    /// SQLite's locks on a file belong to the process: reading a store must not release them.
    struct OpenStoreGuardTests {
        private let folder: TemporaryFolder
        private let store: String

        init() throws {
            folder = try TemporaryFolder()
            store = folder["App.store"]
            try SampleStore.make(store, "CREATE TABLE Bird(id TEXT); INSERT INTO Bird VALUES ('a')")
        }

        private func look() throws {
            _ = try StoreSet(store, name: "App.store", stage: .copy)
            _ = try StoreStamp(of: store, stage: .copy)
            _ = try StoreClone.make(
                of: store, name: "App.store", in: folder.makeFolder("clone"), stage: .copy,
                context: .sample(lockTimeoutMilliseconds: 10_000))
        }

        @Test("a reader keeps its lock while its process reads the store's header or clones it")
        func reader() throws {
            let reader = try SQLiteReader(
                path: store, name: "App.store", stage: .copy, busyMilliseconds: 0, cancellation: Cancellation())
            #expect(try ForeignLocks.isLocked(store, .shared))
            try look()
            #expect(try ForeignLocks.isLocked(store, .shared))
            #expect(try reader.connection.first("SELECT count(*) FROM Bird") == .integer(1))
            _ = consume reader
            #expect(try !ForeignLocks.isLocked(store, .shared))
        }

        @Test("a writer keeps its lock too, in each journal mode", arguments: ["DELETE", "WAL"])
        func writer(journal: String) throws {
            let app = try SampleStore(store, journal: journal)
            let place: ForeignLocks.Place = journal == "WAL" ? .walWriter : .reserved
            let file = journal == "WAL" ? store + "-shm" : store
            let writer = try StoreWriter(existing: store, name: "App.store", stage: .copy, context: .sample())
            try writer.transaction(.copy) { _ throws(GodwitError) in
                do {
                    #expect(try ForeignLocks.isLocked(file, place))
                    try look()
                    #expect(try ForeignLocks.isLocked(file, place))
                    #expect(try ForeignLocks.isLocked(store, .shared))
                } catch { throw GodwitError(.copy, .bug, "\(error)") }
            }
            #expect(try !ForeignLocks.isLocked(file, place))
            try writer.close(.copy)
            try app.close()
        }

        @Test("nothing of a store stays open after SQLite closed it")
        func closes() throws {
            let before = openDescriptors()
            for _ in 0..<50 {
                let snapshot = try StoreSnapshot(of: store, name: "App.store", stage: .copy, context: .sample())
                try look()
                try folder.remove("clone")
                _ = consume snapshot
            }
            #expect(openDescriptors() == before)
        }

        /// The number of this process's descriptors of the store.
        private func openDescriptors() -> Int {
            PathText.names(in: "/proc/self/fd").count { PathText.real("/proc/self/fd/\($0)") == store }
        }
    }
#endif
