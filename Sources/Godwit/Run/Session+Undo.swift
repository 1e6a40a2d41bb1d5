internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitDedupe

/// Undoing a run's dedupe in every store whose books know it.
extension Session {
    /// Finds the run and puts back what it set aside.
    ///
    /// The transaction of one store stands open while that of the next is done, so that a refusal of either leaves both
    /// as they were. Only a death between the two commits can leave one undone and the other not; the same command then
    /// finishes it.
    ///
    /// - Parameter record: writes the run into the books of the first store, in the transaction that undoes it; not
    ///   called where the books are kept in a store that has nothing to undo.
    func undo(
        _ text: String, _ report: inout RunReport,
        record: (RunReport, SQLiteConnection) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        let keeper = try bookkeepingStore(for: report.run.command)
        let roles = isLocalWritable ? [StoreRole.local, .cloud] : [.cloud]
        // An undo may have committed and died in the diary: where there is nothing more to undo, its journal would stay.
        for role in roles where try files[role].exists() { try settleInterruptedWrite(role, .dedupe) }
        var books: [(role: StoreRole, runs: [LedgerRun])] = []
        for role in roles where try files[role].exists() {
            books.append((role, try snapshot(role, .dedupe).connection.readBookedRuns()))
        }
        let recorded = try readRuns(limit: manifest.historyKept).map(\.id)
        let run = try RunSelection.select(
            text, among: RunSelection.joined(books.map(\.runs)), recorded: recorded)
        var undo = UndoReport(runId: run)
        var open: [StoreRole] = []
        for (role, runs) in books {
            guard let booked = runs.first(where: { $0.id == run }) else { continue }
            if booked.open > 0 { open.append(role) }
            undo.stores.append(untouched(role, booked))
        }
        undo.outcome = Self.outcome(of: undo.stores)
        report.undo = undo
        for role in open {
            let store = try snapshot(role, .dedupe)
            try store.connection.refuseMirrored()
            // Refuses what would run on the records that come back: triggers and checks that no migration made.
            _ = try schema.plan(store.connection)
            try StoreWriter.requireWritable(files[role].path, name: files[role].name, stage: .dedupe, context: context)
        }
        guard let run else { return }
        try takeBack(run, open[...], &report) { role, report, connection throws(GodwitError) in
            if role == keeper { try record(report, connection) }
        }
    }

    /// Undoes the first of the stores, and inside its transaction the others.
    ///
    /// - Parameter last: called with all that was done, before each commit.
    private func takeBack(
        _ run: String, _ roles: ArraySlice<StoreRole>, _ report: inout RunReport,
        last: (StoreRole, RunReport, SQLiteConnection) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        guard let role = roles.first else { return }
        let file = files[role].name
        let writer = try StoreWriter(existing: files[role].path, name: file, stage: .dedupe, context: context)
        var committed = report
        let done: RunReport
        do throws(GodwitError) {
            done = try writer.transaction(.dedupe) { connection throws(GodwitError) in
                try schema.requireKnownSchema(connection)
                let store = try undo.undo(run, within: connection, role: role, file: file)
                try takeBack(run, roles.dropFirst(), &committed, last: last)
                var done = committed
                Self.put(store, into: &done)
                try last(role, done, connection)
                try context.faultPoint(.beforeUndoCommit)
                return done
            }
        } catch {
            // What the stores inside have committed stays done.
            report = committed
            throw error
        }
        report = done
        try writer.close(.dedupe)
        try context.faultPoint(.afterUndoCommit)
    }

    private static func put(_ store: UndoneStore, into report: inout RunReport) {
        guard var undo = report.undo, let place = undo.stores.firstIndex(where: { $0.store == store.store }) else {
            return
        }
        let carried = undo.stores[place].carried
        undo.stores[place] = store
        undo.stores[place].carried = carried
        undo.outcome = outcome(of: undo.stores)
        report.undo = undo
    }

    private func untouched(_ role: StoreRole, _ booked: LedgerRun) -> UndoneStore {
        var store = UndoneStore(store: role, file: files[role].name)
        store.carried = booked.carried
        if booked.open == 0, booked.undone > 0 {
            store.outcome = .alreadyDone
            store.undoneBy = booked.undoneBy
        }
        return store
    }

    private static func outcome(of stores: [UndoneStore]) -> Outcome {
        let outcomes = stores.map(\.outcome)
        return outcomes.first(where: \.hasChanges) ?? outcomes.first { $0 == .alreadyDone } ?? .nothingToDo
    }

    /// That duplicates which the run took out of the local store are back there only.
    private static func carried(_ store: UndoneStore, _ all: Int) -> Warning {
        // Where the cloud store changed as well, some of them are back in both.
        let restored = store.outcome.hasChanges ? min(all, store.carried) : all
        let records = "\(restored.counted("record")) \(restored == 1 ? "is" : "are") back in the local store only."
        let message =
            restored == 0
            ? "The run set duplicates of the local store aside. \(store.file) had none of them."
            : store.outcome.hasChanges
                ? "\(records) \(store.file) never had \(restored == 1 ? "it" : "them")."
                : "\(records) The app uses the cloud store, which did not change."
        return Warning(
            "undoCarried", message,
            hint: restored > 0 ? "Add them in the app if they are needed in the cloud store." : nil)
    }

    /// What a person should know of an undo.
    func undoWarnings(_ undo: UndoReport, _ active: StoreRole?) -> [Warning] {
        var warnings: [Warning] = []
        let changed = undo.stores.filter { $0.store == .local && $0.outcome.hasChanges }
        let restored = active == .cloud ? changed.flatMap(\.restored.values).reduce(0, +) : 0
        for store in undo.stores {
            if store.kept > 0 {
                warnings.append(
                    Warning(
                        "undoKept",
                        "References or keys in \(store.file) that were changed after the run stay as they are: \(store.kept).",
                        hint: "godwit_changed has what they held before it."))
            }
            if store.carried > 0 {
                warnings.append(Self.carried(store, restored))
            }
            if !store.addedColumns.isEmpty {
                warnings.append(
                    Warning(
                        "undoAddedColumns",
                        "Columns that are newer than the records put back hold their defaults: "
                            + "\(store.addedColumns.joined(separator: ", "))."))
            }
        }
        return warnings
    }
}
