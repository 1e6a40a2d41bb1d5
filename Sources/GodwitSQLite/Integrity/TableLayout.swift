internal import GodwitModel

/// The columns of an index's entries: <https://sqlite.org/fileformat2.html#representation_of_sql_indices>.
struct IndexLayout: Sendable {
    struct Column: Sendable {
        /// Quoted for SQL.
        let name: String
        let isDescending: Bool
    }

    let name: String
    /// The key columns, then those that identify the row.
    let columns: [Column]
    let keyCount: Int
    let isUnique: Bool
    /// Whether its table has rowids.
    let endsWithRowid: Bool

    /// Maximum number of columns; `integrity_check` checks larger indexes, because SQLite limits the depth of
    /// expressions.
    static let mostColumns = 50
}

/// A table whose indexes can be proven by scans: they contain stored columns in the order of their bytes.
struct TableLayout: Sendable {
    let name: String
    /// All indexes of stored columns, except the one that contains the table itself.
    let indexes: [IndexLayout]
    /// The primary key of a table WITHOUT ROWID, which defines its order: <https://sqlite.org/withoutrowid.html>.
    let primaryKey: IndexLayout?

    /// Each indexed column, once, quoted for SQL.
    var columns: [String] {
        var found: [String] = []
        for column in (primaryKey.map { $0.columns[..<$0.keyCount] } ?? []) + indexes.flatMap(\.columns)
        where !found.contains(column.name) { found.append(column.name) }
        return found
    }

    /// Maximum number of columns in all indexes together; `integrity_check` checks larger tables.
    static let mostColumns = 200
}

extension SQLiteConnection {
    /// The layout of a table, without indexes on expressions and partial indexes; nil if a scan cannot prove the
    /// others.
    ///
    /// That is the case if a text is not ordered by its bytes, or if an index names the column that is the rowid:
    /// SQLite reads that column from the end of the entry and not from its own index.
    func layout(of table: String) throws(GodwitError) -> TableLayout? {
        let columns = try rows("PRAGMA table_xinfo(\(quoted(table)))")
        let listed = try rows("PRAGMA index_list(\(quoted(table)))")
        guard !columns.isEmpty else { return nil }
        let hasKey = columns.contains { $0[5] != .integer(0) }
        // Only a key that is the rowid needs no index: https://sqlite.org/lang_createtable.html#rowid
        let isRowidNamed = hasKey && !listed.contains { $0[3] == .string("pk") }
        let rowidColumns = isRowidNamed ? columns.filter { $0[5] != .integer(0) }.map { $0[0] } : []
        let computed = Self.computed(columns) + [.integer(-2)]
        let rowid = Self.rowidName(in: columns)
        var indexes: [IndexLayout] = []
        var primaryKey: IndexLayout?
        for index in listed where index[4] == .integer(0) {
            let parts = try rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))")
            if parts.contains(where: { computed.contains($0[1]) }) { continue }
            let isNamed = (index + parts.map { $0[2] }).allSatisfy(\.isWholeName)
            guard isNamed, !parts.contains(where: { rowidColumns.contains($0[1]) }),
                let layout = IndexLayout(index, parts, rowid: rowid)
            else { return nil }
            // An entry of a table WITHOUT ROWID does not end with the rowid.
            let isTable = index[3] == .string("pk") && !parts.contains { $0[1] == .integer(-1) }
            if isTable { primaryKey = layout } else { indexes.append(layout) }
        }
        let layout = TableLayout(name: table, indexes: indexes, primaryKey: primaryKey)
        return layout.columns.count <= TableLayout.mostColumns ? layout : nil
    }

    /// The numbers of the virtual columns, from a table's rows of `table_xinfo`; -2 means an expression of an index.
    static func computed(_ columns: [[Value]]) -> [Value] { columns.filter { $0[6] == .integer(2) }.map { $0[0] } }

    /// A name of the rowid that no column has; nil if columns have all three names.
    static func rowidName(in columns: [[Value]]) -> String? {
        let names = columns.map { $0[1].readable }
        return ["_rowid_", "rowid", "oid"].first { name in !names.contains { $0.isSameName(as: name) } }
    }
}

extension IndexLayout {
    /// Takes rows of `index_list` and `index_xinfo`; nil if the index has an expression or another collation.
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
    /// Whether SQL can contain a name: a name that is not UTF-8 is read with replacement characters.
    var isWholeName: Bool { !readable.unicodeScalars.contains("\u{FFFD}") }
}
