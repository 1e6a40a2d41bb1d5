internal import GodwitModel

/// What is asked of a table for which `integrity_check` would compute something: the proof that it gives of each index,
/// record by record, for the indexes that hold nothing but columns as they are stored.
///
/// An index that computes, or that leaves out records by an expression, can't be held against its table without running
/// what the store brings along; its pages are checked by `quick_check`, like all others.
extension SQLiteConnection {
    /// Reads every stored value of a table.
    func readThrough(_ table: String) throws(GodwitError) {
        let stored = try rows("PRAGMA table_xinfo(\(quoted(table)))").filter {
            $0[6] == .integer(0) || $0[6] == .integer(3)
        }
        let records = try scan(table, for: stored.map { quoted($0[1].readable) })
        // Asking for the last column makes SQLite parse and check the whole record.
        while try records.step() { _ = records.type(stored.count - 1) }
    }

    /// Throws (65) unless each index of stored columns has each record of its table once, and nothing else.
    func requireEntries(of table: String) throws(GodwitError) {
        for index in try soughtIndexes(of: table) {
            let source = "FROM \(quoted(table)) INDEXED BY \(quoted(index.name))"
            // In an order that only the app knows nothing can be sought; but there is an entry for each record.
            let count = try index.isOrderedByApp ? count(table) : requireSought(index, of: table, source)
            // For count(*), SQLite takes whichever index is the smallest, whatever INDEXED BY says.
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

    /// Seeks each record in an index, and counts them.
    private func requireSought(
        _ index: SoughtIndex, of table: String, _ source: String
    ) throws(GodwitError) -> Int64 {
        let records = try scan(table, for: index.columns.map(\.name))
        let conditions = index.columns.enumerated().map { "\($1.collated) IS ?\($0 + 1)" }.joined(separator: " AND ")
        let seek = "SELECT 1 \(source) WHERE \(conditions)"
        var count: Int64 = 0
        // Not every index can be sought in: the order that an app gave to its texts is not known here.
        let steps = (try? rows("EXPLAIN QUERY PLAN \(seek)"))?.map { $0[3].readable } ?? []
        let ways = ["COVERING INDEX \(index.name)", "PRIMARY KEY"]
        guard steps.count == 1, ways.contains(where: { steps[0].hasPrefix("SEARCH \(table) USING \($0) (") }) else {
            while try records.step() { count += 1 }
            return count
        }
        let seeking = try prepare(seek)
        while try records.step() {
            count += 1
            for place in index.columns.indices { try seeking.bind(column: place, of: records, at: place + 1) }
            guard try seeking.step() else { throw unsound("row \(count) missing from index \(index.name)") }
            seeking.reset()
        }
        return count
    }

    /// The records of a table as the table itself has them, in which SQLite must not prefer an index.
    private func scan(_ table: String, for columns: [String]) throws(GodwitError) -> SQLiteCursor {
        // NOT INDEXED would let SQLite take any index of a table WITHOUT ROWID.
        let way = try primaryKey(withoutRowid: table).map { "INDEXED BY \(quoted($0))" } ?? "NOT INDEXED"
        return try prepare("SELECT \(columns.joined(separator: ", ")) FROM \(quoted(table)) \(way)")
    }

    /// The index that a table WITHOUT ROWID is; nil for a table with rowids.
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
        let rowid = Self.rowidName(beside: columns)
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

/// An index of stored columns, as it is sought in.
private struct SoughtIndex {
    struct Column {
        /// Ready for SQL.
        let name: String
        /// The same, in the order that the index has.
        let collated: String
        let isKey: Bool
    }

    let name: String
    let isUnique: Bool
    /// Whether it has a collation that is not SQLite's own.
    let isOrderedByApp: Bool
    /// The key columns, then those which tell the row.
    let columns: [Column]

    /// An index from its rows of `index_list` and `index_xinfo`; nil where it computes.
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

    /// What finds a key that an index has twice: <https://sqlite.org/lang_createindex.html#unique_indexes>, where no two
    /// NULLs are equal.
    func repeatedKey(_ source: String) -> String {
        let keys = columns.filter(\.isKey)
        let conditions = keys.map { "\($0.name) IS NOT NULL" }.joined(separator: " AND ")
        let groups = keys.map(\.collated).joined(separator: ", ")
        return "SELECT 1 \(source) WHERE \(conditions) GROUP BY \(groups) HAVING count(*) > 1 LIMIT 1"
    }
}
