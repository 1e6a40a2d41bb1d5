import GodwitFiles
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Synchronization
import Testing

/// Further readers of a store, which check it during other reads.
struct StoreReadersTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let values = (1...500).map { "(\($0), 'a\($0 % 99)', \($0))" }.joined(separator: ", ")

    private func make(_ name: String, change: String = "") throws {
        try ForgedIndex(values: Self.values, change: change).make(at: folder[name])
    }

    private func open(_ name: String, cancellation: Cancellation = Cancellation()) throws -> StoreSnapshot {
        try StoreSnapshot(
            of: folder[name], name: name, stage: .verify, context: .sample(cancellation: cancellation),
            checkingIntegrity: false)
    }

    @Test("a check runs on its own thread while its store is read, and changes nothing")
    func duringReads() throws {
        try make("bad.store", change: "DELETE FROM S WHERE rowid = 77")
        let before = try folder.fingerprint()
        let snapshot = try open("bad.store")
        let readers = snapshot.readers
        let found = Mutex<GodwitError?>(nil)
        let thread = try #require(
            WorkerThread { found.withLock { $0 = failure { try readers.checkIntegrity(.whole) } } })
        #expect(try snapshot.connection.countRecords(of: "T") == 500)
        thread.join()
        let error = found.withLock { $0 }
        #expect(error?.code == .data && error?.stage == .verify)
        #expect(error?.message == "`bad.store` is not a usable SQLite store")
        #expect(error?.underlying == "row 77 missing from index J")
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("rows that are only in the -wal file are read by each connection")
    func log() throws {
        let app = try SampleStore(
            folder["a.store"], journal: "WAL",
            "PRAGMA wal_autocheckpoint=0; CREATE TABLE T(a); CREATE INDEX J ON T(a); CREATE INDEX K ON T(a DESC)")
        try app.execute("INSERT INTO T VALUES ('one'), ('two'), ('two')")
        let before = try folder.fingerprint()
        let snapshot = try open("a.store")
        #expect(snapshot.path != folder["a.store"])
        try snapshot.readers.checkIntegrity(.whole)
        #expect(try snapshot.connection.countRecords(of: "T") == 3)
        _ = consume snapshot
        #expect(try folder.fingerprint().differences(from: before) == [])
        try app.close()
    }

    @Test("a file that replaced the store is not checked instead of it")
    func replaced() throws {
        try make("bad.store", change: "DELETE FROM S WHERE rowid = 77")
        let snapshot = try open("bad.store")
        try make("good.store")
        let good = try folder.bytes(of: "good.store")
        try folder.remove("bad.store")
        #expect(failure { try snapshot.readers.checkIntegrity(.quick) }?.code == .noInput)
        try folder.write(good, to: "bad.store")
        let error = failure { try snapshot.readers.checkIntegrity(.quick) }
        #expect(error?.code == .busy)
        #expect(error?.message.contains("replaced") == true)
    }

    @Test("a cancelled check ends like a cancelled run")
    func cancelled() throws {
        try make("good.store")
        let cancellation = Cancellation()
        let snapshot = try open("good.store", cancellation: cancellation)
        cancellation.cancel()
        #expect(failure { try snapshot.readers.checkIntegrity(.quick) }?.code == .interrupted)
    }
}

#if os(Linux)
    extension StoreReadersTests {
        @Test("other processes stay locked out after the connections of a check are closed")
        func lock() throws {
            try make("good.store")
            let snapshot = try open("good.store")
            try snapshot.readers.checkIntegrity(.quick)
            #expect(try ForeignLocks.isLocked(folder["good.store"], .shared))
            _ = consume snapshot
            #expect(try !ForeignLocks.isLocked(folder["good.store"], .shared))
        }
    }
#endif
