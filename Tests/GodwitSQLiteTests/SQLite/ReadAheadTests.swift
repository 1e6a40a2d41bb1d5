import Libc
import CSQLiteShim
import GodwitTestSupport
import Testing

/// The VFS for readers gives the same bytes as SQLite's own, and no older ones.
struct ReadAheadTests {
    static let window = 65536
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static var vfs: UnsafePointer<CChar> {
        get throws {
            let name: UnsafePointer<CChar>? = godwit_sqlite_reading_vfs()
            return try #require(name)
        }
    }

    /// A handle whose files are read by the VFS for readers, or by SQLite's own.
    private final class Handle {
        let pointer: OpaquePointer

        init(_ path: String, isAhead: Bool = true) throws {
            var opened: OpaquePointer?
            let access = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
            let code = sqlite3_open_v2(path, &opened, access, isAhead ? try ReadAheadTests.vfs : nil)
            pointer = try #require(opened)
            try #require(code == SQLITE_OK)
        }

        deinit { sqlite3_close_v2(pointer) }

        /// Each row's columns as text, separated by `|`.
        @discardableResult
        func run(_ sql: String) throws -> [String] {
            var statement: OpaquePointer?
            try #require(sqlite3_prepare_v2(pointer, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
            defer { sqlite3_finalize(statement) }
            var rows: [String] = []
            var code = sqlite3_step(statement)
            while code == SQLITE_ROW {
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                    }.joined(separator: "|"))
                code = sqlite3_step(statement)
            }
            try #require(code == SQLITE_DONE, "\(sql): \(code)")
            return rows
        }

        /// The VFS's own file: <https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html>.
        var file: UnsafeMutablePointer<sqlite3_file> {
            get throws {
                var file: UnsafeMutablePointer<sqlite3_file>?
                try #require(sqlite3_file_control(pointer, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK)
                return try #require(file)
            }
        }

        /// The bytes and the code of a read.
        func read(_ count: Int, at place: Int) throws -> (code: Int32, bytes: [UInt8]) {
            let file = try file
            var bytes = [UInt8](repeating: 0xEE, count: count)
            let code = file.pointee.pMethods.pointee.xRead(file, &bytes, Int32(count), Int64(place))
            return (code, bytes)
        }
    }

    /// A file of this size in which no two pages are equal; SQLite need not be able to read it.
    private func makeFile(_ count: Int, _ name: String = "f", salt: UInt8 = 0) throws -> String {
        try folder.write((0..<count).map { UInt8(truncatingIfNeeded: $0 / 512 ^ $0 >> 16 ^ $0) ^ salt }, to: name)
    }

    /// Replaces the bytes of a file, whose descriptors stay valid, by those of another.
    private func replaceBytes(of name: String, with salt: UInt8, _ count: Int) throws {
        let made = try makeFile(count, "other", salt: salt)
        let bytes = try folder.bytes(of: "other")
        try #require(made.hasSuffix("other"))
        let file = try #require(fopen(folder[name], "r+"))
        try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        fclose(file)
    }

    @Test(
        "any reads in any order give the same as SQLite's own VFS, also at and after the end of the file",
        arguments: [512, 4096, 32768, 65536], [0, 700, 65536, 65537, 200_000, 1 << 20])
    func sameBytes(page: Int, size: Int) throws {
        let path = try makeFile(size)
        let (ahead, plain) = (try Handle(path), try Handle(path, isAhead: false))
        let pages = size / page + 3
        var random = SeededGenerator(seed: UInt64(page + size))
        let orders = [
            Array(0..<pages), (0..<pages).reversed(),
            (0..<pages).map { _ in Int.random(in: 0..<pages, using: &random) },
            (0..<pages).flatMap { [$0, ($0 * 7) % pages] },
        ]
        for order in orders {
            for number in order {
                let (mine, theirs) = (try ahead.read(page, at: number * page), try plain.read(page, at: number * page))
                #expect(mine.code == theirs.code)
                #expect(mine.bytes == theirs.bytes)
            }
        }
    }

    @Test("reads of other sizes and offsets give the same too")
    func oddReads() throws {
        let path = try makeFile(300_000)
        let (ahead, plain) = (try Handle(path), try Handle(path, isAhead: false))
        var random = SeededGenerator(seed: 7)
        var place = 0
        for _ in 0..<2000 {
            let count = Int.random(in: 1...70_000, using: &random)
            place = Bool.random(using: &random) ? place + count : Int.random(in: 0..<310_000, using: &random)
            if place > 310_000 { place = 0 }
            let (mine, theirs) = (try ahead.read(count, at: place), try plain.read(count, at: place))
            #expect(mine.code == theirs.code)
            #expect(mine.bytes == theirs.bytes)
        }
    }

    @Test(
        "adjacent pages are read together: changes under the same lock are not seen, as in SQLite's cache"
    )
    func readsAhead() throws {
        let path = try makeFile(4 * Self.window)
        let handle = try Handle(path)
        let before = try handle.read(4096, at: 3 * 4096).bytes
        _ = try handle.read(4096, at: 0)
        _ = try handle.read(4096, at: 4096)
        try replaceBytes(of: "f", with: 0x55, 4 * Self.window)
        #expect(try handle.read(4096, at: 3 * 4096).bytes == before)
        // Another window, not read yet.
        let other = 3 * Self.window
        #expect(try handle.read(4096, at: other).bytes == Array(try folder.bytes(of: "f")[other..<other + 4096]))
    }

    /// Events that discard the bytes read ahead.
    enum Event: CaseIterable {
        case lock, unlock, write, truncate, sharedMemory
    }

    @Test("after each lock change and each write, everything is read again", arguments: Event.allCases)
    func forgets(event: Event) throws {
        let size = 4 * Self.window
        let handle = try Handle(try makeFile(size))
        let file = try handle.file
        let methods = file.pointee.pMethods.pointee
        if event == .unlock { #expect(methods.xLock(file, SQLITE_LOCK_SHARED) == SQLITE_OK) }
        let before = try handle.read(4096, at: 8192).bytes
        _ = try handle.read(4096, at: 4096)
        try replaceBytes(of: "f", with: 0x55, size)
        #expect(try handle.read(4096, at: 8192).bytes == before)
        switch event {
        case .lock: #expect(methods.xLock(file, SQLITE_LOCK_SHARED) == SQLITE_OK)
        case .unlock: #expect(methods.xUnlock(file, SQLITE_LOCK_NONE) == SQLITE_OK)
        case .write: #expect(methods.xWrite(file, [1, 2, 3], 3, Int64(size - 3)) == SQLITE_OK)
        case .truncate: #expect(methods.xTruncate(file, Int64(size - 4096)) == SQLITE_OK)
        case .sharedMemory: _ = methods.xShmUnmap(file, 0)
        }
        let after = Array(try folder.bytes(of: "f")[8192..<12288])
        #expect(after != before)
        #expect(try handle.read(4096, at: 8192).bytes == after)
        _ = methods.xUnlock(file, SQLITE_LOCK_NONE)
    }

    @Test(
        "a reader sees other commits between its transactions, in either journal mode",
        arguments: ["delete", "wal"])
    func seesCommits(mode: String) throws {
        let path = folder["s.store"]
        try SampleStore.make(path, "PRAGMA page_size = 1024; CREATE TABLE T(n INTEGER PRIMARY KEY, a)")
        let writer = try Handle(path, isAhead: false)
        try writer.run("PRAGMA journal_mode = \(mode)")
        let reader = try Handle(path)
        try reader.run("PRAGMA cache_size = 2")
        for round in 1...20 {
            try writer.run(
                "INSERT INTO T(a) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 500) "
                    + "SELECT printf('%0100d', x * \(round)) FROM c")
            try writer.run("UPDATE T SET a = a || '\(round)' WHERE n % 3 = 0")
            if round % 4 == 0 { try writer.run("PRAGMA wal_checkpoint(PASSIVE)") }
            let asked = "SELECT count(*), sum(length(a)), sum(n * unicode(substr(a, -1))) FROM T"
            #expect(try reader.run(asked) == (try writer.run(asked)))
            #expect(try reader.run("PRAGMA quick_check") == ["ok"])
        }
    }

    @Test(
        "a long transaction sees its own state while others commit and checkpoint"
    )
    func keepsState() throws {
        let path = folder["s.store"]
        try SampleStore.make(path, "CREATE TABLE T(n INTEGER PRIMARY KEY, a)")
        let writer = try Handle(path, isAhead: false)
        try writer.run("PRAGMA journal_mode = wal")
        let filling = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000) "
        try writer.run("INSERT INTO T(a) \(filling) SELECT printf('%0200d', x) FROM c")
        let reader = try Handle(path)
        try reader.run("PRAGMA cache_size = 2")
        try reader.run("BEGIN")
        let asked = "SELECT count(*), sum(length(a)), sum(n * unicode(substr(a, -1))) FROM T"
        let state = try reader.run(asked)
        for round in 1...5 {
            try writer.run("UPDATE T SET a = a || 'x' WHERE n % 5 = \(round % 5)")
            try writer.run("PRAGMA wal_checkpoint(PASSIVE)")
            #expect(try reader.run(asked) == state)
        }
        try reader.run("COMMIT")
        #expect(try reader.run(asked) == (try writer.run(asked)))
    }

    @Test(
        "data written through the VFS is read back, and the store is sound", arguments: ["delete", "wal", "truncate"])
    func writes(mode: String) throws {
        let path = folder["s.store"]
        try SampleStore.make(path, "CREATE TABLE T(n INTEGER PRIMARY KEY, a); CREATE INDEX T_a ON T(a)")
        let handle = try Handle(path)
        try handle.run("PRAGMA journal_mode = \(mode)")
        try handle.run("PRAGMA cache_size = 2")
        let filling = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 4000) "
        try handle.run("INSERT INTO T(a) \(filling) SELECT printf('%0150d', (x * 7919) % 4001) FROM c")
        try handle.run("BEGIN")
        try handle.run("UPDATE T SET a = a || n WHERE n % 2 = 0")
        try handle.run("DELETE FROM T WHERE n % 3 = 0")
        try handle.run("ROLLBACK")
        #expect(try handle.run("SELECT count(*), sum(length(a)) FROM T") == ["4000|600000"])
        try handle.run("DELETE FROM T WHERE n > 100")
        try handle.run("VACUUM")
        #expect(try handle.run("SELECT count(*), sum(length(a)) FROM T") == ["100|15000"])
        #expect(try handle.run("PRAGMA integrity_check") == ["ok"])
        #expect(try Handle(path, isAhead: false).run("PRAGMA integrity_check") == ["ok"])
    }

    @Test("SQLite's own VFS stays the default")
    func isNotDefault() throws {
        let name = try Self.vfs
        #expect(try Self.vfs == name)
        #expect(sqlite3_vfs_find(name) != nil)
        #expect(sqlite3_vfs_find(nil) != sqlite3_vfs_find(name))
    }
}
