extension StatusReport {
    /// A run in progress on a container, with its progress.
    package struct Running: Sendable, Codable, Equatable {
        /// The run's identifier.
        package var runId: String
        /// The command.
        package var command: String
        /// The current stage.
        package var stage: GodwitError.Stage
        /// Records done in this stage.
        package var completed: Int64
        /// Records to do in this stage; nil if not known.
        package var total: Int64?
        /// When the run began.
        package var startedAt: Instant
        /// When the run last reported its progress.
        package var updatedAt: Instant

        /// A run in progress.
        package init(
            runId: String, command: String, stage: GodwitError.Stage, completed: Int64, total: Int64?,
            startedAt: Instant,
            updatedAt: Instant
        ) {
            (self.runId, self.command, self.stage, self.completed) = (runId, command, stage, completed)
            (self.total, self.startedAt, self.updatedAt) = (total, startedAt, updatedAt)
        }
    }
}
