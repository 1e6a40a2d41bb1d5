package import GodwitModel
internal import GodwitSQLite

/// The records of an entity: a whole table, or its rows with an entity's number.
package struct RecordSelection: Sendable {
    package struct Column: Sendable {
        package let name: String
        package let column: String
        package let declaredType: String
        /// The encoding of its dates, if it is certain.
        package var encoding: InstantEncoding?

        package init(name: String, column: String, declaredType: String, encoding: InstantEncoding? = nil) {
            (self.name, self.column, self.declaredType, self.encoding) = (name, column, declaredType, encoding)
        }
    }

    package let name: String
    package let table: String
    package let columns: [Column]
    /// The condition that selects the records, with its values; nil for all.
    package let condition: (sql: String, values: [Value])?

    package init(
        name: String, table: String, columns: [Column], condition: (sql: String, values: [Value])? = nil
    ) {
        (self.name, self.table, self.columns, self.condition) = (name, table, columns, condition)
    }

    /// The text after `FROM` for a statement, perhaps with one more condition.
    func from(_ store: SQLiteConnection, and another: String? = nil) throws(GodwitError) -> String {
        let conditions = [another, condition?.sql].compactMap(\.self).joined(separator: " AND ")
        return try store.source(table) + (conditions.isEmpty ? "" : " WHERE \(conditions)")
    }

    var values: [Value] { condition?.values ?? [] }
}

/// The limits of an inspection, so that it finishes on any input.
package struct InspectionLimits: Sendable {
    /// Records whose values are read in one table; further records are only counted.
    package var records: Int64 = 2_000_000
    /// Columns of one table that are read.
    package var columns = 400
    /// Tables of one store that are read.
    package var tables = 1000
    /// Values of a column that are shown.
    package var samples = 3

    package init() {}
}

extension SQLiteConnection {
    /// Number of records, as SQLite counts them.
    func count(_ source: RecordSelection) throws(GodwitError) -> Int64 {
        try number("SELECT count(1) FROM \(source.from(self))", source.values)
    }

    /// Number of different values in a column, without NULL.
    func countDistinct(_ column: String, _ source: RecordSelection) throws(GodwitError) -> Int64 {
        // The column's collation and affinity must not make two keys equal.
        try number("SELECT count(DISTINCT \(quoted(column)) COLLATE BINARY) FROM \(source.from(self))", source.values)
    }

    /// A whole number; 0 if there is none.
    func number(_ sql: String, _ values: [Value] = []) throws(GodwitError) -> Int64 {
        guard case .integer(let number)? = try first(sql, values) else { return 0 }
        return number
    }

    /// The tallies of all columns, in order.
    func tally(
        _ source: RecordSelection, now: Instant, samples: Int, limits: InspectionLimits
    ) throws(GodwitError) -> [ColumnTally] {
        let shown = source.columns.prefix(limits.columns)
        var tallies = shown.map { column in
            // A value whose name sounds like a secret is not kept.
            ColumnTally(keepingSamples: NameParts(column.name).soundSecret ? 0 : samples)
        }
        guard !shown.isEmpty else { return tallies }
        let list = shown.map { quoted($0.column) }.joined(separator: ", ")
        let cursor = try prepare("SELECT \(list) FROM \(source.from(self)) LIMIT \(limits.records)")
        try cursor.bind(source.values)
        while try cursor.step() {
            for index in tallies.indices { tallies[index].add(cursor, index, now: now) }
        }
        return tallies
    }
}
