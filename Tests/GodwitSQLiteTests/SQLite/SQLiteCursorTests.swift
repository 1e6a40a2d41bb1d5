import GodwitJSON
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

struct SQLiteCursorTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Every storage class, with values that are easily changed by a conversion.
    static let small: [Value] = [
        .null, .integer(0), .integer(1), .integer(-1), .integer(.max), .integer(.min), .integer(9_007_199_254_740_993),
        .real(0), .real(-0.0), .real(1.5), .real(0.1), .real(.leastNonzeroMagnitude), .real(.greatestFiniteMagnitude),
        .real(.infinity),
        .real(-.infinity), .string(""), .string("text"), .string("é\u{1F426}"), .text([0x61, 0, 0x62]), .text([0]),
        .text([0xFF, 0xFE]), .text([0xED, 0xA0, 0x80]), .blob([]), .blob([0]), .blob([0, 0xFF, 0x61]),
        .blob(Array("text".utf8)),
    ]

    /// Not an argument, since the runner prints arguments.
    static let large = Value.text([UInt8](repeating: 0x78, count: 100_000))

    static let values = small + [large]

    private func writer(_ name: String = "a.store") throws -> StoreWriter {
        try StoreWriter(
            creatingTemporary: folder[name], name: name, stage: .copy, context: .sample())
    }

    private func fill(_ writer: StoreWriter, _ values: [Value]) throws {
        try writer.transaction(.copy) { connection throws(GodwitError) in
            try connection.execute("CREATE TABLE V(n INTEGER PRIMARY KEY, value)")
            let insert = try connection.prepare("INSERT INTO V(value) VALUES (?)")
            for value in values {
                try insert.bind(value, at: 1)
                try insert.run()
            }
        }
    }

    @Test("every value is read back unchanged: class, bits and bytes", arguments: small)
    func roundTrip(value: Value) throws { try expectUnchanged(value) }

    @Test("a text of many pages is read back unchanged")
    func largeText() throws { try expectUnchanged(Self.large) }

    private func expectUnchanged(_ value: Value) throws {
        let writer = try writer()
        try fill(writer, [value])
        let found = try writer.read(.copy) { connection throws(GodwitError) in
            try connection.first("SELECT value FROM V")
        }
        #expect(found == value)
        try writer.close(.copy)
    }

    @Test("columns bound from another row without a copy arrive unchanged")
    func bindsColumns() throws {
        let (source, target) = (try writer("source.store"), try writer("target.store"))
        try fill(source, Self.values)
        try fill(target, [])
        let found = try source.read(.copy) { from throws(GodwitError) in
            try target.transaction(.copy) { to throws(GodwitError) in
                let rows = try from.prepare("SELECT value FROM V ORDER BY n")
                let insert = try to.prepare("INSERT INTO V(value) VALUES (?)")
                while try rows.step() {
                    try insert.bind(column: 0, of: rows, at: 1)
                    try insert.run()
                }
                return try to.rows("SELECT value FROM V ORDER BY n")
            }
        }
        #expect(found.map { $0[0] } == Self.values)
    }

    @Test("an empty blob, an empty text and NULL are different")
    func empties() throws {
        let writer = try writer()
        try fill(writer, [.null, .blob([]), .string("")])
        let found = try writer.read(.copy) { connection throws(GodwitError) in
            try connection.rows("SELECT typeof(value) FROM V ORDER BY n").map { $0[0].readable }
        }
        #expect(found == ["null", "blob", "text"])
    }

    @Test("NaN is NULL, as in SQLite")
    func notANumber() throws {
        let writer = try writer()
        try fill(writer, [.real(.nan)])
        let found = try writer.read(.copy) { connection throws(GodwitError) in
            try connection.first("SELECT value FROM V")
        }
        #expect(found == .null)
    }

    @Test("comparing columns in place equals comparing values")
    func comparesLikeValues() throws {
        let writer = try writer()
        try fill(writer, Self.values)
        try writer.read(.copy) { connection throws(GodwitError) in
            let first = try connection.prepare("SELECT n, value FROM V ORDER BY n")
            while try first.step() {
                let second = try connection.prepare("SELECT n, value FROM V ORDER BY n")
                while try second.step() {
                    let (a, b) = (first.value(1), second.value(1))
                    let isEqual = first.column(1, equals: 1, of: second)
                    let order = first.compare(1, with: 1, of: second)
                    #expect(isEqual == (a == b))
                    #expect((order < 0) == (a < b))
                    #expect((order > 0) == (b < a))
                }
            }
        }
    }

    @Test("columns are written as JSON from SQLite's bytes, with the same result as values")
    func writesJSON() throws {
        let writer = try writer()
        try fill(writer, Self.values)
        try writer.read(.copy) { connection throws(GodwitError) in
            let rows = try connection.prepare("SELECT value FROM V ORDER BY n")
            for value in Self.values {
                #expect(try rows.step())
                var direct = JSONBuffer(capacity: 64)
                var expected = JSONBuffer(capacity: 64)
                rows.write(column: 0, to: &direct)
                expected.append(value)
                #expect(direct.bytes == expected.bytes)
            }
        }
    }

    @Test("a UTF-16 store gives UTF-8, by value and in place", arguments: ["UTF-16le", "UTF-16be"])
    func utf16(encoding: String) throws {
        try SampleStore.make(
            folder["wide.store"], encoding: encoding,
            "CREATE TABLE V(n INTEGER PRIMARY KEY, value); INSERT INTO V(value) VALUES ('é🐦'), ('plain'), ('')")
        let reader = try SQLiteReader(
            path: folder["wide.store"], name: "wide", stage: .copy, busyMilliseconds: 0, cancellation: Cancellation())
        let rows = try reader.connection.rows("SELECT value FROM V ORDER BY n")
        #expect(rows == [[.string("é🐦")], [.string("plain")], [.string("")]])
        let a = try reader.connection.prepare("SELECT value FROM V WHERE n = 1")
        let b = try reader.connection.prepare("SELECT value FROM V WHERE n = 1")
        #expect(try a.step())
        #expect(try b.step())
        let isEqual = a.column(0, equals: 0, of: b)
        let count = a.withBytes(0) { $0.count }
        #expect(isEqual)
        #expect(count == 6)
    }

    @Test("a cursor runs again after a reset, with its bindings")
    func resets() throws {
        let writer = try writer()
        try fill(writer, [.integer(7)])
        try writer.read(.copy) { connection throws(GodwitError) in
            let cursor = try connection.prepare("SELECT value FROM V WHERE value = ?")
            try cursor.bind([.integer(7)])
            #expect(try cursor.step())
            #expect(try !cursor.step())
            cursor.reset()
            #expect(try cursor.step())
            #expect(cursor.columnCount == 1)
        }
    }

    @Test("wrong SQL, several statements, and a broken constraint are errors with SQLite's message")
    func errors() throws {
        let writer = try writer()
        let wrong = failure { try writer.read(.copy) { c throws(GodwitError) in try c.execute("SELEC 1") } }
        #expect(wrong?.code == .data)
        #expect(wrong?.underlying?.contains("syntax error") == true)
        let two = failure { try writer.read(.copy) { c throws(GodwitError) in try c.execute("SELECT 1; SELECT 2") } }
        #expect(two?.code == .bug)
        let constraint = failure {
            try writer.transaction(.copy) { connection throws(GodwitError) in
                try connection.execute("CREATE TABLE One(a UNIQUE)")
                let insert = try connection.prepare("INSERT INTO One VALUES (1)")
                try insert.run()
                try insert.run()
            }
        }
        #expect(constraint?.code == .data)
        #expect(constraint?.message.contains("refused a record") == true)
    }

    @Test("binding beyond the statement's parameters is an error")
    func bindingRange() throws {
        let writer = try writer()
        let error = failure {
            try writer.read(.copy) { connection throws(GodwitError) in
                try connection.execute("SELECT ?", [.null, .null])
            }
        }
        #expect(error != nil)
    }
}
