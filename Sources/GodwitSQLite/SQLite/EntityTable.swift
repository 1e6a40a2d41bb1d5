package import GodwitModel

/// An entity's table for SQL: its columns, the indexes of key and date, and what identifies a row.
package struct EntityTable: Sendable {
    package let entity: Entity
    package let shape: TableShape
    /// Names of the stored columns, in the order of the table.
    package let columns: [String]
    package let keyIndex: Int
    package let modifiedIndex: Int?
    /// Indexes of the columns by the byte order of their names; records are compared in this order.
    package let comparisonOrder: [Int]
    /// Identifies a row: the rowid, or the primary key of a table WITHOUT ROWID.
    package let identity: [String]
    /// The collation that orders text of this store by its UTF-8 bytes.
    package let collation: String
    /// The table after FROM in SQL, which excludes indexes that are not known to be sound.
    package let source: String

    /// Throws 65 if the store has no table for the entity, or if the table lacks a column.
    package init(
        _ entity: Entity, in shape: SchemaShape, store: String, stage: GodwitError.Stage, collation: String = "BINARY",
        access: String = ""
    ) throws(GodwitError) {
        (self.collation, source) = (collation, quoted(entity.name) + access)
        guard let table = shape.table(named: entity.name) else {
            let isView = shape.views.contains { $0.isSameName(as: entity.name) }
            throw GodwitError(
                stage, .data,
                isView
                    ? "'\(entity.name)' is a view in `\(store)`, not a table"
                    : "`\(store)` has no table '\(entity.name)'",
                hint: "Run \(name: .migrate) to apply the pending schema files, or correct the manifest.")
        }
        let stored = table.storedColumns.map(\.name)
        func index(of column: String) throws(GodwitError) -> Int {
            guard let index = stored.firstIndex(where: { $0.isSameName(as: column) }) else {
                throw GodwitError(
                    stage, .data, "table '\(entity.name)' of `\(store)` has no stored column '\(column)'",
                    hint: "Run \(name: .migrate) to apply the pending schema files, or correct the manifest.")
            }
            return index
        }
        (self.entity, self.shape) = (entity, table)
        columns = stored
        keyIndex = try index(of: entity.key)
        if let modified = entity.modified {
            modifiedIndex = try index(of: modified.column)
        } else {
            modifiedIndex = nil
        }
        comparisonOrder = stored.indices.sorted { stored[$0].utf8.lexicographicallyPrecedes(stored[$1].utf8) }
        identity = try Self.identity(of: table, store: store, stage: stage)
    }

    /// Identifies a row of a table, quoted for SQL; throws 65 if nothing does.
    package static func identity(
        of table: TableShape, store: String, stage: GodwitError.Stage
    ) throws(GodwitError) -> [String] {
        if table.isWithoutRowid {
            return table.columns.filter { $0.primaryKeyIndex > 0 }.map { quoted($0.name) }
        }
        // A column may have one of the three names of the rowid, but rarely do columns have all three.
        if let name = table.rowidName { return [name] }
        throw GodwitError(
            stage, .data,
            "table '\(table.name)' of `\(store)` has columns named _rowid_, rowid and oid, so its rows "
                + "can't be identified",
            hint: "Rename one of these columns.")
    }

    package var name: String { quoted(entity.name) }
    package var key: String { quoted(entity.key) }
    /// The key as the schema spells it, quoted for SQL.
    package var keyColumn: String { quoted(columns[keyIndex]) }
    package var columnList: String { columns.map(quoted).joined(separator: ", ") }
    package var placeholders: String { columns.map { _ in "?" }.joined(separator: ", ") }

    /// `identity IS ?` for each column of the identity.
    package var identityCondition: String {
        identity.map { "\($0) IS ? COLLATE BINARY" }.joined(separator: " AND ")
    }

    /// The order in which records of two stores are compared: by key as `Value` orders, and not by the column's
    /// collation.
    ///
    /// For equal keys, such as 1 and 1.0, the storage class decides. A text column has no such keys, so its index gives
    /// the whole order.
    package var keyOrder: String {
        hasTextKeys ? "\(key) COLLATE \(collation)" : "\(key) COLLATE \(collation), typeof(\(key))"
    }

    /// Whether the key's column converts every number to text: <https://sqlite.org/datatype3.html>, section 3.1.
    private var hasTextKeys: Bool {
        let type = shape.column(named: entity.key)?.type.uppercased() ?? ""
        return !type.contains("INT") && ["CHAR", "CLOB", "TEXT"].contains(where: type.contains)
    }

    package var selectInKeyOrder: String { "SELECT \(columnList) FROM \(source) ORDER BY \(keyOrder)" }

    /// Key and rowid of all records in key order; nil for a table WITHOUT ROWID.
    package var selectKeysInOrder: String? {
        guard !shape.isWithoutRowid else { return nil }
        return "SELECT \(key), \(identity[0]) FROM \(source) ORDER BY \(keyOrder)"
    }

    /// All records by rowid, their order in the file, with the rowid after the columns; nil for a table WITHOUT ROWID.
    package var selectInRowOrder: String? { selectInRowOrder(where: "") }

    /// The same for rowids between two numbers, given as SQL; both are included.
    package func selectInRowOrder(between first: String, and last: String) -> String? {
        selectInRowOrder(where: "WHERE \(identity[0]) BETWEEN \(first) AND \(last) ")
    }

    private func selectInRowOrder(where condition: String) -> String? {
        guard !shape.isWithoutRowid else { return nil }
        return "SELECT \(columnList), \(identity[0]) FROM \(name) NOT INDEXED \(condition)ORDER BY \(identity[0])"
    }

    /// The date of a record, from all its stored columns.
    package func modified(_ row: [Value]) -> Instant? {
        guard let modifiedIndex else { return nil }
        return Instant(row[modifiedIndex], as: entity.modified?.encoding)
    }

    /// The values of a record that decide which duplicate wins.
    package func candidate(_ row: [Value]) -> WinnerRule.Candidate {
        WinnerRule.Candidate(
            key: row[keyIndex], modified: modified(row), columns: comparisonOrder.map { row[$0] })
    }
}

extension SQLiteConnection {
    /// The columns whose values identify a row, in the order of `EntityTable.identity`.
    ///
    /// Nil for a rowid without a column of its own, because VACUUM may change it:
    /// <https://sqlite.org/lang_vacuum.html>. A column declared INTEGER PRIMARY KEY is the rowid; with DESC it is not,
    /// and then has an index: <https://sqlite.org/lang_createtable.html#rowid>.
    package func identityColumns(of table: TableShape) throws(GodwitError) -> [String]? {
        let keys = table.columns.filter { $0.primaryKeyIndex > 0 }
        if table.isWithoutRowid { return keys.map(\.name) }
        guard keys.count == 1, keys[0].type.uppercased() == "INTEGER" else { return nil }
        let indexes = try rows("PRAGMA index_list(\(quoted(table.name)))")
        return indexes.contains { $0[3] == .string("pk") } ? nil : [keys[0].name]
    }

    package func table(for entity: Entity, in shape: SchemaShape) throws(GodwitError) -> EntityTable {
        try EntityTable(
            entity, in: shape, store: name, stage: stage, collation: isUTF16 ? ByteOrder.collation : "BINARY",
            access: access(to: entity.name))
    }

    /// Throws (65) if records of an entity have no key, because they cannot be identified in other stores.
    package func requireKeys(_ table: EntityTable) throws(GodwitError) {
        // `quick_check` has found no NULL in a column that is declared so.
        if table.shape.column(named: table.entity.key)?.isNotNull == true { return }
        guard case .integer(let count)? = try first("SELECT count(1) FROM \(table.source) WHERE \(table.key) IS NULL"),
            count > 0
        else { return }
        throw GodwitError(
            stage, .data,
            "`\(name)`: \(count.counted("\(table.entity.name) record")) without a value in "
                + "'\(table.entity.key)'",
            hint: "Give them a key in the app, or name another key column in the manifest.")
    }
}
