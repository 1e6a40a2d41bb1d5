import GodwitModel
import GodwitSQLite
import CSQLiteShim
import GodwitTestSupport
import Testing

/// Statements that run for many records in one transaction.
struct StatementCacheTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SampleStore(
            folder["a.store"],
            "CREATE TABLE Note(id INTEGER PRIMARY KEY, title UNIQUE); INSERT INTO Note VALUES (1, 'one'), (2, 'two');"
        ).close()
    }

    /// Runs a body in a transaction; returns how often SQLite asked, while preparing statements, whether a column of
    /// `Note` may be updated.
    private func countingUpdates(
        _ body: (SQLiteConnection) throws(GodwitError) -> Void
    ) throws(GodwitError) -> Int {
        let writer = try StoreWriter(
            existing: folder["a.store"], name: "Library/A.store", stage: .copy, context: .sample())
        let counter = Counter()
        try writer.transaction(.copy) { connection throws(GodwitError) in
            sqlite3_set_authorizer(
                connection.handle,
                { counter, action, _, _, _, _ in
                    guard let counter, action == SQLITE_UPDATE else { return SQLITE_OK }
                    Unmanaged<Counter>.fromOpaque(counter).takeUnretainedValue().count += 1
                    return SQLITE_OK
                }, Unmanaged.passUnretained(counter).toOpaque())
            defer { sqlite3_set_authorizer(connection.handle, nil, nil) }
            try body(connection)
        }
        try writer.close(.copy)
        return counter.count
    }

    private final class Counter { var count = 0 }

    private func titles() throws -> [String] {
        try SampleStore(folder["a.store"]).rows("SELECT title FROM Note ORDER BY id").map { $0[0].readable }
    }

    @Test("a statement that runs a thousand times with other values is prepared once")
    func once() throws {
        let update = "UPDATE Note SET title = ? WHERE id = ?"
        let count = try countingUpdates { connection throws(GodwitError) in
            for number in 0..<1000 {
                try connection.execute(update, [.integer(Int64(number)), .integer(1)])
                #expect(connection.changedRows == 1)
            }
        }
        #expect(count == 1)
        #expect(try titles() == ["999", "two"])
    }

    @Test("a statement without values is not kept, and gives the same as on its own")
    func results() throws {
        let count = try countingUpdates { connection throws(GodwitError) in
            for _ in 0..<2 { try connection.execute("UPDATE Note SET title = title || '!' WHERE id = 2") }
            let sql = "SELECT title FROM Note WHERE id >= ? ORDER BY id"
            #expect(try connection.first(sql, [.integer(1)]) == .string("one"))
            #expect(try connection.rows(sql, [.integer(1)]) == [[.string("one")], [.string("two!!")]])
            #expect(try connection.rows(sql, [.integer(2)]) == [[.string("two!!")]])
            #expect(try connection.first(sql, [.integer(3)]) == nil)
        }
        #expect(count == 2)
    }

    @Test("tables whose names are equal only for Swift have their own statements")
    func namesByBytes() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        try SampleStore(folder["b.store"], "CREATE TABLE \(composed)(x); CREATE TABLE \(decomposed)(x)").close()
        let writer = try StoreWriter(
            existing: folder["b.store"], name: "Library/B.store", stage: .copy, context: .sample())
        try writer.transaction(.copy) { connection throws(GodwitError) in
            for (name, value) in [(composed, "one"), (decomposed, "two")] {
                try connection.execute("INSERT INTO \(name) VALUES (?)", [.string(value)])
            }
        }
        try writer.close(.copy)
        let store = try SampleStore(folder["b.store"])
        #expect(try store.text("SELECT x FROM \(composed)") == "one")
        #expect(try store.text("SELECT x FROM \(decomposed)") == "two")
    }

    @Test("values that are not given the next time are NULL")
    func cleared() throws {
        _ = try countingUpdates { connection throws(GodwitError) in
            #expect(try connection.first("SELECT ?1", [.integer(7)]) == .integer(7))
            #expect(try connection.rows("SELECT ?1, ?2", [.integer(7), .integer(8)]) == [[.integer(7), .integer(8)]])
            #expect(try connection.rows("SELECT ?1, ?2", [.integer(9)]) == [[.integer(9), .null]])
        }
    }

    @Test("a statement that failed can run again, with its error each time")
    func failing() throws {
        let update = "UPDATE Note SET title = ? WHERE id = ?"
        let count = try countingUpdates { connection throws(GodwitError) in
            for _ in 0..<2 {
                let error = failure { try connection.execute(update, [.string("two"), .integer(1)]) }
                #expect(error?.underlying?.contains("UNIQUE") == true)
            }
            try connection.execute(update, [.string("three"), .integer(1)])
        }
        #expect(count == 1)
        #expect(try titles() == ["three", "two"])
    }

    @Test("a table that is created again is used in its new form")
    func madeAnew() throws {
        _ = try countingUpdates { connection throws(GodwitError) in
            let sql = "SELECT count(*) FROM Other WHERE a > ?"
            try connection.execute("CREATE TABLE Other(a)")
            try connection.execute("INSERT INTO Other VALUES (?)", [.integer(5)])
            #expect(try connection.first(sql, [.integer(1)]) == .integer(1))
            try connection.execute("DROP TABLE Other")
            #expect(failure { _ = try connection.first(sql, [.integer(1)]) } != nil)
            try connection.execute("CREATE TABLE Other(b, a)")
            try connection.execute("INSERT INTO Other VALUES (1, 2), (3, ?)", [.integer(4)])
            #expect(try connection.first(sql, [.integer(1)]) == .integer(2))
        }
    }

    @Test("of very many statements, no more are kept than a stage has")
    func bounded() throws {
        _ = try countingUpdates { connection throws(GodwitError) in
            for number in 0..<1000 {
                #expect(try connection.first("SELECT \(number) + ?", [.integer(1)]) == .integer(Int64(number) + 1))
            }
            var kept = 0
            var statement = sqlite3_next_stmt(connection.handle, nil)
            while let next = statement {
                kept += 1
                statement = sqlite3_next_stmt(connection.handle, next)
            }
            #expect(kept < 400)
        }
    }
}
