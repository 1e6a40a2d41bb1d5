extension RunReport {
    /// The result of undoing the dedupe of one run.
    public struct Undo: Sendable, Codable {
        /// `done`, `alreadyDone` if an earlier undo restored the duplicates, or `nothingToDo` if the run removed none.
        public var outcome: Outcome
        /// The run that was undone; nil for `latest` if no run has removed duplicates.
        public var runId: String?
        /// The stores whose ledger has that run.
        public var stores: [RunReport.Undo.Store]

        /// A report of an undo that found nothing to restore.
        package init(outcome: Outcome = .nothingToDo, runId: String? = nil, stores: [RunReport.Undo.Store] = []) {
            (self.outcome, self.runId, self.stores) = (outcome, runId, stores)
        }
    }
}

extension RunReport.Undo {
    /// The result of an undo in one store.
    public struct Store: Sendable, Codable, Hashable {
        /// Which store.
        public var store: StoreRole
        /// Its path inside the container.
        public var file: String
        /// The outcome for this store.
        public var outcome: Outcome
        /// Number of records restored to their table, by entity.
        public var restored: [String: Int] = [:]
        /// Number of references set back to a restored record.
        public var repointed: Int = 0
        /// Number of winners that have their former key again.
        public var rekeyed: Int = 0
        /// Number of references and keys that changed after the run; they keep their present value.
        public var kept: Int = 0
        /// Number of records in the ledger that came with a copy: they were set aside in the local store, never in this one.
        public var carried: Int = 0
        /// Columns of restored records that did not exist in that run and have their defaults now, as `Entity.column`.
        public var addedColumns: [String] = []
        /// The run whose undo restored the records; nil if it is this one.
        public var undoneBy: String?

        /// A store before the undo.
        package init(store: StoreRole, file: String, outcome: Outcome = .nothingToDo) {
            (self.store, self.file, self.outcome) = (store, file, outcome)
        }
    }
}
