internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite

/// Checks that a table has each planned record exactly once as planned, and that all other rows are unchanged.
///
/// Planned columns are compared by storage class and bits with the plan's values after the column's affinity. Columns
/// with defaults, or set by a trigger, may have any value.
struct InsertionProof {
    private let table: EntityTable
    private let triggers: [String]
    private let before: RowChain
    /// The records that must be found, by key.
    private var expected: [Value: [ExpectedRecord]] = [:]
    private var expectedCount = 0

    /// A planned record as its table must hold it.
    private struct ExpectedRecord {
        /// Indexes of the table's stored columns, one for each value.
        let columns: [Int]
        let values: [Value]

        /// The first column in which a row differs; nil if the row is that record.
        func difference(from row: ArraySlice<Value>) -> Int? {
            zip(columns, values).first { column, value in row[row.startIndex + column] != value }?.0
        }
    }

    /// Reads the rows that the table has now.
    init(
        _ table: EntityTable, triggers: [String], _ connection: SQLiteConnection, _ context: RunContext
    ) throws(GodwitError) {
        (self.table, self.triggers) = (table, triggers)
        var chain = RowChain()
        try Self.walk(table, connection, context) { row in chain.append(row) }
        before = chain
    }

    /// Adds inserted records that have the same columns.
    mutating func expect(_ records: ArraySlice<PlannedRecord>) throws(GodwitError) {
        guard let first = records.first else { return }
        var columns: [Int] = []
        for name in first.columns {
            guard let column = table.columns.firstIndex(where: { $0.isSameName(as: name) }) else {
                throw difference("column '\(name)' is computed")
            }
            columns.append(column)
        }
        guard let key = columns.firstIndex(of: table.keyIndex) else {
            throw GodwitError(.legacy, .bug, "a legacy record of `\(table.entity.name)` was planned without a key")
        }
        let affinities = columns.map { table.shape.storedColumns[$0].affinity(inStrict: table.shape.isStrict) }
        for values in try PlainTable.stored(records.map(\.values), in: affinities, stage: .legacy) {
            expected[values[key], default: []].append(ExpectedRecord(columns: columns, values: values))
            expectedCount += 1
        }
    }

    /// Throws (65) unless the table has the expected records and its former rows, and nothing else.
    func require(_ connection: SQLiteConnection, _ context: RunContext) throws(GodwitError) {
        var open = expected
        var others = RowChain()
        var differing: Int?
        let keyIndex = table.identity.count + table.keyIndex
        try Self.walk(table, connection, context) { row in
            let stored = row[table.identity.count...]
            guard let candidates = open[row[keyIndex]], !candidates.isEmpty else { return others.append(row) }
            if let found = candidates.firstIndex(where: { $0.difference(from: stored) == nil }) {
                open[row[keyIndex]]?.remove(at: found)
            } else {
                differing = differing ?? candidates[0].difference(from: stored)
                others.append(row)
            }
        }
        let missing = open.values.reduce(0) { $0 + $1.count }
        if missing > 0, let differing { throw difference("column '\(table.columns[differing])' has another value") }
        guard missing == 0 else {
            throw difference(
                "\(missing) of \(expectedCount.counted("record")) \(missing == 1 ? "is" : "are") missing, "
                    + "or under another '\(table.entity.key)'")
        }
        guard others.count == before.count else {
            let count = others.count + expectedCount
            throw difference(
                "there \(count == 1 ? "is" : "are") \(count.counted("record")) instead of "
                    + (before.count + expectedCount).grouped)
        }
        guard others == before else { throw difference("existing records have changed") }
    }

    private func difference(_ what: String) -> GodwitError {
        let cause =
            switch triggers.count {
            case 0: "the triggers of the schema"
            case 1: "the trigger '\(triggers[0])' of the schema"
            default: "the triggers of the schema (\(triggers.joined(separator: ", ")))"
            }
        return GodwitError(
            .legacy, .data,
            "the `\(table.entity.name)` records made of legacy values were not stored as planned: "
                + "\(what); nothing was imported",
            hint: "Change \(cause) in a new schema file, so that inserted records stay as they are.")
    }

    /// All rows in a fixed order: the identifying columns, then the stored columns.
    private static func walk(
        _ table: EntityTable, _ connection: SQLiteConnection, _ context: RunContext, _ body: ([Value]) -> Void
    ) throws(GodwitError) {
        let identity = table.identity.joined(separator: ", ")
        let rows = try connection.prepare(
            "SELECT \(identity), \(table.columnList) FROM main.\(table.source) ORDER BY \(identity)")
        var seen = 0
        while try rows.step() {
            seen += 1
            if seen & 4095 == 0 { try context.cancellation.check(.legacy) }
            body(rows.row())
        }
    }
}

/// The number of rows, and a hash that only the same rows in the same order have.
private struct RowChain: Equatable {
    private(set) var count = 0
    private var hash: [UInt8] = []

    mutating func append(_ row: [Value]) {
        var parts = hash
        for value in row {
            switch value {
            case .null: parts.append(0)
            case .integer(let number): Self.add(1, UInt64(bitPattern: number), to: &parts)
            case .real(let number): Self.add(2, number.bitPattern, to: &parts)
            // Hashes long values in place, because a copy as text may exceed the memory.
            case .text(let bytes): parts += [3] + sha256(bytes)
            case .blob(let bytes): parts += [4] + sha256(bytes)
            }
        }
        hash = sha256(parts)
        count += 1
    }

    private static func add(_ kind: UInt8, _ bits: UInt64, to parts: inout [UInt8]) {
        parts.append(kind)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { parts.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }
}
