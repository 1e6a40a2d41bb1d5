internal import GodwitModel
internal import GodwitSQLite

/// A reference to records of the table that is deduped, from the manifest or from a foreign key.
///
/// Foreign keys count even if the manifest does not name them: if a row still refers to a removed duplicate, SQLite
/// acts on that row, and ON DELETE CASCADE would delete it.
struct ParentReference: Sendable {
    /// The table whose rows refer.
    let table: String
    /// The name of that table in the ledger: the entity's name if the manifest has one.
    let bookName: String
    let shape: TableShape
    /// Identifies one of its rows, quoted for SQL.
    let identity: [String]
    /// The columns of the identity; nil for a rowid that VACUUM may change.
    let identityColumns: [String]?
    /// The column that names a row in the ledger, quoted for SQL: an entity's key, else the first column of its
    /// identity.
    let key: String
    /// Referring columns, each with the index of the parent's column.
    let columns: [Pair]
    /// Whether the manifest has the table, so that a key identifies each row.
    let isEntity: Bool
    /// Compares by the parent column's collation, as SQLite does for foreign keys; otherwise by bytes.
    let isForeignKey: Bool
    let conflicts: ConflictClauses
    /// Whether parents with different keys may have equal values here, because nothing makes them unique.
    var mayBeShared = false
    /// References in the manifest to the referring column itself, which change with it.
    var dependents: [ParentReference] = []

    struct Pair: Sendable, Equatable {
        let child: String
        let parent: Int

        func isSame(as other: Pair) -> Bool { parent == other.parent && child.isSameName(as: other.child) }
    }

    var withDependents: [ParentReference] { [self] + dependents.flatMap(\.withDependents) }

    struct Referrer {
        let identity: [Value]
        let key: Value
        /// The current values of the referring columns.
        let values: [Value]
    }

    func holds(_ column: Int) -> Bool { columns.contains { $0.parent == column } }

    /// The values of a reference to a record, as the record stores them.
    func values(for record: [Value]) -> [Value] { columns.map { record[$0.parent] } }

    /// The same values as the referring columns store them, which may have other types.
    func stored(_ values: [Value], _ stage: GodwitError.Stage) throws(GodwitError) -> [Value] {
        var stored = values
        for (place, pair) in columns.enumerated() {
            guard let column = shape.column(named: pair.child) else { continue }
            stored[place] = try PlainTable.stored(
                values[place], in: column.affinity(inStrict: shape.isStrict), stage: stage)
        }
        return stored
    }

    func referrers(
        to record: StoredRecord, of parent: EntityTable, _ connection: SQLiteConnection
    ) throws(GodwitError) -> [Referrer] {
        let wanted = identity.map { "c.\($0)" } + ["c.\(key)"] + columns.map { "c.\(quoted($0.child))" }
        let collation = isForeignKey ? "" : " COLLATE BINARY"
        let matches = columns.map { "p.\(quoted(parent.columns[$0.parent])) = c.\(quoted($0.child))\(collation)" }
        let row = parent.identity.map { "p.\($0) IS ? COLLATE BINARY" }
        let found = try connection.rows(
            """
            SELECT \(wanted.joined(separator: ", ")) FROM \(connection.source(parent.shape.name, as: "p"))
            CROSS JOIN \(connection.source(table, as: "c"))
            ON \(matches.joined(separator: " AND ")) WHERE \(row.joined(separator: " AND "))
            """, record.identity)
        let width = identity.count
        return found.map {
            Referrer(identity: Array($0[..<width]), key: $0[width], values: Array($0[(width + 1)...]))
        }
    }

    /// The rows whose referring columns have these values, even if no record has them.
    func referrers(
        holding values: [Value], _ connection: SQLiteConnection
    ) throws(GodwitError) -> [Referrer] {
        guard !values.contains(.null) else { return [] }
        let wanted = identity + [key] + columns.map { quoted($0.child) }
        let collation = isForeignKey ? "" : " COLLATE BINARY"
        let matches = columns.map { "\(quoted($0.child)) = ?\(collation)" }
        let found = try connection.rows(
            """
            SELECT \(wanted.joined(separator: ", ")) FROM \(connection.source(table)) WHERE \(matches.joined(separator: " AND "))
            """, values)
        let width = identity.count
        return found.map {
            Referrer(identity: Array($0[..<width]), key: $0[width], values: Array($0[(width + 1)...]))
        }
    }

    /// Changes the reference of one row.
    ///
    /// A constraint declared ON CONFLICT REPLACE must not silently remove another row (`ConflictClauses`).
    func set(
        _ values: [Value], of referrer: Referrer, _ identities: inout RowIdentities, _ connection: SQLiteConnection
    ) throws(GodwitError) {
        let condition = identity.map { "\($0) IS ? COLLATE BINARY" }.joined(separator: " AND ")
        try conflicts.update(
            columns.map(\.child), to: values, where: condition, identities.current(referrer.identity, in: table),
            in: connection)
        for (pair, value) in zip(columns, values) {
            identities.note(
                pair.child, as: value, of: referrer.identity, in: table, identifiedBy: identityColumns)
        }
    }
}
