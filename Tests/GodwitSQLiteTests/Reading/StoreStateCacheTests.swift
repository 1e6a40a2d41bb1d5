import GodwitFiles
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitTestSupport
import Testing

/// What a run knows of a store is valid until the store is written to.
struct StoreStateCacheTests {
    private let folder: TemporaryFolder
    private let context = RunContext.sample()

    init() throws { folder = try TemporaryFolder() }

    private func make(_ journal: String) throws -> SampleStore {
        try SampleStore(
            folder["a.store"], journal: journal,
            """
            CREATE TABLE Note(id INTEGER PRIMARY KEY, a TEXT);
            CREATE INDEX NoteA ON Note(a);
            INSERT INTO Note WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000)
            SELECT x, 'a' || x FROM n
            """)
    }

    private func look(checking: Bool = true) throws(GodwitError) -> [UInt8]? {
        try StoreSnapshot(
            of: folder["a.store"], name: "a", stage: .copy, context: context, checkingIntegrity: checking
        ).state
    }

    /// A valid state, which needs files older than the clock's resolution.
    private func settled(checking: Bool = true) throws -> [UInt8] {
        for _ in 0..<100 {
            if let state = try look(checking: checking) { return state }
            pause(milliseconds: 5)
        }
        throw GodwitError(.copy, .bug, "The store never settled.")
    }

    @Test("a checked store is known to be sound, and one that was only read is not", arguments: ["DELETE", "WAL"])
    func noted(journal: String) throws {
        let store = try make(journal)
        let unchecked = try settled(checking: false)
        #expect(!context.known.isKnown(.sound, of: unchecked))
        let state = try settled()
        #expect(state == unchecked)
        #expect(context.known.isKnown(.sound, of: state))
        #expect(!context.known.isKnown(.deduped, of: state))
        try store.close()
    }

    @Test("a commit of another process gives a new state", arguments: ["DELETE", "WAL", "TRUNCATE", "PERSIST"])
    func committed(journal: String) throws {
        let store = try make(journal)
        var states = [try settled()]
        for number in 0..<3 {
            try store.execute("UPDATE Note SET a = 'b' WHERE id = \(number + 1)")
            let state = try settled(checking: false)
            #expect(!states.contains(state))
            #expect(!context.known.isKnown(.sound, of: state))
            states.append(state)
        }
        try store.close()
    }

    @Test("damage after a check is found by the next check")
    func damaged() throws {
        try make("DELETE").close()
        _ = try settled()
        var bytes = try folder.bytes(of: "a.store")
        bytes.replaceSubrange(8192..<12_288, with: Array(repeating: 0xA5, count: 4096))
        pause(milliseconds: 10)
        try folder.write(bytes, to: "a.store")
        #expect(failure { try look() }?.code == .data)
    }

    @Test("a known fact is not checked again, and other runs do not know it")
    func once() throws {
        try make("DELETE").close()
        var bytes = try folder.bytes(of: "a.store")
        bytes.replaceSubrange(8192..<12_288, with: Array(repeating: 0xA5, count: 4096))
        try folder.write(bytes, to: "a.store")
        let state = try look(checking: false)
        context.known.note(.sound, of: state)
        #expect(try look() == state)
        let another = RunContext.sample()
        let error = failure {
            _ = try StoreSnapshot(of: folder["a.store"], name: "a", stage: .copy, context: another)
        }
        #expect(error?.code == .data)
    }

    @Test("renaming a store keeps its state")
    func renamed() throws {
        try make("DELETE").close()
        let state = try look()
        try FileManager.default.moveItem(atPath: folder["a.store"], toPath: folder["b.store"])
        let snapshot = try StoreSnapshot(of: folder["b.store"], name: "b", stage: .copy, context: context)
        #expect(snapshot.state == state && state != nil)
    }

    @Test("a fact of an unknown state is never known")
    func unresolved() {
        context.known.note(.sound, of: nil)
        #expect(!context.known.isKnown(.sound, of: nil))
    }
}
