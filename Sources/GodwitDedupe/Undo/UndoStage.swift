internal import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// Restores what the dedupe of one run set aside in one store: records, references, keys.
///
/// Invariant: either every record of the run is restored exactly, or nothing changes. Later changes stay: a reference
/// or key that no longer has the run's value is not changed, and is counted. The ledger keeps all rows and records the
/// run that undid them.
package struct UndoStage: Sendable {
    private let manifest: Manifest
    private let context: RunContext
    private let runIdentifier: String
    private let rowsInMemory: Int

    /// - Parameter rowsInMemory: maximum number of rows in memory; further ones go to a temporary store.
    package init(
        manifest: Manifest, context: RunContext, runIdentifier: String,
        rowsInMemory: Int = SpillableRowMap.maxRowsInMemory
    ) {
        (self.manifest, self.context, self.runIdentifier) = (manifest, context, runIdentifier)
        self.rowsInMemory = rowsInMemory
    }

    /// Undoes a run inside the caller's transaction.
    ///
    /// Throws 65, and the caller rolls back, if a record cannot be restored exactly: its table or a column no longer
    /// exists, a newer record has its key, a later run changed the same records, or a newer record would lose its
    /// parent.
    package func undo(
        _ run: String, within connection: SQLiteConnection, role: StoreRole, file: String
    ) throws(GodwitError) -> RunReport.Undo.Store {
        try connection.makeTable(.removed)
        try connection.makeTable(.changed)
        var result = RunReport.Undo.Store(store: role, file: file, outcome: .done)
        guard let open = try connection.readOpenSteps(of: run) else {
            result.outcome = .nothingToDo
            return result
        }
        try requireExactBooks(open, connection, role)
        let notes = { [stage = connection.stage, cancellation = context.cancellation, rowsInMemory] in
            SpillableRowMap(stage: stage, cancellation: cancellation, maxRowsInMemory: rowsInMemory)
        }
        let later = LaterSteps(connection: connection, notes: notes)
        if let blocking = try later.blocking(run, since: open.first) {
            throw GodwitError(
                .dedupe, .data,
                "a later run, \(blocking), changed records of that run in `\(connection.name)`; "
                    + "nothing was changed",
                hint: "Undo the later one first: "
                    + Wording.text(
                        commandLine: "`godwit dedupe --undo \(blocking)`.",
                        library: "`Migration.undoDedupe(run:)` with `\(blocking)`."))
        }
        let schema = try connection.readShape()
        try connection.requireHarmlessTriggers(
            of: [.insert, .update], on: manifest.entities.map(\.name), schema, entities: manifest.entities.map(\.name))
        let kept = try KeptKeys(of: run, in: connection, schema, manifest, notes: notes)
        let sideEffectGuard = try SideEffectGuard(of: connection, schema, entities: manifest.entities.map(\.name))
        var restoration = Restoration(
            connection, schema, manifest, result, keeping: kept, besides: sideEffectGuard, notes: notes)
        try connection.withForeignKeysUnchecked { () throws(GodwitError) in
            var done = 0
            try connection.forEachOpenStep(of: run) { step throws(GodwitError) in
                if done & 255 == 0 { try context.cancellation.check(.dedupe) }
                done += 1
                try restoration.takeBack(step)
                return true
            }
        }
        try restoration.requireExact()
        try requireNoneLost(restoration, schema)
        try connection.markUndone(run, by: runIdentifier, at: context.now)
        return restoration.result
    }

    /// The ledger of an older Godwit does not contain the identity of changed rows, nor if a step was copied from
    /// another store.
    private func requireExactBooks(
        _ open: OpenSteps, _ connection: SQLiteConnection, _ role: StoreRole
    ) throws(GodwitError) {
        guard !open.areExact else { return }
        let mayBeCarried = role == .cloud ? try connection.readReceipt(.copy) != nil : false
        guard open.hasInexactChanges || mayBeCarried else { return }
        throw GodwitError(
            .dedupe, .data,
            "`\(connection.name)` was deduplicated by an older Godwit, whose ledger is not exact enough "
                + "for an undo; nothing was changed",
            hint: "Take the records from godwit_removed, and the old values from godwit_changed.")
    }

    /// Throws (65) if records that were added since refer to a key that would no longer exist.
    private func requireNoneLost(_ restoration: Restoration, _ schema: SchemaShape) throws(GodwitError) {
        let connection = restoration.connection
        for (booked, identity, key) in restoration.rekeyed {
            guard let entity = booked.entity, var row = try booked.row(identity, connection) else { continue }
            let table = try connection.table(for: entity, in: schema)
            let remaining = try connection.rows(
                "SELECT \(table.key) FROM \(table.source) WHERE \(table.key) IS ?", [key])
            if remaining.contains([key]) { continue }
            row[table.keyIndex] = key
            for reference in try ParentReference.all(to: table, in: schema, manifest: manifest, connection)
            where reference.holds(table.keyIndex) {
                let child = try UndoTable(reference.table, in: schema, manifest: manifest, connection)
                let lost = try reference.referrers(holding: reference.values(for: row), connection)
                    .count { row throws(GodwitError) in try !restoration.isKnown(row.identity, in: child) }
                guard lost > 0 else { continue }
                throw GodwitError(
                    .dedupe, .data,
                    "\(lost.counted("record")) of `\(reference.table)` in `\(connection.name)` refer to "
                        + "`\(entity.name)` by its fixed key since that run, and would lose their parent; nothing "
                        + "was changed",
                    hint: "Correct their references in the app first.")
            }
        }
    }
}
