internal import GodwitModel

/// An index as its entries are made: <https://sqlite.org/fileformat2.html#representation_of_sql_indices>.
struct IndexLayout: Sendable {
    struct Column: Sendable {
        /// Ready for SQL.
        let name: String
        let isDescending: Bool
    }

    let name: String
    /// The key columns, then those which tell the row.
    let columns: [Column]
    let keyCount: Int
    let isUnique: Bool
    /// Whether it is of a table with rowids.
    let endsWithRowid: Bool

    /// More columns than this are left to `integrity_check`: expressions can't be nested without end.
    static let mostColumns = 50
}

/// A table whose indexes can be proven by reading them: each holds columns as they are stored, in the order of their
/// bytes.
struct TableLayout: Sendable {
    let name: String
    /// All indexes of stored columns but the one that is the table itself.
    let indexes: [IndexLayout]
    /// The order of a table WITHOUT ROWID, which is the index of its primary key: <https://sqlite.org/withoutrowid.html>.
    let primaryKey: IndexLayout?

    /// Each column that an index holds, once, ready for SQL.
    var columns: [String] {
        var found: [String] = []
        for column in (primaryKey.map { $0.columns[..<$0.keyCount] } ?? []) + indexes.flatMap(\.columns)
        where !found.contains(column.name) { found.append(column.name) }
        return found
    }

    /// More columns than this, in all indexes together, are left to `integrity_check`.
    static let mostColumns = 200
}

extension SQLiteConnection {
    /// The layout of a table, without the indexes that compute or are partial; nil where it can't be told plainly.
    ///
    /// That is where a text is ordered by anything but its bytes, and where an index names the column that is the rowid:
    /// SQLite reads it from the end of the entry instead of from its place.
    func layout(of table: String) throws(GodwitError) -> TableLayout? {
        let columns = try rows("PRAGMA table_xinfo(\(quoted(table)))")
        let listed = try rows("PRAGMA index_list(\(quoted(table)))")
        guard !columns.isEmpty else { return nil }
        let hasKey = columns.contains { $0[5] != .integer(0) }
        // https://sqlite.org/lang_createtable.html#rowid: only a key that is the rowid goes without an index.
        let isRowidNamed = hasKey && !listed.contains { $0[3] == .string("pk") }
        let rowidColumns = isRowidNamed ? columns.filter { $0[5] != .integer(0) }.map { $0[0] } : []
        let computed = Self.computed(columns) + [.integer(-2)]
        let rowid = Self.rowidName(beside: columns)
        var indexes: [IndexLayout] = []
        var primaryKey: IndexLayout?
        for index in listed where index[4] == .integer(0) {
            let parts = try rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))")
            if parts.contains(where: { computed.contains($0[1]) }) { continue }
            let isNamed = (index + parts.map { $0[2] }).allSatisfy(\.isWholeName)
            guard isNamed, !parts.contains(where: { rowidColumns.contains($0[1]) }),
                let layout = IndexLayout(index, parts, rowid: rowid)
            else { return nil }
            // An entry that does not end with the rowid is of a table that has none.
            let isTable = index[3] == .string("pk") && !parts.contains { $0[1] == .integer(-1) }
            if isTable { primaryKey = layout } else { indexes.append(layout) }
        }
        let layout = TableLayout(name: table, indexes: indexes, primaryKey: primaryKey)
        return layout.columns.count <= TableLayout.mostColumns ? layout : nil
    }

    /// The numbers of the virtual columns, given a table's rows of `table_xinfo`; -2 stands for an expression of an index.
    static func computed(_ columns: [[Value]]) -> [Value] { columns.filter { $0[6] == .integer(2) }.map { $0[0] } }

    /// A name of the rowid that is no column's; nil where columns have all three.
    static func rowidName(beside columns: [[Value]]) -> String? {
        let names = columns.map { $0[1].readable }
        return ["_rowid_", "rowid", "oid"].first { name in !names.contains { $0.isSameName(as: name) } }
    }
}

extension IndexLayout {
    /// An index from its rows of `index_list` and `index_xinfo`; nil where it computes, or orders by another collation.
    fileprivate init?(_ index: [Value], _ parts: [[Value]], rowid: String?) {
        var columns: [Column] = []
        for part in parts {
            guard part[4].readable.uppercased() == "BINARY" else { return nil }
            switch part[1] {
            case .integer(-1):
                guard let rowid else { return nil }
                columns.append(Column(name: rowid, isDescending: part[3] == .integer(1)))
            case .integer(0...):
                columns.append(Column(name: quoted(part[2].readable), isDescending: part[3] == .integer(1)))
            default: return nil
            }
        }
        name = index[1].readable
        self.columns = columns
        keyCount = parts.count { $0[5] == .integer(1) }
        isUnique = index[2] == .integer(1)
        endsWithRowid = parts.last?[1] == .integer(-1)
        guard keyCount > 0, columns.count <= Self.mostColumns else { return nil }
    }
}

extension Value {
    /// Whether a name can be said in SQL: one whose bytes are no UTF-8 is read with replacement characters.
    var isWholeName: Bool { !readable.unicodeScalars.contains("\u{FFFD}") }
}
