/// What became of undoing one run's dedupe: which duplicates went back where.
public struct UndoReport: Sendable, Codable {
    /// `done`, `alreadyDone` where an earlier undo put them back, or `nothingToDo` where the run set nothing aside.
    public var outcome: Outcome
    /// The run that was undone; nil where `latest` was asked for and no run has set anything aside.
    public var runId: String?
    /// The stores whose books speak of that run.
    public var stores: [UndoneStore]

    /// A report of an undo that found nothing to put back.
    public init(outcome: Outcome = .nothingToDo, runId: String? = nil, stores: [UndoneStore] = []) {
        self.outcome = outcome
        self.runId = runId
        self.stores = stores
    }
}

/// What an undo did to one store.
public struct UndoneStore: Sendable, Codable, Hashable {
    /// Which store.
    public var store: StoreRole
    /// Its path inside the container.
    public var file: String
    /// What became of it.
    public var outcome: Outcome
    /// Records put back into their table, by entity.
    public var restored: [String: Int] = [:]
    /// References pointed back at a record that was put back.
    public var repointed: Int = 0
    /// Winners given the key back that they had before.
    public var rekeyed: Int = 0
    /// References and keys that somebody changed after the run: they stay as they are now.
    public var kept: Int = 0
    /// Lines of the books that came with a copy: what they speak of was set aside in the local store, never in this one.
    public var carried: Int = 0
    /// Columns of records put back that the run did not know: they hold their defaults, as `Entity.column`.
    public var addedColumns: [String] = []
    /// The run whose undo put them back, where it was an earlier one.
    public var undoneBy: String?

    /// A store that nothing was done to yet.
    public init(store: StoreRole, file: String, outcome: Outcome = .nothingToDo) {
        self.store = store
        self.file = file
        self.outcome = outcome
    }
}
