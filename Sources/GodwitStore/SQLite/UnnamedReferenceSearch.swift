package import GodwitModel

/// Finds columns that hold primary keys of an entity's records though neither the manifest nor a foreign key names them as
/// references.
package struct UnnamedReferenceSearch {
    private let manifest: Manifest
    private let shape: SchemaShape
    private let connection: SQLiteConnection
    /// Columns of foreign keys, each with its table.
    private let declared: Set<ForeignReference>

    package init(_ manifest: Manifest, in connection: SQLiteConnection) throws(GodwitError) {
        (self.manifest, self.connection) = (manifest, connection)
        shape = try connection.readShape()
        declared = try connection.readReferences(shape)
    }

    /// The column that identifies the rows of a table; nil if there is none.
    ///
    /// It is the primary key of one column, or, in a table without any primary key, a column that is named like one.
    package static func identifier(of table: TableShape) -> String? {
        let keys = table.storedColumns.filter { $0.primaryKeyPlace > 0 }
        guard keys.isEmpty else { return keys.count == 1 ? keys[0].name : nil }
        let names = ["id", "_id", "pk", "uuid", "guid", "identifier"]
        return table.storedColumns.first { column in names.contains { $0.isSameName(as: column.name) } }?.name
    }

    /// Columns whose values are all primary keys of a parent, and some of them of records that are no longer there.
    ///
    /// - Parameter isGone: whether a value was the primary key of a record that was removed.
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

    /// Columns whose values are all primary keys of a parent, and some of them of records that will get another one.
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

    /// A number may be text in one column and a number in the other.
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
        let keys = "SELECT \(quoted(by)) FROM \(quoted(own.name)) WHERE \(quoted(by)) IS NOT NULL"
        var found: [UnnamedReference] = []
        for entity in manifest.entities {
            guard let table = shape.table(named: entity.name) else { continue }
            for column in table.storedColumns where isUnnamed(column, of: table, entity) {
                let isOwn = entity.name == parent.name
                if isOwn, [by, parent.key].contains(where: { $0.isSameName(as: column.name) }) { continue }
                guard try body(quoted(table.name), quoted(column.name), keys) else { continue }
                found.append(UnnamedReference(entity: entity.name, column: column.name, parent: parent.name, by: by))
            }
        }
        return found
    }

    /// Neither a reference that something names, nor a date, nor the table's own row numbers, which are small in every table.
    private func isUnnamed(_ column: ColumnShape, of table: TableShape, _ entity: Entity) -> Bool {
        let isRowNumber =
            Self.identifier(of: table) == column.name && column.affinity(inStrict: table.isStrict) == .integer
        let isDate = entity.modified.map { $0.column.isSameName(as: column.name) } ?? false
        let isNamed =
            entity.belongsTo.contains { $0.column.isSameName(as: column.name) }
            || declared.contains { $0.table == table.name.foldedName && $0.columns.contains(column.name.foldedName) }
        return !isRowNumber && !isDate && !isNamed
    }
}
