internal import GodwitModel
internal import GodwitSQLite

/// A way in which rows of some table name a record of the table being deduped: by the manifest, or by a foreign key.
///
/// A foreign key counts even where the manifest is silent: while a row still names a loser, removing the loser would make
/// SQLite act on that row, and ON DELETE CASCADE would delete it.
struct ParentReference: Sendable {
    /// The table whose rows refer.
    let table: String
    /// What the books call that table: the entity's name where the manifest has one.
    let bookName: String
    /// The table's columns.
    let shape: TableShape
    /// What tells one of its rows from all others, ready for SQL.
    let identity: [String]
    /// The columns that make up the identity; nil where it is a rowid that VACUUM may change.
    let identityColumns: [String]?
    /// The column that names such a row in the books: an entity's key, else the first of its identity; ready for SQL.
    let key: String
    /// Which column holds which column of the parent, by its place among the stored ones.
    let columns: [Pair]
    /// Whether the manifest has the table, so that a key of its own names each row.
    let isEntity: Bool
    /// Compared as SQLite compares foreign keys, by the parent column's collation; else by bytes.
    let isForeignKey: Bool
    /// How the table is written.
    let conflicts: ConflictClauses
    /// Whether parents of several keys may have the same value here: nothing makes it unique.
    var mayBeShared = false
    /// References of the manifest to the referring column itself, which change with it.
    var dependents: [ParentReference] = []

    /// One column of a reference.
    struct Pair: Sendable, Equatable {
        let child: String
        let parent: Int

        func isSame(as other: Pair) -> Bool { parent == other.parent && child.isSameName(as: other.child) }
    }

    /// This reference, those that depend on it, and theirs.
    var withDependents: [ParentReference] { [self] + dependents.flatMap(\.withDependents) }

    /// A row that refers to a record of the parent.
    struct Referrer {
        let identity: [Value]
        let key: Value
        /// The referring columns as they are.
        let values: [Value]
    }

    /// Whether a column of the parent is one that it holds.
    func holds(_ column: Int) -> Bool { columns.contains { $0.parent == column } }

    /// What rows with this reference must hold to name a record, as the record has it.
    func values(for record: [Value]) -> [Value] { columns.map { record[$0.parent] } }

    /// The same values as the referring columns store them: their types may be others than the record's.
    func stored(_ values: [Value], _ stage: Stage) throws(GodwitError) -> [Value] {
        var stored = values
        for (place, pair) in columns.enumerated() {
            guard let column = shape.column(named: pair.child) else { continue }
            stored[place] = try PlainTable.stored(
                values[place], in: column.affinity(inStrict: shape.isStrict), stage: stage)
        }
        return stored
    }

    /// The rows that refer to one record of the parent.
    func referrers(
        to record: StoredRecord, of parent: EntityTable, _ connection: SQLiteConnection
    ) throws(GodwitError) -> [Referrer] {
        let wanted = identity.map { "c.\($0)" } + ["c.\(key)"] + columns.map { "c.\(quoted($0.child))" }
        let collation = isForeignKey ? "" : " COLLATE BINARY"
        let matches = columns.map { "p.\(quoted(parent.columns[$0.parent])) = c.\(quoted($0.child))\(collation)" }
        let row = parent.identity.map { "p.\($0) IS ? COLLATE BINARY" }
        let found = try connection.rows(
            """
            SELECT \(wanted.joined(separator: ", ")) FROM \(parent.name) AS p CROSS JOIN \(quoted(table)) AS c
            ON \(matches.joined(separator: " AND ")) WHERE \(row.joined(separator: " AND "))
            """, record.identity)
        let width = identity.count
        return found.map {
            Referrer(identity: Array($0[..<width]), key: $0[width], values: Array($0[(width + 1)...]))
        }
    }

    /// The rows whose referring columns hold these values, whether or not any record has them.
    func referrers(
        holding values: [Value], _ connection: SQLiteConnection
    ) throws(GodwitError) -> [Referrer] {
        guard !values.contains(.null) else { return [] }
        let wanted = identity + [key] + columns.map { quoted($0.child) }
        let collation = isForeignKey ? "" : " COLLATE BINARY"
        let matches = columns.map { "\(quoted($0.child)) = ?\(collation)" }
        let found = try connection.rows(
            """
            SELECT \(wanted.joined(separator: ", ")) FROM \(quoted(table)) WHERE \(matches.joined(separator: " AND "))
            """, values)
        let width = identity.count
        return found.map {
            Referrer(identity: Array($0[..<width]), key: $0[width], values: Array($0[(width + 1)...]))
        }
    }

    /// Makes one row refer to something else.
    ///
    /// A constraint declared ON CONFLICT REPLACE must not remove another row without a word (`ConflictClauses`).
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
