package import GodwitModel
internal import GodwitSQLite

/// Where the records of one kind are: a whole table, or the rows of a table that a number marks as one entity's.
package struct RecordSelection: Sendable {
    /// A column that is looked at.
    package struct Column: Sendable {
        /// As reports name it.
        package let name: String
        /// In the table.
        package let column: String
        package let declaredType: String
        /// How it writes dates, where that is known for certain.
        package var encoding: InstantEncoding?

        package init(name: String, column: String, declaredType: String, encoding: InstantEncoding? = nil) {
            self.name = name
            self.column = column
            self.declaredType = declaredType
            self.encoding = encoding
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
        self.name = name
        self.table = table
        self.columns = columns
        self.condition = condition
    }

    /// Everything after `FROM`, for a statement of its own.
    var from: String { quoted(table) + (condition.map { " WHERE \($0.sql)" } ?? "") }

    /// The same with one more condition.
    func from(and condition: String) -> String {
        quoted(table) + " WHERE \(condition)" + (self.condition.map { " AND \($0.sql)" } ?? "")
    }

    var values: [Value] { condition?.values ?? [] }
}

/// The bounds of an inspection: it must come to an end on whatever it is given.
package struct InspectionLimits: Sendable {
    /// Records whose values are looked at in one table; those beyond are counted alone.
    package var records: Int64 = 2_000_000
    /// Columns of one table that are looked at.
    package var columns = 400
    /// Tables of one store that are looked at.
    package var tables = 1000
    /// Values of a column that are shown.
    package var samples = 3

    package init() {}
}

extension SQLiteConnection {
    /// Records of a kind; as SQLite counts them.
    func count(_ source: RecordSelection) throws(GodwitError) -> Int64 {
        try number("SELECT count(*) FROM \(source.from)", source.values)
    }

    /// Different values of a column; NULL is none.
    func countDistinct(_ column: String, _ source: RecordSelection) throws(GodwitError) -> Int64 {
        // Collation and affinity of the column must not make two keys one.
        try number("SELECT count(DISTINCT \(quoted(column)) COLLATE BINARY) FROM \(source.from)", source.values)
    }

    /// A whole number; 0 where there is none.
    func number(_ sql: String, _ values: [Value] = []) throws(GodwitError) -> Int64 {
        guard case .integer(let number)? = try first(sql, values) else { return 0 }
        return number
    }

    /// What the values of each column have in common, in the order of the columns.
    func tally(
        _ source: RecordSelection, now: Instant, samples: Int, limits: InspectionLimits
    ) throws(GodwitError) -> [ColumnTally] {
        let shown = source.columns.prefix(limits.columns)
        var tallies = shown.map { column in
            // What is called like a secret is not even kept.
            ColumnTally(keepingSamples: NameParts(column.name).soundSecret ? 0 : samples)
        }
        guard !shown.isEmpty else { return tallies }
        let list = shown.map { quoted($0.column) }.joined(separator: ", ")
        let cursor = try prepare("SELECT \(list) FROM \(source.from) LIMIT \(limits.records)")
        try cursor.bind(source.values)
        while try cursor.step() {
            for index in tallies.indices { tallies[index].add(cursor, index, now: now) }
        }
        return tallies
    }
}
