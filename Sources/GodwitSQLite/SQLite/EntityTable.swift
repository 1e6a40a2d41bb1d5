package import GodwitModel

/// An entity's table as SQL needs it: its columns, where the key and the date stand, and what identifies a row.
package struct EntityTable: Sendable {
    package let entity: Entity
    package let shape: TableShape
    /// Names of the stored columns, in the table's own order.
    package let columns: [String]
    package let keyIndex: Int
    package let modifiedIndex: Int?
    /// The columns' places in the byte order of their names: the order in which records are compared.
    package let comparisonOrder: [Int]
    /// What tells one row from all others: the rowid, or the primary key where there is none.
    package let identity: [String]
    /// The collation that orders text by its UTF-8 bytes in this store.
    package let collation: String

    /// A table for an entity; 65 where the store has none of that name, or lacks a column.
    package init(
        _ entity: Entity, in shape: SchemaShape, store: String, stage: Stage, collation: String = "BINARY"
    ) throws(GodwitError) {
        self.collation = collation
        guard let table = shape.table(named: entity.name) else {
            let isView = shape.views.contains { $0.isSameName(as: entity.name) }
            throw GodwitError(
                stage, .data,
                isView
                    ? "'\(entity.name)' is a view in \(store), not a table."
                    : "\(store) has no table '\(entity.name)'.",
                hint: "Run `godwit migrate` to bring the store up to date, or mend the manifest.")
        }
        let stored = table.storedColumns.map(\.name)
        func place(_ column: String) throws(GodwitError) -> Int {
            guard let index = stored.firstIndex(where: { $0.isSameName(as: column) }) else {
                throw GodwitError(
                    stage, .data, "Table '\(entity.name)' of \(store) has no stored column '\(column)'.",
                    hint: "Run `godwit migrate` to bring the store up to date, or mend the manifest.")
            }
            return index
        }
        self.entity = entity
        self.shape = table
        columns = stored
        keyIndex = try place(entity.key)
        if let modified = entity.modified { modifiedIndex = try place(modified.column) } else { modifiedIndex = nil }
        comparisonOrder = stored.indices.sorted { stored[$0].utf8.lexicographicallyPrecedes(stored[$1].utf8) }
        identity = try Self.identity(of: table, store: store, stage: stage)
    }

    /// What tells one row of a table from all others, ready for SQL; 65 where nothing does.
    package static func identity(
        of table: TableShape, store: String, stage: Stage
    ) throws(GodwitError) -> [String] {
        if table.isWithoutRowid {
            return table.columns.filter { $0.primaryKeyIndex > 0 }.map { quoted($0.name) }
        }
        // A column may be called like one of the three names of the rowid, hardly like all.
        if let name = table.rowidName { return [name] }
        throw GodwitError(
            stage, .data, "Table '\(table.name)' of \(store) has columns named _rowid_, rowid and oid.",
            hint: "Rename one of them: SQLite leaves no other way to tell its rows apart.")
    }

    package var name: String { quoted(entity.name) }
    package var key: String { quoted(entity.key) }
    /// The key as the schema spells it, ready for SQL.
    package var keyColumn: String { quoted(columns[keyIndex]) }
    package var columnList: String { columns.map(quoted).joined(separator: ", ") }
    package var placeholders: String { columns.map { _ in "?" }.joined(separator: ", ") }

    /// `identity = ?` for as many columns as it has.
    package var identityCondition: String {
        identity.map { "\($0) IS ? COLLATE BINARY" }.joined(separator: " AND ")
    }

    /// The order in which records of two stores meet: by key as `Value` orders, with no regard to the column's own
    /// collation.
    ///
    /// Of equal keys, 1 and 1.0, the kind decides; a column of text has no such pair, and its index then tells the whole order.
    package var keyOrder: String {
        hasTextKeys ? "\(key) COLLATE \(collation)" : "\(key) COLLATE \(collation), typeof(\(key))"
    }

    /// Whether the key's column makes text of every number: <https://sqlite.org/datatype3.html>, section 3.1.
    private var hasTextKeys: Bool {
        let type = shape.column(named: entity.key)?.type.uppercased() ?? ""
        return !type.contains("INT") && ["CHAR", "CLOB", "TEXT"].contains(where: type.contains)
    }

    /// All records in key order.
    package var selectInKeyOrder: String { "SELECT \(columnList) FROM \(name) ORDER BY \(keyOrder)" }

    /// Key and rowid of all records in key order, which an index of the key has in it; nil without a rowid.
    package var selectKeysInOrder: String? {
        guard !shape.isWithoutRowid else { return nil }
        return "SELECT \(key), \(identity[0]) FROM \(name) ORDER BY \(keyOrder)"
    }

    /// All records by rowid, the order in which the file holds them, with the rowid behind the columns; nil without one.
    package var selectInRowOrder: String? { selectInRowOrder(where: "") }

    /// The same for the rows between two numbers, given as SQL; both are included.
    package func selectInRowOrder(between first: String, and last: String) -> String? {
        selectInRowOrder(where: "WHERE \(identity[0]) BETWEEN \(first) AND \(last) ")
    }

    private func selectInRowOrder(where condition: String) -> String? {
        guard !shape.isWithoutRowid else { return nil }
        return "SELECT \(columnList), \(identity[0]) FROM \(name) NOT INDEXED \(condition)ORDER BY \(identity[0])"
    }

    /// The date of a record given all its stored columns.
    package func modified(_ row: [Value]) -> Instant? {
        guard let modifiedIndex else { return nil }
        return Instant(row[modifiedIndex], as: entity.modified?.encoding)
    }

    /// A record as far as it takes part in choosing a winner.
    package func candidate(_ row: [Value]) -> WinnerRule.Candidate {
        WinnerRule.Candidate(
            key: row[keyIndex], modified: modified(row), columns: comparisonOrder.map { row[$0] })
    }
}

extension SQLiteConnection {
    /// The columns whose values identify a row, in the order of `EntityTable.identity`; nil for a rowid of no column's
    /// own, which VACUUM may change: <https://sqlite.org/lang_vacuum.html>.
    ///
    /// A column declared INTEGER PRIMARY KEY is the rowid, but with DESC it is not: then there is an index for it,
    /// <https://sqlite.org/lang_createtable.html#rowid>.
    package func identityColumns(of table: TableShape) throws(GodwitError) -> [String]? {
        let keys = table.columns.filter { $0.primaryKeyIndex > 0 }
        if table.isWithoutRowid { return keys.map(\.name) }
        guard keys.count == 1, keys[0].type.uppercased() == "INTEGER" else { return nil }
        let indexes = try rows("PRAGMA index_list(\(quoted(table.name)))")
        return indexes.contains { $0[3] == .string("pk") } ? nil : [keys[0].name]
    }

    /// The table of an entity in this store.
    package func table(for entity: Entity, in shape: SchemaShape) throws(GodwitError) -> EntityTable {
        try EntityTable(
            entity, in: shape, store: name, stage: stage, collation: isUTF16 ? ByteOrder.collation : "BINARY")
    }

    /// Throws (65) when records of an entity have no key: they can't be told apart across stores.
    package func requireKeys(_ table: EntityTable) throws(GodwitError) {
        guard case .integer(let count)? = try first("SELECT count(*) FROM \(table.name) WHERE \(table.key) IS NULL"),
            count > 0
        else { return }
        throw GodwitError(
            stage, .data,
            "\(name): \(count.counted("\(table.entity.name) record")) without a value in '\(table.entity.key)'.",
            hint: "Give them a key in the app, or name another key column in the manifest.")
    }
}
