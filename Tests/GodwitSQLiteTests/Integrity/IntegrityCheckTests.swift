import GodwitFiles
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitTestSupport
import Testing

/// A store that is checked during other reads of it.
struct IntegrityCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A store of 6 MB, or of 0.1 MB.
    private func make(_ journal: String = "DELETE", isLarge: Bool = true) throws -> SampleStore {
        try SampleStore(
            folder["a.store"], journal: journal,
            """
            CREATE TABLE Note(id INTEGER PRIMARY KEY, a TEXT, b BLOB);
            CREATE INDEX NoteA ON Note(a);
            INSERT INTO Note WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000)
            SELECT x, 'a' || x, zeroblob(\(isLarge ? 3000 : 0)) FROM n
            """)
    }

    private func open(_ context: RunContext) throws(GodwitError) -> StoreSnapshot {
        try StoreSnapshot(
            of: folder["a.store"], name: "Library/A.store", stage: .verify, context: context, checkingIntegrity: false)
    }

    private func damage() throws {
        var bytes = try folder.bytes(of: "a.store")
        bytes.replaceSubrange(8192..<12_288, with: Array(repeating: 0xA5, count: 4096))
        try folder.write(bytes, to: "a.store")
    }

    @Test("a sound store passes while it is read, and is then known to be sound", arguments: ["DELETE", "WAL"])
    func sound(journal: String) throws {
        let store = try make(journal)
        // The state of a log younger than the clock's resolution can't be known.
        pause(milliseconds: 20)
        let context = RunContext.sample()
        let snapshot = try open(context)
        let check = IntegrityCheck(of: snapshot, context: context)
        #expect(try snapshot.connection.countRecords(of: "Note") == 2000)
        try check.require()
        try check.require()
        #expect(context.known.isKnown(.sound, of: snapshot.state))
        try store.close()
    }

    @Test("a small store is checked before the check's start returns, on the same connection")
    func small() throws {
        try make(isLarge: false).close()
        let context = RunContext.sample()
        let snapshot = try open(context)
        let isLarge = snapshot.isLarge
        #expect(!isLarge)
        let check = IntegrityCheck(of: snapshot, context: context)
        // After this no other process can open it.
        try FileManager.default.moveItem(atPath: folder["a.store"], toPath: folder["b.store"])
        try check.require()
    }

    @Test("a damaged store gives 65 with the message of a check that is waited for", arguments: [true, false])
    func damaged(isLarge: Bool) throws {
        try make(isLarge: isLarge).close()
        try damage()
        let context = RunContext.sample()
        let snapshot = try open(context)
        let check = IntegrityCheck(of: snapshot, context: context)
        let error = failure { try check.require() }
        let waited = failure {
            _ = try StoreSnapshot(of: folder["a.store"], name: "Library/A.store", stage: .verify, context: context)
        }
        #expect(error?.code == .data && error?.message == waited?.message)
        #expect(error?.underlying == waited?.underlying && error?.stage == waited?.stage)
        #expect(!context.known.isKnown(.sound, of: snapshot.state))
    }

    @Test("a large value is not read during other work: the check runs when it is required")
    func largeValue() throws {
        let store = try make()
        let long = Int(StoreReaders.longestBesideOthers) + 1
        try store.execute("UPDATE Note SET a = printf('%.\(long)c', 'a') WHERE id = 7")
        try store.close()
        pause(milliseconds: 20)
        let context = RunContext.sample()
        let snapshot = try open(context)
        #expect(failure { try snapshot.readers.checkIntegrity(.whole, isBesideOthers: true) } != nil)
        let check = IntegrityCheck(of: snapshot, .whole, context: context)
        #expect(!check.isSound())
        try check.require()
        #expect(check.isSound())
        #expect(context.known.isKnown(.soundWithIndexes, of: snapshot.state))
    }

    @Test("a known or unrequested fact is not checked")
    func skipped() throws {
        try make().close()
        try damage()
        let context = RunContext.sample()
        let snapshot = try open(context)
        try IntegrityCheck(of: snapshot, context: context, isAsked: false).require()
        context.known.note(.sound, of: snapshot.state)
        try IntegrityCheck(of: snapshot, context: context).require()
    }

    @Test("a check that no one requires ends with its owner")
    func abandoned() throws {
        try make().close()
        let context = RunContext.sample()
        do {
            let snapshot = try open(context)
            _ = IntegrityCheck(of: snapshot, context: context)
        }
        // The store is unlocked: a writer gets its lock at once.
        let store = try SampleStore(folder["a.store"])
        try store.execute("BEGIN EXCLUSIVE; ROLLBACK")
        try store.close()
    }

    @Test("a cancelled run ends its checks too")
    func cancelled() throws {
        try make().close()
        let cancellation = Cancellation()
        let context = RunContext.sample(cancellation: cancellation)
        let snapshot = try open(context)
        cancellation.cancel()
        let error = failure { try IntegrityCheck(of: snapshot, context: context).require() }
        #expect(error == nil || error?.code == .interrupted)
    }
}
