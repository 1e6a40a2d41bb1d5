import GodwitModel
import GodwitSQLite

/// The current table of rows in the ledger.
struct UndoTable {
    let shape: TableShape
    /// Identifies one row, quoted for SQL.
    let identity: [String]
    /// The columns of the identity; nil for a rowid that VACUUM may change.
    let identityColumns: [String]?
    /// Nil if the manifest does not have the table.
    let entity: Entity?
    let conflicts: ConflictClauses

    /// Throws 65 if the table no longer exists.
    init(_ name: String, in schema: SchemaShape, manifest: Manifest, _ connection: SQLiteConnection) throws(GodwitError)
    {
        guard let table = schema.table(named: name) else {
            throw GodwitError(
                .dedupe, .data, "`\(connection.name)` no longer has a table '\(name)'; nothing was changed",
                hint: "Take its records from godwit_removed.")
        }
        shape = table
        identity = try EntityTable.identity(of: table, store: connection.name, stage: .dedupe)
        identityColumns = try connection.identityColumns(of: table)
        entity = manifest.entities.first { $0.name.isSameName(as: name) }
        conflicts = try ConflictClauses(of: table, in: connection)
    }

    var name: String { quoted(shape.name) }

    func place(_ identity: [Value]) -> RowIdentifier { RowIdentifier(table: shape.name, identity: identity) }

    var condition: String { identity.map { "\($0) IS ? COLLATE BINARY" }.joined(separator: " AND ") }

    var keyPlace: Int? {
        entity.flatMap { entity in shape.storedColumns.firstIndex { $0.name.isSameName(as: entity.key) } }
    }

    /// Index of a column among the stored ones; throws 65 if the column no longer exists.
    func place(of name: String, _ connection: SQLiteConnection) throws(GodwitError) -> Int {
        if let place = shape.storedColumns.firstIndex(where: { $0.name.isSameName(as: name) }) { return place }
        throw GodwitError(
            .dedupe, .data,
            "table '\(shape.name)' of `\(connection.name)` no longer has a column '\(name)'; nothing "
                + "was changed",
            hint: "Take the record from godwit_removed.")
    }

    /// The stored columns of one row in the order of the table; nil if it no longer exists.
    func row(_ identity: [Value], _ connection: SQLiteConnection) throws(GodwitError) -> [Value]? {
        // The primary key of the table may have changed since.
        guard identity.count == self.identity.count else { return nil }
        let columns = shape.storedColumns.map { quoted($0.name) }.joined(separator: ", ")
        return try connection.rows(
            "SELECT \(columns) FROM \(connection.source(shape.name)) WHERE \(condition)", identity
        ).first
    }

    /// The identity of a row after one of its columns has changed.
    func identity(_ identity: [Value], with column: String, as value: Value) -> [Value] {
        guard let place = identityColumns?.firstIndex(where: { $0.isSameName(as: column) }) else { return identity }
        var changed = identity
        changed[place] = value
        return changed
    }
}
