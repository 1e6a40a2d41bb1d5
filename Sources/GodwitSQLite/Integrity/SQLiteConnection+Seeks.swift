internal import GodwitModel

/// Checks the indexes of a table for which `integrity_check` would evaluate expressions: record by record, for indexes
/// of stored columns only.
///
/// An index on an expression, or with a partial condition, cannot be checked without evaluating expressions of the
/// store. Its pages are checked by `quick_check`, like all others.
extension SQLiteConnection {
    func readThrough(_ table: String) throws(GodwitError) {
        let stored = try rows("PRAGMA table_xinfo(\(quoted(table)))").filter {
            $0[6] == .integer(0) || $0[6] == .integer(3)
        }
        let records = try scan(table, for: stored.map { quoted($0[1].readable) })
        // Reading the last column makes SQLite parse and check the whole record.
        while try records.step() { _ = records.type(stored.count - 1) }
    }

    /// Throws (65) unless each index of stored columns has each record of its table exactly once, and nothing else.
    func requireEntries(of table: String) throws(GodwitError) {
        for index in try soughtIndexes(of: table) {
            let source = "FROM \(quoted(table)) INDEXED BY \(quoted(index.name))"
            // Seeks are impossible in an order that only the app knows; but each record must have an entry.
            let count = try index.isOrderedByApp ? count(table) : requireSought(index, of: table, source)
            // For count(*), SQLite uses the smallest index and ignores INDEXED BY.
            guard try first("SELECT count(1) \(source)") == .integer(count) else {
                throw unsound("wrong # of entries in index \(index.name)")
            }
            guard index.isUnique, !index.isOrderedByApp, let repeated = try? prepare(index.repeatedKey(source)) else {
                continue
            }
            if try repeated.step() { throw unsound("non-unique entry in index \(index.name)") }
        }
    }

    private func count(_ table: String) throws(GodwitError) -> Int64 {
        let records = try scan(table, for: ["1"])
        var count: Int64 = 0
        while try records.step() { count += 1 }
        return count
    }

    private func requireSought(
        _ index: SoughtIndex, of table: String, _ source: String
    ) throws(GodwitError) -> Int64 {
        let records = try scan(table, for: index.columns.map(\.name))
        let conditions = index.columns.enumerated().map { "\($1.collated) IS ?\($0 + 1)" }.joined(separator: " AND ")
        let seek = "SELECT 1 \(source) WHERE \(conditions)"
        var count: Int64 = 0
        // Some indexes do not support a seek, such as those with an app's order.
        let steps = (try? rows("EXPLAIN QUERY PLAN \(seek)"))?.map { $0[3].readable } ?? []
        let ways = ["COVERING INDEX \(index.name)", "PRIMARY KEY"]
        guard steps.count == 1, ways.contains(where: { steps[0].hasPrefix("SEARCH \(table) USING \($0) (") }) else {
            while try records.step() { count += 1 }
            return count
        }
        let seeking = try prepare(seek)
        while try records.step() {
            count += 1
            for column in index.columns.indices { try seeking.bind(column: column, of: records, at: column + 1) }
            guard try seeking.step() else { throw unsound("row \(count) missing from index \(index.name)") }
            seeking.reset()
        }
        return count
    }

    /// The records of a table in the table itself; SQLite must not use another index.
    private func scan(_ table: String, for columns: [String]) throws(GodwitError) -> SQLiteCursor {
        // NOT INDEXED would allow SQLite to use any index of a table WITHOUT ROWID.
        let way = try primaryKey(withoutRowid: table).map { "INDEXED BY \(quoted($0))" } ?? "NOT INDEXED"
        return try prepare("SELECT \(columns.joined(separator: ", ")) FROM \(quoted(table)) \(way)")
    }

    /// The index that contains a table WITHOUT ROWID; nil for a table with rowids.
    func primaryKey(withoutRowid table: String) throws(GodwitError) -> String? {
        for index in try rows("PRAGMA index_list(\(quoted(table)))") where index[3] == .string("pk") {
            let parts = try rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))")
            if !parts.contains(where: { $0[1] == .integer(-1) }) { return index[1].readable }
        }
        return nil
    }

    private func soughtIndexes(of table: String) throws(GodwitError) -> [SoughtIndex] {
        let columns = try rows("PRAGMA table_xinfo(\(quoted(table)))")
        let computed = Self.computed(columns)
        let rowid = Self.rowidName(in: columns)
        var indexes: [SoughtIndex] = []
        for index in try rows("PRAGMA index_list(\(quoted(table)))") where index[4] == .integer(0) {
            let parts = try rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))")
            guard !parts.contains(where: { computed.contains($0[1]) }),
                let sought = SoughtIndex(index, parts, rowid: rowid)
            else { continue }
            indexes.append(sought)
        }
        return indexes
    }
}

/// An index of stored columns, for seeks.
private struct SoughtIndex {
    struct Column {
        /// Quoted for SQL.
        let name: String
        /// The name with the index's collation.
        let collated: String
        let isKey: Bool
    }

    let name: String
    let isUnique: Bool
    /// Whether it has a collation that is not SQLite's own.
    let isOrderedByApp: Bool
    /// The key columns, then those that identify the row.
    let columns: [Column]

    /// Takes rows of `index_list` and `index_xinfo`; nil if the index has an expression.
    init?(_ index: [Value], _ parts: [[Value]], rowid: String?) {
        var columns: [Column] = []
        for part in parts {
            let isKey = part[5] == .integer(1)
            switch part[1] {
            case .integer(-1):
                guard let rowid else { continue }
                columns.append(Column(name: rowid, collated: rowid, isKey: isKey))
            case .integer(0...):
                let name = quoted(part[2].readable)
                columns.append(
                    Column(name: name, collated: "\(name) COLLATE \(quoted(part[4].readable))", isKey: isKey))
            default: return nil
            }
        }
        name = index[1].readable
        isUnique = index[2] == .integer(1)
        isOrderedByApp = parts.contains {
            $0[4] != .null && !AppCollations.isOfSQLite($0[4].readable)
        }
        self.columns = columns
    }

    /// A query for a key that an index has twice; no two NULLs are equal:
    /// <https://sqlite.org/lang_createindex.html#unique_indexes>.
    func repeatedKey(_ source: String) -> String {
        let keys = columns.filter(\.isKey)
        let conditions = keys.map { "\($0.name) IS NOT NULL" }.joined(separator: " AND ")
        let groups = keys.map(\.collated).joined(separator: ", ")
        return "SELECT 1 \(source) WHERE \(conditions) GROUP BY \(groups) HAVING count(*) > 1 LIMIT 1"
    }
}
