import GodwitJSON
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// A row read at once gives the same values as its cursor.
struct RowValuesTests {
    /// Calls a body for each value of every class and kind, as the second column of a row.
    private func forEach(
        encoding: String = "UTF-8", _ values: [Value] = SQLiteCursorTests.values,
        _ body: (Value, borrowing SQLiteCursor) throws(GodwitError) -> Void
    ) throws {
        let folder = try TemporaryFolder()
        try SampleStore.make(folder["s.store"], encoding: encoding, "CREATE TABLE T(a)")
        let reader = try SQLiteReader(
            path: folder["s.store"], name: "s.store", stage: .export, busyMilliseconds: 0, cancellation: Cancellation())
        for value in values {
            let row = try reader.connection.prepare("SELECT 7, ?1, 'behind'")
            try row.bind(value, at: 1)
            #expect(try row.step())
            try body(value, row)
        }
    }

    @Test("a row as JSON equals that of the cursor, and the key's text is found in it")
    func record() throws {
        let labels = FieldLabels(["a", "b"])
        try forEach { value, row throws(GodwitError) in
            let values = RowValues(count: row.columnCount)
            let isRead = values.read(row)
            #expect(isRead)
            for keyPlace in 0...1 {
                var found = JSONBuffer(capacity: 64)
                var expected = JSONBuffer(capacity: 64)
                found.append("before")
                expected.append("before")
                let key = try values.write(record: labels, from: 1, keyPlace: keyPlace, to: &found)
                let same = row.write(record: labels, from: 1, keyPlace: keyPlace, to: &expected)
                #expect(found.bytes == expected.bytes)
                #expect(key == same)
                var text = JSONBuffer()
                text.append(keyPlace == 0 ? value : .string("behind"))
                #expect(Array(found.bytes[key]) == text.bytes)
            }
        }
    }

    @Test("a row with fewer columns than labels is not written as a shorter record", arguments: [-1, 2, 3])
    func missing(first: Int) throws {
        let labels = FieldLabels(["a", "b"])
        let values = RowValues(count: 3)
        var json = JSONBuffer()
        #expect(throws: GodwitError.self) { try values.write(record: labels, from: first, keyPlace: 0, to: &json) }
        #expect(json.bytes.isEmpty)
        let key = try values.write(record: labels, from: 1, keyPlace: 1, to: &json)
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"a":null,"b":null}"#)
        #expect(String(decoding: json.bytes[key], as: UTF8.self) == "null")
    }

    @Test("the bytes that sort a value give SQLite's order, and only reals have none")
    func order() throws {
        var found: [(value: Value, bytes: [UInt8])] = []
        try forEach { value, row in
            let values = RowValues(count: row.columnCount)
            let isRead = values.read(row)
            #expect(isRead)
            var order = JSONBuffer()
            let isReal = if case .real = value { true } else { false }
            #expect(values.writeOrder(of: 1, to: &order) == !isReal)
            if !isReal { found.append((value, order.bytes)) }
        }
        #expect(found.count == SQLiteCursorTests.values.count { if case .real = $0 { false } else { true } })
        for one in found {
            for other in found {
                #expect(one.bytes.lexicographicallyPrecedes(other.bytes) == (one.value < other.value))
            }
        }
    }

    @Test("a text is plain if its bytes need no escape in JSON")
    func plain() throws {
        try forEach(
            SQLiteCursorTests.values + [.string("a\"b"), .string("\\"), .string("\n"), .string("é"), .string("~")]
        ) {
            value, row in
            let values = RowValues(count: row.columnCount)
            let isRead = values.read(row)
            #expect(isRead)
            var json = JSONBuffer()
            json.append(value)
            let isPlain = if case .text(let text) = value { json.bytes == [0x22] + text + [0x22] } else { false }
            #expect(values.isPlainText(1, written: json.count) == isPlain)
        }
    }

    @Test("a copy of a value is equal to it")
    func copies() throws {
        try forEach { value, row in
            let values = RowValues(count: row.columnCount)
            let isRead = values.read(row)
            #expect(isRead)
            #expect(values[1].copied == value)
        }
    }

    @Test("a store in UTF-16 is not read in this way", arguments: ["UTF-16le", "UTF-16be"])
    func wide(encoding: String) throws {
        try forEach(encoding: encoding, [.string("é"), .integer(1)]) { _, row in
            let isRead = RowValues(count: row.columnCount).read(row)
            #expect(!isRead)
        }
    }

    @Test("the newest date is the same whether or not the row's values are read", arguments: UInt64(1)...6)
    func dates(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let dates: [Value] = (0..<120).map { _ in
            let date = Instant(milliseconds: Int64.random(in: 0...2_000_000_000_000, using: &random))
            return switch Int.random(in: 0..<6, using: &random) {
            case 0: .integer(date.seconds)
            case 1: .blob(Array(date.iso8601.utf8))
            case 2: .string("2026-02-31T00:00:00.000Z")
            case 3: .null
            default: .string(date.iso8601)
            }
        }
        for encoding in [nil, InstantEncoding.iso8601, .unixSeconds] {
            var (found, expected) = (NewestDate(), NewestDate())
            try forEach(dates) { _, row in
                let values = RowValues(count: row.columnCount)
                let isRead = values.read(row)
                #expect(isRead)
                found.take(values[1], as: encoding)
                expected.take(1, of: row, as: encoding)
                #expect(found.date == expected.date)
            }
            #expect(found.date != nil)
        }
    }
}
