import GodwitJSON
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// A scan passes each row of a table once, like a cursor.
struct RowReceiverTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ sql: String, encoding: String? = nil) throws {
        try SampleStore.make(folder["s.store"], encoding: encoding, sql)
    }

    private func open(_ cancellation: Cancellation = Cancellation()) throws -> SQLiteReader {
        try SQLiteReader(
            path: folder["s.store"], name: "s.store", stage: .export, busyMilliseconds: 0, cancellation: cancellation)
    }

    private static let numbers =
        "CREATE TABLE T(a); INSERT INTO T WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
        + "SELECT i FROM n"

    /// All rows that a scan passes, copied.
    private func rows(
        _ store: SQLiteConnection, _ columns: [String], from source: String
    ) throws -> (rows: [[Value]], isComplete: Bool) {
        var rows: [[Value]] = []
        let isComplete = try store.scan(columns, from: source) { row in
            rows.append((0..<row.count).map { row[$0].copied })
            return true
        }
        return (rows, isComplete)
    }

    @Test("values of every class are passed unchanged, by a reader's function and a writer's cursor")
    func values() throws {
        let writer = try StoreWriter(
            creatingTemporary: folder["s.store"], name: "s.store", stage: .export, context: .sample())
        try writer.transaction(.export) { store throws(GodwitError) in
            try store.execute("CREATE TABLE T(n INTEGER PRIMARY KEY, a, b)")
            for value in SQLiteCursorTests.values {
                try store.execute("INSERT INTO T(a, b) VALUES (?, ?)", [value, .string("behind")])
            }
        }
        let expected = SQLiteCursorTests.values.enumerated().map { [.integer(Int64($0 + 1)), $1, .string("behind")] }
        let written = try writer.read(.export) { store throws(GodwitError) in
            var rows: [[Value]] = []
            _ = try store.scan(["n", "a", "b"], from: "T") { row in
                rows.append((0..<row.count).map { row[$0].copied })
                return true
            }
            return rows
        }
        #expect(written == expected)
        try writer.close(.export)
        let reader = try open()
        let (found, isComplete) = try rows(reader.connection, ["n", "a", "b"], from: "T")
        #expect(found == expected)
        #expect(isComplete)
        #expect(try rows(reader.connection, ["b", "rowid"], from: "T WHERE 0").rows.isEmpty)
    }

    @Test(
        "more columns than a function accepts are read too",
        arguments: [1, 15, 16, 17, 99, 100, 101, 400])
    func manyColumns(count: Int) throws {
        let names = (0..<count).map { "c\($0)" }
        let values = (0..<count).map { "\($0)" }.joined(separator: ", ")
        try make("CREATE TABLE T(\(names.joined(separator: ", "))); INSERT INTO T VALUES (\(values)), (\(values))")
        let reader = try open()
        let (found, isComplete) = try rows(reader.connection, names, from: "T")
        #expect(found == [[Value]](repeating: (0..<count).map { .integer(Int64($0)) }, count: 2))
        #expect(isComplete)
    }

    @Test("a body that stops gets no more rows, and the next scan gets all")
    func ends() throws {
        try make(Self.numbers)
        let reader = try open()
        for last in [1, 2, 77] {
            var seen = 0
            let isComplete = try reader.connection.scan(["a"], from: "T") { _ in
                seen += 1
                return seen < last
            }
            #expect(!isComplete)
            #expect(seen == last)
        }
        #expect(try rows(reader.connection, ["a"], from: "T").rows.count == 5000)
    }

    @Test("an error of a body is thrown, and no further row is passed")
    func throwing() throws {
        try make(Self.numbers)
        let reader = try open()
        var seen = 0
        let error = #expect(throws: GodwitError.self) {
            _ = try reader.connection.scan(["a"], from: "T") { (_) throws(GodwitError) in
                seen += 1
                if seen == 3 { throw GodwitError(.export, .io, "the third") }
                return true
            }
        }
        #expect(error?.message == "the third")
        #expect(seen == 3)
        #expect(try rows(reader.connection, ["a"], from: "T").rows.count == 5000)
    }

    @Test("an error of the statement is reported as usual, and a cancellation ends the scan")
    func failures() throws {
        try make(Self.numbers)
        let cancellation = Cancellation()
        let reader = try open(cancellation)
        let error = #expect(throws: GodwitError.self) {
            _ = try reader.connection.scan(["missing"], from: "T") { _ in true }
        }
        #expect(error?.underlying?.contains("missing") == true)
        var seen = 0
        let cancelled = #expect(throws: GodwitError.self) {
            _ = try reader.connection.scan(["a"], from: "T") { _ in
                seen += 1
                if seen == 10 { cancellation.cancel() }
                return true
            }
        }
        #expect(cancelled?.code == .interrupted)
        #expect(seen < 5000)
    }

    @Test("a scan inside a scan, and other statements there, get all their rows")
    func nested() throws {
        try make("CREATE TABLE T(a); INSERT INTO T VALUES (1), (2), (3)")
        let store = try open().connection
        var pairs: [Int64] = []
        let isComplete = try store.scan(["a"], from: "T") { (one) throws(GodwitError) in
            let isInnerComplete = try store.scan(["a"], from: "T") { other in
                if case .integer(let first) = one[0], case .integer(let second) = other[0] {
                    pairs.append(10 * first + second)
                }
                return true
            }
            #expect(try store.first("SELECT count(*) FROM T") == .integer(3))
            return isInnerComplete
        }
        #expect(isComplete)
        #expect(pairs == [11, 12, 13, 21, 22, 23, 31, 32, 33])
    }

    @Test(
        "a store in UTF-16 is not scanned, because the first row would be converted",
        arguments: ["UTF-16le", "UTF-16be"])
    func wide(encoding: String) throws {
        try make("CREATE TABLE T(a); INSERT INTO T VALUES ('é')", encoding: encoding)
        var seen = 0
        let isComplete = try open().connection.scan(["a"], from: "T") { _ in
            seen += 1
            return true
        }
        #expect(!isComplete)
        #expect(seen == 0)
    }

    @Test("outside of a scan the function does nothing, and no view can use it")
    func single() throws {
        try make("CREATE TABLE T(a); INSERT INTO T VALUES (1); CREATE VIEW V AS SELECT godwit_rows(a) FROM T")
        let reader = try open()
        #expect(throws: GodwitError.self) { try reader.connection.rows("SELECT godwit_rows(a) FROM T") }
        #expect(throws: GodwitError.self) { try rows(reader.connection, ["*"], from: "V") }
        #expect(try rows(reader.connection, ["a"], from: "T").rows == [[.integer(1)]])
    }
}
