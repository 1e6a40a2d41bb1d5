internal import GodwitDedupe
internal import GodwitModel
internal import GodwitStore

/// Undoing a run's dedupe in every store whose books know it.
extension Session {
    /// Finds the run and puts back what it set aside.
    ///
    /// The transaction of one store stands open while that of the next is done, so that a refusal of either leaves both
    /// as they were. Only a death between the two commits can leave one undone and the other not; the same command then
    /// finishes it.
    func undo(_ text: String, _ report: inout RunReport) throws(GodwitError) {
        let roles = isLocalWritable ? [StoreRole.local, .cloud] : [.cloud]
        var books: [(role: StoreRole, runs: [BookedRun])] = []
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
        for role in open { try snapshot(role, .dedupe).connection.refuseMirrored() }
        if let run { try takeBack(run, open[...], &undo, committed: { report.undo = $0 }) }
        report.undo = undo
    }

    /// Undoes the first of the stores, and inside its transaction the others.
    private func takeBack(
        _ run: String, _ roles: ArraySlice<StoreRole>, _ undo: inout UndoReport, committed: (UndoReport) -> Void
    ) throws(GodwitError) {
        guard let role = roles.first else { return }
        let file = files[role].name
        let writer = try StoreWriter(existing: files[role].path, name: file, stage: .dedupe, context: context)
        var inner = undo
        var store = try writer.transaction(.dedupe) { connection throws(GodwitError) in
            let store = try self.undo.undo(run, within: connection, role: role, file: file)
            try takeBack(run, roles.dropFirst(), &inner, committed: committed)
            try context.faultPoint(.beforeUndoCommit)
            return store
        }
        undo = inner
        if let place = undo.stores.firstIndex(where: { $0.store == role }) {
            store.carried = undo.stores[place].carried
            undo.stores[place] = store
        }
        undo.outcome = Self.outcome(of: undo.stores)
        committed(undo)
        try writer.close(.dedupe)
        try context.faultPoint(.afterUndoCommit)
    }

    private func untouched(_ role: StoreRole, _ booked: BookedRun) -> UndoneStore {
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

    /// What a person should know of an undo.
    func undoWarnings(_ undo: UndoReport) -> [Warning] {
        var warnings: [Warning] = []
        for store in undo.stores {
            if store.kept > 0 {
                warnings.append(
                    Warning(
                        "undoKept",
                        "\(store.kept) references or keys in \(store.file) were changed after the run, and stay.",
                        hint: "godwit_changed has what they held before it."))
            }
            if store.carried > 0 {
                warnings.append(
                    Warning(
                        "undoCarried",
                        "\(store.carried) lines in the books of \(store.file) came with the copy from the local store; "
                            + "what they speak of never was here, and is not put here."))
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
