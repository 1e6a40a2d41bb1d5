internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitDedupe

/// Undoes the dedupe of a run in every store whose ledger has the run.
struct UndoStep: RunStep {
    let stores: StoreOpener

    private var stage: UndoStage { UndoStage(manifest: manifest, context: context, runIdentifier: identifier) }

    /// Finds the run and puts back what it set aside.
    ///
    /// The transaction of one store is open while that of the next is done, so that an error in either leaves both as they
    /// were. Only a process that is killed between the two commits can leave one undone and the other not; the same command
    /// then finishes it.
    ///
    /// - Parameters:
    ///   - keeper: the store that the run is recorded in.
    ///   - record: records the run in the transaction that undoes that store; not called if it has nothing to undo.
    /// - Throws: an error with what was committed before it, as `committed`.
    func run(
        _ text: String, recordedIn keeper: StoreRole,
        record: (RunReport.Undo, SQLiteConnection) throws(GodwitError) -> Void
    ) throws(GodwitError) -> RunReport.Undo {
        let roles = isLocalWritable ? [StoreRole.local, .cloud] : [.cloud]
        // An undo may have committed and been killed while it was recorded: without more to undo, its journal would stay.
        for role in roles where try files[role].exists() { try stores.settleInterruptedWrite(role, .dedupe) }
        var ledgers: [(role: StoreRole, runs: [LedgerRun])] = []
        for role in roles where try files[role].exists() {
            ledgers.append((role, try stores.snapshot(role, .dedupe).connection.readBookedRuns()))
        }
        let recorded = try RunLedger(stores).readRuns(limit: manifest.historyKept).map(\.id)
        let run = try RunSelection.select(
            text, among: RunSelection.joined(ledgers.map(\.runs)), recorded: recorded)
        var undo = RunReport.Undo(runId: run)
        var open: [StoreRole] = []
        for (role, runs) in ledgers {
            guard let booked = runs.first(where: { $0.id == run }) else { continue }
            if booked.open > 0 { open.append(role) }
            undo.stores.append(untouched(role, booked))
        }
        undo.outcome = Self.outcome(of: undo.stores)
        do throws(GodwitError) {
            for role in open { try requireUndoable(role) }
        } catch {
            throw error.after(StageReports(undo: undo))
        }
        guard let run else { return undo }
        return try takeBack(run, open[...], undo) { role, undo, connection throws(GodwitError) in
            if role == keeper { try record(undo, connection) }
        }
    }

    /// Throws for triggers and checks that no schema file made: they would run on the records that come back.
    private func requireUndoable(_ role: StoreRole) throws(GodwitError) {
        let store = try stores.snapshot(role, .dedupe)
        try store.connection.refuseMirrored()
        _ = try schema.plan(store.connection)
        try StoreWriter.requireWritable(files[role].path, name: files[role].name, stage: .dedupe, context: context)
    }

    /// Undoes the first of the stores, and inside its transaction the others.
    ///
    /// - Parameter willCommit: called with all that was done, before each commit.
    private func takeBack(
        _ run: String, _ roles: ArraySlice<StoreRole>, _ before: RunReport.Undo,
        willCommit: (StoreRole, RunReport.Undo, SQLiteConnection) throws(GodwitError) -> Void
    ) throws(GodwitError) -> RunReport.Undo {
        guard let role = roles.first else { return before }
        var committed = before
        do throws(GodwitError) {
            let file = files[role].name
            let writer = try StoreWriter(existing: files[role].path, name: file, stage: .dedupe, context: context)
            let done = try writer.transaction(.dedupe) { connection throws(GodwitError) in
                try schema.requireKnownSchema(connection)
                // The ledger may name any table.
                try connection.requireSoundIndexes()
                let store = try stage.undo(run, within: connection, role: role, file: file)
                committed = try takeBack(run, roles.dropFirst(), before, willCommit: willCommit)
                let done = Self.putting(store, into: committed)
                try willCommit(role, done, connection)
                try context.faultPoint(.beforeUndoCommit)
                return done
            }
            committed = done
            try writer.close(.dedupe)
            try context.faultPoint(.afterUndoCommit)
            return done
        } catch {
            // Changes that the stores have committed stay.
            throw error.committed == nil ? error.after(StageReports(undo: committed)) : error
        }
    }

    private static func putting(_ store: RunReport.Undo.Store, into undo: RunReport.Undo) -> RunReport.Undo {
        guard let index = undo.stores.firstIndex(where: { $0.store == store.store }) else { return undo }
        var undo = undo
        let carried = undo.stores[index].carried
        undo.stores[index] = store
        undo.stores[index].carried = carried
        undo.outcome = outcome(of: undo.stores)
        return undo
    }

    private func untouched(_ role: StoreRole, _ booked: LedgerRun) -> RunReport.Undo.Store {
        var store = RunReport.Undo.Store(store: role, file: files[role].name)
        store.carried = booked.carriedRecords
        if booked.open == 0, booked.undone > 0 {
            store.outcome = .alreadyDone
            store.undoneBy = booked.undoneBy
        }
        return store
    }

    private static func outcome(of stores: [RunReport.Undo.Store]) -> Outcome {
        let outcomes = stores.map(\.outcome)
        return outcomes.first(where: \.hasChanges) ?? outcomes.first { $0 == .alreadyDone } ?? .nothingToDo
    }

    /// That duplicates which the run took out of the local store are back there only.
    private func carried(_ store: RunReport.Undo.Store, _ all: Int) -> Warning {
        // Where the cloud store changed as well, some of them are back in both.
        let restored = store.outcome.hasChanges ? min(all, store.carried) : all
        let records = "\(restored.counted("record")) \(restored == 1 ? "goes" : "go") back into the local store only"
        let message =
            restored == 0
            ? "the run set duplicates of the local store aside; `\(store.file)` had none of them"
            : store.outcome.hasChanges
                ? "\(records); `\(store.file)` never had \(restored == 1 ? "it" : "them")"
                : "\(records); the app uses the cloud store, which does not change"
        return Warning("undoCarried", message, hint: restored > 0 ? copyHint : nil)
    }

    /// How records that are back in the local store come into the cloud store.
    ///
    /// The cause comes first: the run that copies dedupes before it.
    private var copyHint: String {
        "If they are needed in the cloud store, correct first why they were duplicates, such as `key:` in the manifest. "
            + "Then copy again: \(scope.commandLine("reopen", "--all")), then \(scope.commandLine("run"))."
    }

    /// The warnings about an undo.
    func undoWarnings(_ undo: RunReport.Undo, _ active: StoreRole?) -> [Warning] {
        var warnings: [Warning] = []
        let changed = undo.stores.filter { $0.store == .local && $0.outcome.hasChanges }
        let restored = active == .cloud ? changed.flatMap(\.restored.values).reduce(0, +) : 0
        for store in undo.stores {
            if store.kept > 0 {
                warnings.append(
                    Warning(
                        "undoKept",
                        "references or keys in `\(store.file)` that were changed after the run stay as "
                            + "they are: \(store.kept)",
                        hint: "Take the values before the run from the table godwit_changed."))
            }
            if store.carried > 0 {
                warnings.append(carried(store, restored))
            }
            if !store.addedColumns.isEmpty {
                warnings.append(
                    Warning(
                        "undoAddedColumns",
                        "columns that are newer than the restored records have their defaults: "
                            + "\(store.addedColumns.joined(separator: ", "))"))
            }
        }
        return warnings
    }
}
