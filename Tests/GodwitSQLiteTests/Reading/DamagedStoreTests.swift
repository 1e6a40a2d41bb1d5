import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// Damaged stores of many kinds give exit code 65, and never a crash or a partial result.
struct DamagedStoreTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SampleStore.make(
            folder["good.store"],
            """
            CREATE TABLE Note(id INTEGER PRIMARY KEY, a TEXT, b TEXT);
            CREATE INDEX NoteA ON Note(a);
            INSERT INTO Note WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000)
            SELECT x, 'a' || x, 'b' || (9999 - x) FROM n
            """)
    }

    private func refusal(_ name: String) -> GodwitError? {
        failure { _ = try StoreSnapshot(of: folder[name], name: name, stage: .copy, context: .sample()) }
    }

    private func damage(_ change: (inout [UInt8]) -> Void) throws {
        var bytes = try folder.bytes(of: "good.store")
        change(&bytes)
        try folder.write(bytes, to: "bad.store")
    }

    @Test("the store before the damage is sound")
    func good() { #expect(refusal("good.store") == nil) }

    @Test("a truncated store is rejected", arguments: [100, 512, 4096, 4097, 20_000, 60_000])
    func cutOff(size: Int) throws {
        try damage { $0 = Array($0[..<size]) }
        #expect(refusal("bad.store")?.code == .data)
    }

    @Test("a page of noise or zeros is rejected", arguments: [1, 2, 3, 5, 8], [UInt8(0), 0xA5])
    func damagedPage(page: Int, filling: UInt8) throws {
        try damage { $0.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Array(repeating: filling, count: 4096)) }
        let error = refusal("bad.store")
        #expect(error?.code == .data)
        #expect(error?.stage == .copy)
        #expect(error?.hint != nil)
    }

    @Test("any wrong byte in the first page's tree header gives 65 or is harmless, and never crashes")
    func everyHeaderByte() throws {
        for place in 100..<112 {
            try damage { $0[place] ^= 0xFF }
            if let error = refusal("bad.store") { #expect(error.code == .data, "byte \(place)") }
        }
    }

    @Test("an index that differs from its table does not damage reads, and only the full check finds it")
    func wrongIndex() throws {
        try folder.copy("good.store", to: "bad.store")
        let store = try SampleStore(folder["bad.store"])
        try store.execute("PRAGMA writable_schema=ON")
        try store.execute("UPDATE sqlite_schema SET sql = 'CREATE INDEX NoteA ON Note(b)' WHERE name = 'NoteA'")
        try store.close()
        #expect(refusal("bad.store") == nil)
        #expect(finding(.whole, in: folder["bad.store"])?.contains("NoteA") == true)
    }

    @Test("a schema that is not SQL is rejected")
    func wrongSchema() throws {
        try folder.copy("good.store", to: "bad.store")
        let store = try SampleStore(folder["bad.store"])
        try store.execute("PRAGMA writable_schema=ON")
        try store.execute("UPDATE sqlite_schema SET sql = 'CREATE TABLE Note(' WHERE name = 'Note'")
        try store.close()
        #expect(refusal("bad.store")?.code == .data)
    }

    @Test("an encrypted store gives 65 with a hint")
    func encrypted() throws {
        var random = SystemRandomNumberGenerator()
        try folder.write((0..<8192).map { _ in UInt8(truncatingIfNeeded: random.next()) }, to: "bad.store")
        let error = refusal("bad.store")
        #expect(error?.code == .data)
        #expect(error?.hint?.contains("decrypted") == true)
    }

    @Test("a -wal file of noise is not replayed, and the rows of the main file are read")
    func noiseInLog() throws {
        try SampleStore.make(folder["wal.store"], journal: "WAL", "CREATE TABLE Note(id); INSERT INTO Note VALUES (7)")
        try folder.write((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 37) }, to: "wal.store-wal")
        let snapshot = try StoreSnapshot(of: folder["wal.store"], name: "wal", stage: .copy, context: .sample())
        #expect(try snapshot.connection.rows("SELECT id FROM Note") == [[.integer(7)]])
    }

    @Test("messages name the store as the caller does, not its clone")
    func naming() throws {
        try damage { $0.replaceSubrange(4096..<8192, with: Array(repeating: 0xA5, count: 4096)) }
        let error = failure {
            _ = try StoreSnapshot(
                of: folder["bad.store"], name: "Library/TrainLog.store", stage: .copy, context: .sample())
        }
        #expect(error?.message == "`Library/TrainLog.store` is not a usable SQLite store")
    }
}
