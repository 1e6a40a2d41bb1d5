import GodwitLedger
import GodwitModel
import GodwitSQLite

/// Fixed keys that winners keep when their run is undone, because other records refer to them.
///
/// Without the fixed key, records that were added since, by the app or by the same run's copy, would lose their parent.
/// If a copy has replaced the winner by another store's record, the winner no longer exists. References that the run
/// changed to the fixed key then stay too.
struct KeptKeys {
    private var keys: [Key] = []

    private struct Key {
        let entity: String
        let from: Value
        let to: Value
        /// Columns that refer to it: ledger name of the table, column, and both keys as the column stores them.
        var references: [(table: String, column: String, from: Value, to: Value)]

        /// Adds one column of a reference, and those that refer to that column.
        mutating func add(
            _ reference: ParentReference, at place: Int, from: Value, to: Value, _ stage: GodwitError.Stage
        ) throws(GodwitError) {
            let column = reference.columns[place].child
            let affinity = reference.shape.column(named: column)?.affinity(inStrict: reference.shape.isStrict) ?? .blob
            let (old, new) = (
                try PlainTable.stored(from, in: affinity, stage: stage),
                try PlainTable.stored(to, in: affinity, stage: stage)
            )
            references.append((reference.bookName, column, old, new))
            for dependent in reference.dependents { try add(dependent, at: 0, from: old, to: new, stage) }
        }
    }

    init(
        of run: String, in connection: SQLiteConnection, _ schema: SchemaShape, _ manifest: Manifest,
        notes: () -> SpillableRowMap
    ) throws(GodwitError) {
        var changed: [LedgerStep] = []
        try connection.forEachOpenStep(of: run) { step throws(GodwitError) in
            if step.reason == "rekeyed" { changed.append(step) }
            return true
        }
        guard !changed.isEmpty else { return }
        let own = try Self.rowsOfSteps(of: run, in: connection, notes())
        let back = try Self.removedKeys(of: run, in: connection, notes())
        for step in changed {
            guard case .changed(_, let from, let to) = step.action else { continue }
            // If the manifest no longer has the entity, its references are unknown.
            guard let entity = manifest.entities.first(where: { $0.name.isSameName(as: step.entity) }) else { continue }
            let table = try connection.table(for: entity, in: schema)
            let references = try ParentReference.all(to: table, in: schema, manifest: manifest, connection)
            let isReplaced = try connection.hasReplaced(step.entity, key: to, laterThan: step.order)
            // If another record gets this key back, the references belong to that one.
            let hasHeir = try back.has(RowIdentifier(table: step.entity, identity: [to]))
            let isKept =
                isReplaced || hasHeir
                ? isReplaced : try Self.haveOthersCome(to: to, of: table, references, besides: own, connection)
            guard isKept else { continue }
            var key = Key(entity: step.entity, from: from, to: to, references: [])
            for reference in references {
                for place in reference.columns.indices where reference.columns[place].parent == table.keyIndex {
                    try key.add(reference, at: place, from: from, to: to, connection.stage)
                }
            }
            keys.append(key)
        }
    }

    /// Whether a step must not be undone.
    func keep(_ step: LedgerStep) -> Bool {
        guard case .changed(let column, let from, let to) = step.action else { return false }
        return keys.contains { key in
            if step.reason == "rekeyed" { return key.entity == step.entity && key.from == from && key.to == to }
            return key.references.contains {
                $0.table == step.entity && $0.column.isSameName(as: column) && $0.from == from && $0.to == to
            }
        }
    }

    /// All rows in the steps of a run, by the ledger names of their tables.
    private static func rowsOfSteps(
        of run: String, in connection: SQLiteConnection, _ notes: SpillableRowMap
    ) throws(GodwitError) -> SpillableRowMap {
        try connection.forEachOpenStep(of: run) { step throws(GodwitError) in
            if case .changed = step.action, let identity = step.identity {
                try notes.note(of: RowIdentifier(table: step.entity, identity: identity))
            }
            return true
        }
        return notes
    }

    private static func removedKeys(
        of run: String, in connection: SQLiteConnection, _ notes: SpillableRowMap
    ) throws(GodwitError) -> SpillableRowMap {
        try connection.forEachOpenStep(of: run) { step throws(GodwitError) in
            if case .removed = step.action {
                try notes.note(of: RowIdentifier(table: step.entity, identity: [step.key]))
            }
            return true
        }
        return notes
    }

    /// Whether other records refer to a key than those that the run changed.
    private static func haveOthersCome(
        to key: Value, of table: EntityTable, _ references: [ParentReference], besides own: SpillableRowMap,
        _ connection: SQLiteConnection
    ) throws(GodwitError) -> Bool {
        let rows = try connection.rows(
            "SELECT \(table.columnList) FROM \(table.source) WHERE \(table.key) IS ? COLLATE BINARY LIMIT 2", [key])
        // If several records have the key, one of them keeps it.
        guard rows.count == 1 else { return false }
        for reference in references where reference.holds(table.keyIndex) {
            let others = try reference.referrers(holding: reference.values(for: rows[0]), connection)
                .count { row throws(GodwitError) in
                    try !own.has(RowIdentifier(table: reference.bookName, identity: row.identity))
                }
            if others > 0 { return true }
        }
        return false
    }
}
