import GodwitFiles
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Synchronization
import Testing

/// The same check by several threads, and during other reads of the store.
struct SoundnessCheckTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let values = (1...500).map { "(\($0), 'a\($0 % 99)', \($0))" }.joined(separator: ", ")

    private func make(_ name: String, change: String = "") throws {
        try ForgedIndex(
            values: Self.values, change: change, more: "CREATE INDEX TB ON T(b); CREATE INDEX TA ON T(a)"
        ).make(at: folder[name])
    }

    private func open(_ name: String, cancellation: Cancellation = Cancellation()) throws -> StoreSnapshot {
        try StoreSnapshot(
            of: folder[name], name: name, stage: .verify, context: .sample(cancellation: cancellation),
            checkingIntegrity: false)
    }

    private func check(_ snapshot: borrowing StoreSnapshot, threads: Int) -> SoundnessCheck {
        var check = snapshot.soundness
        (check.size, check.threads) = (0, threads)
        return check
    }

    @Test("any number of threads gives the same verdict, also during another read", arguments: 1...5)
    func threads(count: Int) throws {
        try make("good.store")
        try make("bad.store", change: "UPDATE S SET b = b + 1, a = 'other' WHERE rowid = 77")
        let before = try folder.fingerprint()
        for (name, finding) in [("good.store", nil), ("bad.store", "row 77 missing from index J")] {
            let snapshot = try open(name)
            let records = try snapshot.connection.prepare("SELECT a FROM T")
            #expect(try records.step())
            let check = check(snapshot, threads: count)
            if finding == nil { #expect(try check.run() == ["T"]) }
            #expect(failure { try check.run() }?.underlying == finding)
            #expect(failure { try check.run(on: snapshot.reader) }?.underlying == finding)
            #expect(try records.step())
        }
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("a check runs on its own thread while its store is read")
    func duringReads() throws {
        try make("bad.store", change: "DELETE FROM S WHERE rowid = 77")
        let snapshot = try open("bad.store")
        let check = check(snapshot, threads: 1)
        let found = Mutex<GodwitError?>(nil)
        let thread = try #require(WorkerThread { found.withLock { $0 = failure { try check.run() } } })
        #expect(try snapshot.connection.countRecords(of: "T") == 500)
        thread.join()
        let error = found.withLock { $0 }
        #expect(error?.code == .data && error?.stage == .verify)
        #expect(error?.message == "`bad.store` is not a usable SQLite store")
        #expect(error?.underlying == "row 77 missing from index J")
    }

    @Test("rows that are only in the -wal file are read by each connection of the check")
    func log() throws {
        let app = try SampleStore(
            folder["a.store"], journal: "WAL",
            "PRAGMA wal_autocheckpoint=0; CREATE TABLE T(a); CREATE INDEX J ON T(a); CREATE INDEX K ON T(a DESC)")
        try app.execute("INSERT INTO T VALUES ('one'), ('two'), ('two')")
        let before = try folder.fingerprint()
        let snapshot = try open("a.store")
        #expect(snapshot.path != folder["a.store"])
        try check(snapshot, threads: 3).run()
        #expect(try check(snapshot, threads: 3).run(on: snapshot.reader) == ["T"])
        #expect(try snapshot.connection.countRecords(of: "T") == 3)
        _ = consume snapshot
        #expect(try folder.fingerprint().differences(from: before) == [])
        try app.close()
    }

    @Test("without a thread or a further connection, one thread checks everything")
    func single() throws {
        try make("bad.store", change: "DELETE FROM S WHERE rowid = 77")
        let snapshot = try open("bad.store")
        var check = check(snapshot, threads: 4)
        check.startThread = { _ in nil }
        #expect(failure { try check.run(on: snapshot.reader) }?.underlying == "row 77 missing from index J")
        check.startThread = { WorkerThread($0) }
        try folder.remove("bad.store")
        #expect(failure { try check.run(on: snapshot.reader) }?.underlying == "row 77 missing from index J")
        #expect(failure { try check.run() }?.code == .noInput)
    }

    @Test("a file that replaced the store is not checked instead of it")
    func replaced() throws {
        try make("bad.store", change: "DELETE FROM S WHERE rowid = 77")
        let snapshot = try open("bad.store")
        let check = check(snapshot, threads: 4)
        try make("good.store")
        let good = try folder.bytes(of: "good.store")
        try folder.remove("bad.store")
        try folder.write(good, to: "bad.store")
        let error = failure { try check.run() }
        #expect(error?.code == .busy)
        #expect(error?.message.contains("replaced") == true)
        #expect(failure { try check.run(on: snapshot.reader) }?.underlying == "row 77 missing from index J")
    }

    @Test("a cancelled check ends like a cancelled run", arguments: [1, 3])
    func cancelled(threads: Int) throws {
        try make("good.store")
        let cancellation = Cancellation()
        let snapshot = try open("good.store", cancellation: cancellation)
        cancellation.cancel()
        #expect(failure { try check(snapshot, threads: threads).run(on: snapshot.reader) }?.code == .interrupted)
    }
}

#if os(Linux)
    extension SoundnessCheckTests {
        @Test("other processes stay locked out after the connections of a check are closed")
        func lock() throws {
            try make("good.store")
            let snapshot = try open("good.store")
            try check(snapshot, threads: 3).run(on: snapshot.reader)
            try check(snapshot, threads: 3).run()
            #expect(try ForeignLocks.isLocked(folder["good.store"], .shared))
            _ = consume snapshot
            #expect(try !ForeignLocks.isLocked(folder["good.store"], .shared))
        }
    }
#endif
