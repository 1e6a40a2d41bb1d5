import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// The map gives the same contents from memory and from disk.
struct SpillableRowMapTests {
    /// Values of every kind, and values that SQLite or Swift would compare as equal.
    private static let values: [Value] = [
        .null, .integer(1), .real(1), .string("1"), .blob([0x31]), .real(0), .real(-0.0), .integer(.min),
        .integer(.max),
        .real(.infinity), .real(.leastNonzeroMagnitude), .text([0xFF, 0x00, 0x41]), .string(""), .blob([]),
        .string("e\u{301}"),
        .string("é"), .string("a"), .string("A"),
    ]

    @Test(
        "a row is found by its table's bytes and its identifier's storage class and bits",
        arguments: [0, 5, 99])
    func places(limit: Int) throws {
        let notes = SpillableRowMap(stage: .dedupe, cancellation: Cancellation(), maxRowsInMemory: limit)
        let rows = ["t", "T", "é", "e\u{301}"].flatMap { table in
            Self.values.map { RowIdentifier(table: table, identity: [$0, .integer(7)]) }
        }
        for (number, row) in rows.enumerated() {
            #expect(try !notes.has(row))
            try notes.note([.integer(Int64(number)), Self.values[number % Self.values.count]], of: row)
        }
        for (number, row) in rows.enumerated() {
            let wanted = [.integer(Int64(number)), Self.values[number % Self.values.count]]
            #expect(try notes.values(of: row) == wanted)
        }
        #expect(try notes.values(of: RowIdentifier(table: "t", identity: [.integer(1)])) == nil)
        var found: [RowIdentifier: [Value]] = [:]
        try notes.forEach { row, values throws(GodwitError) in found[row] = values }
        #expect(Set(found.keys) == Set(rows))
        #expect(found[rows[3]] == [.integer(3), Self.values[3]])
    }

    @Test("random additions, changes and removals give the contents of a dictionary", arguments: [0, 1, 17, 1000])
    func dictionary(limit: Int) throws {
        var generator = SeededGenerator(seed: 7)
        let notes = SpillableRowMap(stage: .dedupe, cancellation: Cancellation(), maxRowsInMemory: limit)
        var wanted: [RowIdentifier: [Value]] = [:]
        for _ in 0..<2000 {
            let row = RowIdentifier(table: "t", identity: [.integer(Int64.random(in: 0..<60, using: &generator))])
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: #expect(try notes.forget(row) == wanted.removeValue(forKey: row))
            case 1: #expect(try notes.values(of: row) == wanted[row])
            default:
                let values = Array(Self.values.prefix(Int.random(in: 0..<4, using: &generator)))
                try notes.note(values, of: row)
                wanted[row] = values
            }
        }
        var found: [RowIdentifier: [Value]] = [:]
        try notes.forEach { row, values throws(GodwitError) in found[row] = values }
        #expect(found == wanted)
        #expect(wanted.count > 20)
    }
}
