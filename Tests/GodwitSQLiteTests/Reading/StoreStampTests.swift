import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// Whether a store was committed to: what SQLite's counter shows, and where it does not.
struct StoreStampTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A store of a hundred pages whose app keeps five of them in memory.
    private func app() throws -> SampleStore {
        try SampleStore(
            folder["app.store"], journal: "DELETE", cachePages: 5,
            """
            CREATE TABLE Note(id INTEGER PRIMARY KEY, body TEXT);
            INSERT INTO Note WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 400)
            SELECT x, 'kept' || hex(zeroblob(500)) FROM n
            """)
    }

    private func stamp() throws -> StoreStamp { try StoreStamp(of: folder["app.store"], stage: .copy, isSettled: true) }

    @Test("a commit changes the counter in the header, and without a commit it stays")
    func counter() throws {
        let app = try app()
        let before = try stamp()
        #expect(try stamp() == before)
        try app.execute("UPDATE Note SET body = 'lost' || hex(zeroblob(500)) WHERE id = 1")
        #expect(try stamp() != before)
        try app.close()
    }

    @Test("the second commit of an app in exclusive mode keeps the counter, and is noticed")
    func exclusive() throws {
        let app = try app()
        try app.execute("PRAGMA locking_mode = EXCLUSIVE")
        try app.execute("UPDATE Note SET body = 'lost' || hex(zeroblob(500)) WHERE id = 1")
        try app.execute("BEGIN")
        try app.execute("UPDATE Note SET body = 'more' || hex(zeroblob(500))")
        let (before, head) = (try stamp(), try folder.bytes(of: "app.store").prefix(100))
        try app.execute("COMMIT")
        #expect(try folder.bytes(of: "app.store").prefix(100) == head, "what this is about")
        #expect(try stamp() != before)
        try app.close()
    }
}
