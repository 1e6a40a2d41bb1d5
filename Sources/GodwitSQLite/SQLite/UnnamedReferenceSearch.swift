package import GodwitModel

/// Finds columns with primary keys of an entity that neither the manifest nor a foreign key declares as references.
///
/// Searches the entities and the app's other tables.
package struct UnnamedReferenceSearch {
    private let manifest: Manifest
    private let shape: SchemaShape
    private let connection: SQLiteConnection
    private let declared: Set<ForeignReference>
    /// The tables to search: those of the entities in order, then the others.
    private let tables: [(shape: TableShape, entity: Entity?)]

    /// - Parameter entitiesAlone: whether to omit other tables, because nothing happens to their store.
    package init(
        _ manifest: Manifest, in connection: SQLiteConnection, entitiesAlone: Bool = false
    ) throws(GodwitError) {
        (self.manifest, self.connection) = (manifest, connection)
        let shape = try connection.readShape()
        self.shape = shape
        declared = try connection.readReferences(shape)
        let entities = manifest.entities.compactMap { entity in
            shape.table(named: entity.name).map { (shape: $0, entity: Optional(entity)) }
        }
        let others =
            entitiesAlone
            ? []
            : shape.tables.filter { table in
                !entities.contains { $0.shape.name == table.name } && !table.isMigratorsOwn
                    && !shape.isOfExtension(table.name)
                    // The tables of a virtual table's index: https://sqlite.org/vtab.html#xshadowname
                    && !shape.virtualTables.contains { table.name.foldedName.starts(with: ($0 + "_").foldedName) }
            }
        tables = entities + others.map { (shape: $0, entity: nil) }
    }

    /// The column that identifies the rows of a table; nil if there is none.
    ///
    /// It is the primary key of one column or, in a table without a primary key, a column with a usual name of one.
    package static func identifier(of table: TableShape) -> String? {
        let keys = table.storedColumns.filter { $0.primaryKeyIndex > 0 }
        guard keys.isEmpty else { return keys.count == 1 ? keys[0].name : nil }
        let names = ["id", "_id", "pk", "uuid", "guid", "identifier"]
        return table.storedColumns.first { column in names.contains { $0.isSameName(as: column.name) } }?.name
    }

    /// Columns whose values are all primary keys of a parent, and some belong to records that were removed.
    ///
    /// - Parameter isGone: whether a value was the primary key of a removed record.
    package func columns(
        losing parent: Entity, _ isGone: (Value) throws(GodwitError) -> Bool
    ) throws(GodwitError) -> [UnnamedReference] {
        try columns(of: parent) { table, column, keys throws(GodwitError) in
            let lost = try connection.prepare(
                """
                SELECT DISTINCT \(column) FROM \(table)
                WHERE \(column) IS NOT NULL AND \(column) COLLATE BINARY NOT IN (\(keys))
                """)
            var hasLost = false
            while try lost.step() {
                guard try Self.forms(of: lost.value(0), isGone) else { return false }
                hasLost = true
            }
            return hasLost
        }
    }

    /// Columns whose values are all primary keys of a parent, and some belong to records that will get another one.
    ///
    /// - Parameter isChanging: whether a value is the primary key of such a record.
    package func columns(
        holding parent: Entity, _ isChanging: (Value) throws(GodwitError) -> Bool
    ) throws(GodwitError) -> [UnnamedReference] {
        try columns(of: parent) { table, column, keys throws(GodwitError) in
            let other =
                "SELECT 1 FROM \(table) WHERE \(column) IS NOT NULL AND \(column) COLLATE BINARY NOT IN (\(keys)) LIMIT 1"
            guard try connection.first(other) == nil else { return false }
            let values = try connection.prepare("SELECT DISTINCT \(column) FROM \(table) WHERE \(column) IS NOT NULL")
            while try values.step() {
                if try Self.forms(of: values.value(0), isChanging) { return true }
            }
            return false
        }
    }

    /// A number may be text in one column and an integer in the other.
    private static func forms(
        of value: Value, _ body: (Value) throws(GodwitError) -> Bool
    ) throws(GodwitError) -> Bool {
        if try body(value) { return true }
        let number: Int64? =
            switch value {
            case .text: Int64(value.readable)
            case .real(let real): Int64(exactly: real)
            default: nil
            }
        if let number { return try body(.integer(number)) }
        guard case .integer(let number) = value else { return false }
        return try body(.string("\(number)"))
    }

    private func columns(
        of parent: Entity,
        where body: (_ table: String, _ column: String, _ keys: String) throws(GodwitError) -> Bool
    ) throws(GodwitError) -> [UnnamedReference] {
        guard let own = shape.table(named: parent.name), let by = Self.identifier(of: own) else { return [] }
        let keys = "SELECT \(quoted(by)) FROM \(try connection.source(own.name)) WHERE \(quoted(by)) IS NOT NULL"
        var found: [UnnamedReference] = []
        for (table, entity) in tables {
            for column in table.storedColumns where isUnnamed(column, of: table, entity) {
                if entity?.name == parent.name, by.isSameName(as: column.name) { continue }
                guard try body(connection.source(table.name), quoted(column.name), keys) else { continue }
                let name = entity?.name ?? table.name
                found.append(UnnamedReference(entity: name, column: column.name, parent: parent.name, by: by))
            }
        }
        return found
    }

    /// Whether a column is not a declared reference, not a date, not a setting, and not the key of its own table: rowids
    /// are small numbers in every table.
    ///
    /// The one record of a singleton has one value in each column, which is easily a row number by chance. Rules for
    /// settings fill no other entities.
    private func isUnnamed(_ column: ColumnShape, of table: TableShape, _ entity: Entity?) -> Bool {
        guard entity?.singleton == nil else { return false }
        let isOwn = Self.identifier(of: table) == column.name
        let isRowNumber = isOwn && column.affinity(inStrict: table.isStrict) == .integer
        let isKey = entity.map { $0.key.isSameName(as: column.name) } ?? isOwn
        let isDate = entity?.modified.map { $0.column.isSameName(as: column.name) } ?? false
        let isNamed =
            entity?.belongsTo.contains { $0.column.isSameName(as: column.name) } == true
            || declared.contains { $0.table == table.name.foldedName && $0.columns.contains(column.name.foldedName) }
        return !isRowNumber && !isKey && !isDate && !isNamed
    }
}
