import GodwitFiles
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

struct StoreSnapshotTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let schema = "CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT)"

    private func open(_ name: String, context: RunContext = .sample()) throws -> StoreSnapshot {
        try StoreSnapshot(of: folder[name], name: name, stage: .copy, context: context)
    }

    private func bodies(_ name: String) throws -> [String] {
        let snapshot = try open(name)
        return try snapshot.connection.rows("SELECT body FROM Note ORDER BY id").map { $0[0].readable }
    }

    @Test("a store in rollback mode is read in place: no byte, no time and no new file")
    func inPlace() throws {
        try SampleStore.make(folder["a.store"], schema + "; INSERT INTO Note VALUES ('1', 'one')")
        try folder.setModified(seconds: 1_600_000_000, of: "a.store")
        let before = try folder.fingerprint()
        let snapshot = try open("a.store")
        #expect(try snapshot.connection.countRecords(of: "Note") == 1)
        #expect(snapshot.path == folder["a.store"])
        #expect(snapshot.modified == Instant(seconds: 1_600_000_000))
        #expect(snapshot.warnings.isEmpty)
        #expect(try folder.fingerprint().differences(from: before) == [])
        _ = consume snapshot
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("rows that are only in the -wal file are read, and no file changes, -shm included")
    func walWithLiveApp() throws {
        let app = try SampleStore(
            folder["a.store"], journal: "WAL",
            "PRAGMA wal_autocheckpoint=0; \(schema); INSERT INTO Note VALUES ('1', 'one'), ('2', 'two')")
        let before = try folder.fingerprint()
        #expect(before.names == ["a.store", "a.store-shm", "a.store-wal"])
        let snapshot = try open("a.store")
        #expect(try snapshot.connection.countRecords(of: "Note") == 2)
        #expect(snapshot.path != folder["a.store"])
        #expect(snapshot.warnings.isEmpty)
        let clone = snapshot.path
        _ = consume snapshot
        #expect(try FileStatus.of(clone) == nil)
        #expect(try folder.fingerprint().differences(from: before) == [])
        try app.close()
    }

    @Test("a store copied without its -shm file is read, and gets none")
    func walCopied() throws {
        let app = try SampleStore(
            folder["a.store"], journal: "WAL",
            "PRAGMA wal_autocheckpoint=0; \(schema); INSERT INTO Note VALUES ('1', 'one')")
        try folder.makeFolder("device")
        try folder.copyStore("a.store", to: "device/a.store")
        try app.close()
        let before = try folder.fingerprint()
        #expect(try bodies("device/a.store") == ["one"])
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("uncommitted frames in the -wal file are not read")
    func walUncommitted() throws {
        let app = try SampleStore(
            folder["a.store"], journal: "WAL", cachePages: 5,
            "PRAGMA wal_autocheckpoint=0; \(schema); INSERT INTO Note VALUES ('1', 'kept')")
        let size = try FileStatus.of(folder["a.store-wal"])?.size ?? 0
        try app.execute("BEGIN")
        try app.execute(
            """
            INSERT INTO Note WITH RECURSIVE n(x) AS (SELECT 2 UNION ALL SELECT x + 1 FROM n WHERE x < 500)
            SELECT x, 'torn' || hex(zeroblob(500)) FROM n
            """)
        #expect(try FileStatus.of(folder["a.store-wal"])?.size ?? 0 > size, "the transaction has to spill")
        #expect(try bodies("a.store") == ["kept"])
        try app.execute("ROLLBACK")
        try app.close()
    }

    @Test("a WAL store without its -wal file is read with a warning, and no -wal file is made")
    func walMissing() throws {
        try SampleStore.make(folder["a.store"], journal: "WAL", schema + "; INSERT INTO Note VALUES ('1', 'one')")
        let before = try folder.fingerprint()
        #expect(before.names == ["a.store"])
        let snapshot = try open("a.store")
        #expect(try snapshot.connection.countRecords(of: "Note") == 1)
        #expect(snapshot.warnings.map(\.code) == ["walMissing"])
        _ = consume snapshot
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("a link to a store finds the -wal file next to the store")
    func linkToStore() throws {
        try folder.makeFolder("real")
        let app = try SampleStore(
            folder["real/a.store"], journal: "WAL",
            "PRAGMA wal_autocheckpoint=0; \(schema); INSERT INTO Note VALUES ('1', 'one')")
        try folder.makeLink("link.store", to: "real/a.store")
        #expect(try bodies("link.store") == ["one"])
        #expect(try open("link.store").warnings.isEmpty)
        try app.close()
    }

    @Test("a half-written transaction of a killed app is rolled back only in the clone")
    func hotJournal() throws {
        try HotJournal.make(in: folder, "hot.store")
        let before = try folder.fingerprint()
        #expect(try bodies("hot.store") == HotJournal.bodies)
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("a first page torn by a power cut is restored from the journal, for reading and writing")
    func tornFirstPage() throws {
        try HotJournal.make(in: folder, "hot.store")
        var bytes = try folder.bytes(of: "hot.store")
        for place in 0..<512 { bytes[place] = 0 }
        try folder.write(bytes, to: "hot.store")
        let before = try folder.fingerprint()
        #expect(try bodies("hot.store") == HotJournal.bodies)
        #expect(try folder.fingerprint().differences(from: before) == [])
        let writer = try StoreWriter(
            existing: folder["hot.store"], name: "hot.store", stage: .schema, context: .sample())
        let count = try writer.read(.schema) { store throws(GodwitError) in try store.countRecords(of: "Note") }
        #expect(count == Int64(HotJournal.bodies.count))
        try writer.close(.schema)
    }

    @Test("a torn first page without a journal is not a store")
    func tornFirstPageAlone() throws {
        try folder.write([UInt8](repeating: 0, count: 4096), to: "a.store")
        try folder.write([UInt8](), to: "a.store-journal")
        #expect(failure { _ = try open("a.store") }?.code == .data)
        try folder.write("no journal at all", to: "a.store-journal")
        #expect(failure { _ = try open("a.store") }?.code == .data)
    }

    @Test("a journal that an app keeps and marks as finished is not replayed")
    func persistentJournal() throws {
        let app = try SampleStore(
            folder["a.store"], journal: "PERSIST", schema + "; INSERT INTO Note VALUES ('1', 'one')")
        try app.execute("UPDATE Note SET body = 'two'")
        #expect(folder.names() == ["a.store", "a.store-journal"])
        let before = try folder.fingerprint()
        #expect(try bodies("a.store") == ["two"])
        #expect(try folder.fingerprint().differences(from: before) == [])
        try app.close()
    }

    @Test("a writer in rollback mode gives 75 after the timeout")
    func lockedForWriting() throws {
        let app = try SampleStore(folder["a.store"], schema)
        try app.execute("BEGIN EXCLUSIVE")
        let error = failure { _ = try open("a.store") }
        #expect(error?.code == .busy)
        #expect(error?.stage == .copy)
        try app.execute("ROLLBACK")
        _ = try open("a.store")
        try app.close()
    }

    @Test("a journal cannot make SQLite delete the file that it names as super-journal")
    func superJournal() throws {
        try HotJournal.make(in: folder, "hot.store")
        try folder.write("another program's only copy", to: "precious")
        try HotJournal.nameSuperJournal(folder["precious"], in: folder, "hot.store-journal")
        let before = try folder.fingerprint()
        #expect(try bodies("hot.store") == HotJournal.bodies)
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("a journal without its super-journal belongs to a committed transaction")
    func superJournalGone() throws {
        try HotJournal.make(in: folder, "hot.store")
        try HotJournal.nameSuperJournal(folder["gone"], in: folder, "hot.store-journal")
        let snapshot = try StoreSnapshot(
            of: folder["hot.store"], name: "hot", stage: .copy, context: .sample(), checkingIntegrity: false)
        let rows = try snapshot.connection.rows("SELECT 1 FROM Note WHERE body LIKE 'torn%' LIMIT 1")
        #expect(rows == [[.integer(1)]])
    }
}

/// A store in rollback mode whose writer crashed in the middle of a transaction.
enum HotJournal {
    static let bodies = (0..<400).map { _ in "kept" }

    /// Copies a store with its journal while a transaction larger than the cache is open, as a crash leaves it.
    static func make(in folder: TemporaryFolder, _ name: String) throws {
        let app = try SampleStore(
            folder["live.store"], journal: "DELETE", cachePages: 5,
            """
            CREATE TABLE Note(id INTEGER PRIMARY KEY, body TEXT);
            INSERT INTO Note WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 400)
            SELECT x, 'kept' FROM n
            """)
        try app.execute("BEGIN")
        try app.execute("UPDATE Note SET body = 'torn' || hex(zeroblob(500))")
        try folder.copyStore("live.store", to: name)
        try app.execute("ROLLBACK")
        try app.close()
        try folder.remove("live.store")
        let bytes = try folder.bytes(of: name)
        #expect(String(decoding: bytes, as: UTF8.self).contains("torn"), "the transaction has to spill")
    }

    /// Gives a journal the end of a transaction over several files: <https://sqlite.org/fileformat.html>, and
    /// `writeSuperJournal` in SQLite's pager.c.
    static func nameSuperJournal(_ path: String, in folder: TemporaryFolder, _ name: String) throws {
        func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        let text = Array(path.utf8)
        let sum = text.reduce(UInt32(0)) { $0 + UInt32($1) }
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let lockPage: UInt32 = 0x4000_0000 / 4096 + 1
        let tail = big(lockPage) + text + big(UInt32(text.count)) + big(sum) + magic
        try folder.write(folder.bytes(of: name) + tail, to: name)
    }
}
