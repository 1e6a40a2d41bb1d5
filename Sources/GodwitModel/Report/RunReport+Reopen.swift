extension RunReport {
    /// The result of a reopen: the copy is pending again.
    public struct Reopen: Sendable, Codable, Hashable {
        /// `done`, or `nothingToDo` if the copy was already pending.
        public var outcome: Outcome
        /// When the copy was made, from its receipt; nil without one.
        public var copiedAt: Instant?
        /// The run that made the copy; nil without a receipt.
        public var copiedBy: String?
        /// Whether the next run copies every record again, including those deleted in the cloud store.
        public var all: Bool
        /// The completion flag after the reopen.
        public var flag: RunReport.Flag?

        /// A reopen.
        package init(
            outcome: Outcome, copiedAt: Instant? = nil, copiedBy: String? = nil, all: Bool = false,
            flag: RunReport.Flag? = nil
        ) {
            (self.outcome, self.copiedAt, self.copiedBy, self.all) = (outcome, copiedAt, copiedBy, all)
            self.flag = flag
        }
    }
}
