internal import GodwitModel
internal import GodwitSQLite

/// Finds the records of one entity with equal keys, in one pass over the table.
///
/// Keys are compared by storage class and bytes, and not by the column's collation: `a` and `A` are different, and so
/// are `1` and `'1'`. SQLite also treats the integer 1 and the real 1.0 as equal, so they are distinguished here.
struct DuplicateSearch {
    let connection: SQLiteConnection
    let table: EntityTable

    /// Whether any key occurs more than once; stops at the first.
    ///
    /// Where two hashes are equal, compares each key with the previous one, in order. If an integer is equal to a real, a
    /// third key of either class may be between them, so SQLite counts.
    func findsAny() throws(GodwitError) -> Bool {
        guard try mayFindAny() else { return false }
        let keys = try connection.prepare(
            "SELECT \(table.key) FROM \(table.source) ORDER BY \(table.key) COLLATE BINARY")
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

    /// False if it is certain that no key occurs twice.
    private func mayFindAny() throws(GodwitError) -> Bool {
        // A key that is the rowid.
        if !table.shape.isWithoutRowid,
            try connection.identityColumns(of: table.shape) == [table.columns[table.keyIndex]]
        {
            return false
        }
        return try RepeatedValueSearch(of: table.key, in: table.entity.name, connection).mayFindAny()
    }

    /// Adds the rows of all repeated keys, in key order.
    func find(_ groups: RowGroups) throws(GodwitError) {
        let width = table.identity.count
        guard try findsAny() else { return }
        let cursor = try connection.prepare(
            """
            SELECT \(table.identity.joined(separator: ", ")), \(table.key) FROM \(table.source)
            WHERE \(table.key) COLLATE BINARY IN (\(repeatedKeys)) ORDER BY \(table.keyOrder)
            """)
        var key: Value?
        var identities: [[Value]] = []
        while try cursor.step() {
            let next = cursor.value(width)
            if !Self.isSame(next, key) {
                // A single row is not a group: an integer that is equal to a real.
                if identities.count > 1 { try groups.add(identities) }
                (key, identities) = (next, [])
            }
            identities.append((0..<width).map { cursor.value($0) })
        }
        if identities.count > 1 { try groups.add(identities) }
    }

    /// Whether two keys are equal; 0.0 and -0.0 are, as in SQLite.
    private static func isSame(_ one: Value, _ other: Value?) -> Bool {
        if case .real(let number) = one, case .real(let before)? = other { return number == before }
        return one == other
    }

    /// Reads the rows of each group and passes them to a body, which may change or remove them.
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

    /// All records of an entity that must have one; at most `limit`.
    func all(limit: Int = .max) throws(GodwitError) -> [StoredRecord] {
        try connection.rows(selection + " LIMIT ?", [.integer(Int64(limit))]).map(record)
    }

    private var selection: String {
        "SELECT \((table.identity + table.columns.map(quoted)).joined(separator: ", ")) FROM \(table.source)"
    }

    private func record(_ row: [Value]) -> StoredRecord {
        let width = table.identity.count
        return StoredRecord(identity: Array(row[..<width]), columns: Array(row[width...]))
    }

    /// One row for each key that occurs more than once; grouped by key only, so that an index gives the order.
    ///
    /// Of two records that SQLite groups, one may be an integer and the other a real; of three, two are equal.
    private var repeatedKeys: String {
        """
        SELECT \(table.key) FROM \(table.source) GROUP BY \(table.key) COLLATE BINARY
        HAVING count(*) > 2 OR (count(*) = 2 AND min(typeof(\(table.key))) = max(typeof(\(table.key))))
        """
    }
}
