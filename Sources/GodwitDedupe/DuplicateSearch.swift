internal import GodwitModel
internal import GodwitSQLite

/// Finds the records of one entity that share a key, in one pass over the table whatever its indexes.
///
/// Keys are compared by storage class and bytes, whatever the column's collation: `a` and `A` are two records, as are
/// `1` and `'1'`. SQLite holds only the integer 1 and the real 1.0 for equal beyond that, so they are told apart here.
struct DuplicateSearch {
    let connection: SQLiteConnection
    let table: EntityTable

    /// Whether any key occurs more than once; stops at the first.
    ///
    /// Keys are read in order and each is held against the one before; SQLite's own grouping takes three times as long.
    /// Where an integer meets a real that equals it, a third of either kind may be among them, and SQLite counts.
    func findsAny() throws(GodwitError) -> Bool {
        let keys = try connection.prepare(
            "SELECT \(table.key) FROM \(table.name) ORDER BY \(table.key) COLLATE BINARY")
        var before = SQLiteCell()
        guard try keys.step() else { return false }
        before.take(0, of: keys)
        while try keys.step() {
            switch before.compare(0, of: keys) {
            case .same: return true
            case .equalNumber: return try connection.first(repeatedKeys + " LIMIT 1") != nil
            case .different: before.take(0, of: keys)
            }
        }
        return false
    }

    /// Adds the rows of all repeated keys, in key order.
    func find(_ groups: RowGroups) throws(GodwitError) {
        let width = table.identity.count
        guard try findsAny() else { return }
        let cursor = try connection.prepare(
            """
            SELECT \(table.identity.joined(separator: ", ")), \(table.key) FROM \(table.name)
            WHERE \(table.key) COLLATE BINARY IN (\(repeatedKeys)) ORDER BY \(table.keyOrder)
            """)
        var key: Value?
        var identities: [[Value]] = []
        while try cursor.step() {
            let next = cursor.value(width)
            if !Self.isSame(next, key) {
                // One row alone is no group: an integer that equals a real.
                if identities.count > 1 { try groups.add(identities) }
                (key, identities) = (next, [])
            }
            identities.append((0..<width).map { cursor.value($0) })
        }
        if identities.count > 1 { try groups.add(identities) }
    }

    /// Whether two keys are one: 0.0 and -0.0 are, as they are for SQLite.
    private static func isSame(_ one: Value, _ other: Value?) -> Bool {
        if case .real(let number) = one, case .real(let before)? = other { return number == before }
        return one == other
    }

    /// Reads the rows of each group and hands them on; the body may change or remove them.
    func forEachGroup(
        of groups: RowGroups, _ body: ([StoredRecord]) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        let cursor = try connection.prepare(selection + " WHERE \(table.identityCondition)")
        try groups.forEach { identities throws(GodwitError) in
            var records: [StoredRecord] = []
            for identity in identities {
                try cursor.bind(identity)
                if try cursor.step() { records.append(record(cursor.row())) }
                cursor.reset()
            }
            try body(records)
        }
    }

    /// All records, for an entity that must have one; at most `limit`.
    func all(limit: Int = .max) throws(GodwitError) -> [StoredRecord] {
        try connection.rows(selection + " LIMIT ?", [.integer(Int64(limit))]).map(record)
    }

    private var selection: String {
        "SELECT \((table.identity + table.columns.map(quoted)).joined(separator: ", ")) FROM \(table.name)"
    }

    private func record(_ row: [Value]) -> StoredRecord {
        let width = table.identity.count
        return StoredRecord(identity: Array(row[..<width]), columns: Array(row[width...]))
    }

    /// Keys that occur more than once, one row for each; grouped by the key alone, so that an index gives the order.
    ///
    /// Of two records that SQLite groups, one may be an integer and one a real; of three, two are alike.
    private var repeatedKeys: String {
        """
        SELECT \(table.key) FROM \(table.name) GROUP BY \(table.key) COLLATE BINARY
        HAVING count(*) > 2 OR (count(*) = 2 AND min(typeof(\(table.key))) = max(typeof(\(table.key))))
        """
    }
}
