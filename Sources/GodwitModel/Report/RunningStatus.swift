/// A run that is at work on a container, and how far it is.
public struct RunningStatus: Sendable, Codable, Equatable {
    /// The run's identifier.
    public var runId: String
    /// The command.
    public var command: String
    /// The stage at work.
    public var stage: Stage
    /// Records done in this stage.
    public var completed: Int64
    /// Records to do in this stage; nil where that is not known.
    public var total: Int64?
    /// When the run began.
    public var startedAt: Instant
    /// When it last told how far it is.
    public var updatedAt: Instant

    /// A run at work.
    public init(
        runId: String, command: String, stage: Stage, completed: Int64, total: Int64?, startedAt: Instant,
        updatedAt: Instant
    ) {
        self.runId = runId
        self.command = command
        self.stage = stage
        self.completed = completed
        self.total = total
        self.startedAt = startedAt
        self.updatedAt = updatedAt
    }
}
