import GodwitModel
import GodwitSQLite

/// A table as it is now, for rows of which the books speak.
struct UndoTable {
    let shape: TableShape
    /// What tells one row from all others, ready for SQL.
    let identity: [String]
    /// The columns that make up the identity; nil where it is a rowid that VACUUM may change.
    let identityColumns: [String]?
    /// The entity, where the manifest has the table.
    let entity: Entity?
    /// How it is written.
    let conflicts: ConflictClauses

    /// The table of that name; 65 where it is gone.
    init(_ name: String, in schema: SchemaShape, manifest: Manifest, _ connection: SQLiteConnection) throws(GodwitError)
    {
        guard let table = schema.table(named: name) else {
            throw GodwitError(
                .dedupe, .data, "\(connection.name) has no table '\(name)' any more.",
                hint: "Nothing was changed. Its records can't go back; they stay whole in godwit_removed.")
        }
        shape = table
        identity = try EntityTable.identity(of: table, store: connection.name, stage: .dedupe)
        identityColumns = try connection.identityColumns(of: table)
        entity = manifest.entities.first { $0.name.isSameName(as: name) }
        conflicts = try ConflictClauses(of: table, in: connection)
    }

    var name: String { quoted(shape.name) }

    /// A row of it.
    func place(_ identity: [Value]) -> RowIdentifier { RowIdentifier(table: shape.name, identity: identity) }

    /// `identity = ?` for as many columns as it has.
    var condition: String { identity.map { "\($0) IS ? COLLATE BINARY" }.joined(separator: " AND ") }

    /// The place of the entity's key among the stored columns.
    var keyPlace: Int? {
        entity.flatMap { entity in shape.storedColumns.firstIndex { $0.name.isSameName(as: entity.key) } }
    }

    /// The place of a column among the stored ones; 65 where the schema has lost it.
    func place(of name: String, _ connection: SQLiteConnection) throws(GodwitError) -> Int {
        if let place = shape.storedColumns.firstIndex(where: { $0.name.isSameName(as: name) }) { return place }
        throw GodwitError(
            .dedupe, .data, "Table '\(shape.name)' of \(connection.name) has no column '\(name)' any more.",
            hint: "Nothing was changed. A record can only go back whole; it stays in godwit_removed.")
    }

    /// The stored columns of one row in the table's own order; nil where it is gone.
    func row(_ identity: [Value], _ connection: SQLiteConnection) throws(GodwitError) -> [Value]? {
        // The table may have got another primary key since.
        guard identity.count == self.identity.count else { return nil }
        let columns = shape.storedColumns.map { quoted($0.name) }.joined(separator: ", ")
        return try connection.rows("SELECT \(columns) FROM \(name) WHERE \(condition)", identity).first
    }

    /// What tells a row from all others once a column of it has another value.
    func identity(_ identity: [Value], with column: String, as value: Value) -> [Value] {
        guard let place = identityColumns?.firstIndex(where: { $0.isSameName(as: column) }) else { return identity }
        var changed = identity
        changed[place] = value
        return changed
    }
}
