internal import GodwitModel
internal import GodwitSQLite

/// The columns of a table's keys and indexes, by folded names.
struct KeyConstraints {
    /// Columns that a unique index covers on their own, for all records.
    private(set) var single: Set<[UInt8]> = []
    /// Columns that are not a key on their own: parts of a primary key or unique index of several columns, and
    /// references to other tables.
    private(set) var partial: Set<[UInt8]> = []

    init(of table: String, _ connection: SQLiteConnection) throws(GodwitError) {
        // seq, name, unique, origin, partial: https://sqlite.org/pragma.html#pragma_index_list
        for index in try connection.rows("PRAGMA index_list(\(quoted(table)))") where index[2] == .integer(1) {
            // seqno, cid (-2: an expression), name, desc, coll, key: https://sqlite.org/pragma.html#pragma_index_xinfo
            let columns = try connection.rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))")
                .filter { $0[5] == .integer(1) }
            let names = columns.filter { $0[1] != .integer(-2) && $0[2] != .null }.map { $0[2].readable.foldedName }
            if columns.count > 1 {
                partial.formUnion(names)
            } else if index[4] == .integer(0) {
                single.formUnion(names)
            }
        }
        // id, seq, table, from, to: https://sqlite.org/pragma.html#pragma_foreign_key_list
        for key in try connection.rows("PRAGMA foreign_key_list(\(quoted(table)))")
        where !key[2].readable.isSameName(as: table) {
            partial.insert(key[3].readable.foldedName)
        }
    }
}
