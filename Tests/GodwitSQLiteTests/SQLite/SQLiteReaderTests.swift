import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

struct SQLiteReaderTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> SQLiteReader {
        try SQLiteReader(
            path: folder["a.store"], name: "a.store", stage: .export, busyMilliseconds: 0,
            cancellation: Cancellation())
    }

    @Test("a reader of a WAL store sees one state to its end, though an app commits")
    func oneStateInWAL() throws {
        let app = try SampleStore(
            folder["a.store"], journal: "WAL", "CREATE TABLE Note(id); INSERT INTO Note VALUES (1)")
        let reader = try open()
        try app.execute("INSERT INTO Note VALUES (2)")
        #expect(try reader.connection.countRecords(of: "Note") == 1)
        try app.execute("CREATE TABLE More(id)")
        #expect(try reader.connection.readShape().tables.map(\.name) == ["Note"])
        _ = consume reader
        let later = try open()
        #expect(try later.connection.countRecords(of: "Note") == 2)
        _ = consume later
        try app.close()
    }

    @Test("a reader of a store in rollback mode blocks writers until it is closed")
    func holdsWritersOff() throws {
        let app = try SampleStore(folder["a.store"], "CREATE TABLE Note(id); INSERT INTO Note VALUES (1)")
        let reader = try open()
        #expect(throws: (any Error).self) { try app.execute("INSERT INTO Note VALUES (2)") }
        #expect(try reader.connection.countRecords(of: "Note") == 1)
        _ = consume reader
        try app.execute("INSERT INTO Note VALUES (2)")
        let count = try app.integer("SELECT count(*) FROM Note")
        #expect(count == 2)
        try app.close()
    }

    @Test("a missing file gives 66, and is not created")
    func missing() {
        let error = failure { _ = try open() }
        #expect(error?.code == .noInput)
        #expect(error?.stage == .export)
        #expect(folder.names() == [])
    }

    @Test("a path is used unchanged: no URI, no parameters")
    func noURI() throws {
        try SampleStore.make(folder["a.store"], "CREATE TABLE Note(id)")
        let error = failure {
            _ = try SQLiteReader(
                path: "file:\(folder["a.store"])?immutable=1", name: "a", stage: .export, busyMilliseconds: 0,
                cancellation: Cancellation())
        }
        #expect(error?.code == .noInput)
        try SampleStore.make(folder["odd?mode=memory#x%20.store"], "CREATE TABLE Note(id); INSERT INTO Note VALUES (1)")
        let reader = try SQLiteReader(
            path: folder["odd?mode=memory#x%20.store"], name: "odd", stage: .export, busyMilliseconds: 0,
            cancellation: Cancellation())
        #expect(try reader.connection.countRecords(of: "Note") == 1)
    }

    @Test(
        "each result code of SQLite has its exit code and a hint",
        arguments: [
            (5, GodwitError.Code.busy), (6, .busy), (261, .busy), (13, .io), (10, .io), (266, .io), (11, .data),
            (267, .data),
            (26, .data), (14, .noInput), (3, .permission), (8, .permission), (23, .data), (19, .data), (2067, .data),
            (18, .data), (9, .interrupted), (1, .data),
        ])
    func codes(code: Int, exit: GodwitError.Code) {
        let error = GodwitError.sqlite(Int32(code), "detail", name: "a.store", stage: .copy)
        #expect(error.code == exit)
        #expect(error.underlying == "detail")
        #expect(error.hint?.isEmpty == false)
    }
}

struct QuotedTests {
    static let samples = [
        "Note", "", " ", "a b", "select", "a\"b", "\"", "\"\"", "a'; DROP TABLE Note; --", "[x]", "`x`", "a;b", "é",
        "x\"; DELETE FROM Note; --", "\"\u{301}; DELETE FROM Note; --", "\"\u{FE0F}", "\"\u{200D}\"", "a\"\r\n\"b",
        "\u{301}", "🐦", "--", "/*", "?1", ":a", "$a", "@a",
    ]

    @Test("a quoted name names only that table", arguments: samples)
    func namesOneTable(name: String) throws {
        let folder = try TemporaryFolder()
        let writer = try StoreWriter(
            creatingTemporary: folder["a.store"], name: "a", stage: .copy, context: .sample())
        try writer.transaction(.copy) { connection throws(GodwitError) in
            try connection.execute("CREATE TABLE Note(n)")
            try connection.execute("INSERT INTO Note VALUES (1)")
            if name != "Note" { try connection.execute("CREATE TABLE \(quoted(name))(\(quoted(name)) TEXT)") }
        }
        try writer.read(.copy) { connection throws(GodwitError) in
            #expect(try connection.countRecords(of: name) == (name == "Note" ? 1 : 0))
            #expect(try connection.countRecords(of: "Note") == 1)
            let found = try connection.rows("SELECT name FROM sqlite_schema ORDER BY rowid DESC LIMIT 1")
            #expect(found == [[.string(name)]])
        }
        try writer.close(.copy)
    }

    @Test("each quote is doubled byte by byte, also before a combining mark")
    func doubles() {
        #expect(Array(quoted("\"\u{301}").utf8) == [0x22, 0x22, 0x22, 0xCC, 0x81, 0x22])
        #expect(quoted("a") == "\"a\"")
    }

    @Test("a name that SQL cannot hold is an error, never another name")
    func nul() throws {
        let store = try MemoryStore(stage: .schema)
        try store.connection.execute("CREATE TABLE a(b)")
        let error = failure { try store.connection.countRecords(of: "a\0b") }
        #expect(error != nil)
    }
}
