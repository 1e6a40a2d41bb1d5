/// A run in progress on a container, with its progress.
public struct RunningStatus: Sendable, Codable, Equatable {
    /// The run's identifier.
    public var runId: String
    /// The command.
    public var command: String
    /// The current stage.
    public var stage: Stage
    /// Records done in this stage.
    public var completed: Int64
    /// Records to do in this stage; nil if not known.
    public var total: Int64?
    /// When the run began.
    public var startedAt: Instant
    /// When the run last reported its progress.
    public var updatedAt: Instant

    /// A run in progress.
    public init(
        runId: String, command: String, stage: Stage, completed: Int64, total: Int64?, startedAt: Instant,
        updatedAt: Instant
    ) {
        (self.runId, self.command, self.stage, self.completed) = (runId, command, stage, completed)
        (self.total, self.startedAt, self.updatedAt) = (total, startedAt, updatedAt)
    }
}
