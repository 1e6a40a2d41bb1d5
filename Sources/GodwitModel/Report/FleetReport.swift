/// What `verify --all` found in the containers below a folder.
public struct FleetReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// The command.
    public var command: String
    /// The manifest's app.
    public var app: String
    /// The folder as given.
    public var folder: String
    /// Version of Godwit.
    public var godwitVersion: String
    /// When it began.
    public var startedAt: Instant
    /// How long it took.
    public var durationMilliseconds: Int64
    /// All containers, in the order of their paths.
    public var containers: [FleetEntry]
    /// Containers by verdict.
    public var counts: [String: Int]

    /// A report from its entries; they are counted here.
    public init(
        command: String, app: String, folder: String, godwitVersion: String, startedAt: Instant,
        durationMilliseconds: Int64, containers: [FleetEntry]
    ) {
        self.command = command
        self.app = app
        self.folder = folder
        self.godwitVersion = godwitVersion
        self.startedAt = startedAt
        self.durationMilliseconds = durationMilliseconds
        self.containers = containers
        counts = FleetVerdict.allCases.reduce(into: [:]) { counts, verdict in
            counts[verdict.rawValue] = containers.count { $0.verdict == verdict }
        }
    }
}

/// What came of one container.
public struct FleetEntry: Sendable, Codable {
    /// Path below the folder; `.` for the folder itself.
    public var container: String
    /// What came of it.
    public var verdict: FleetVerdict
    /// How many checks passed.
    public var passed: Int
    /// The checks that failed.
    public var failed: [VerifiedCheck]
    /// What came of comparing with its expectation, where that was asked for.
    public var expectation: ExpectationReport?
    /// Why it could not be verified.
    public var error: FleetError?

    /// What came of a container that could be verified.
    public init(container: String, report: RunReport) {
        self.container = container
        let checks = report.verify?.checks ?? []
        passed = checks.count { $0.verdict == .passed }
        failed = checks.filter { $0.verdict == .failed }
        expectation = report.expectation
        verdict = failed.isEmpty && expectation?.verdict != .differs ? .passed : .failed
    }

    /// What came of one that could not.
    public init(container: String, error: GodwitError) {
        self.container = container
        (verdict, passed, failed) = (.unreadable, 0, [])
        self.error = FleetError(
            code: error.code.rawValue, stage: error.stage,
            message: error.underlying.map { "\(error.message) (\($0))" } ?? error.message, hint: error.hint)
    }
}

/// What can come of a container.
public enum FleetVerdict: String, Sendable, Codable, CaseIterable {
    /// Every check passed, and all is as expected.
    case passed
    /// A check found a difference, or something is not as expected.
    case failed
    /// It could not be verified.
    case unreadable
}

/// An error of one container, which did not stop the others.
public struct FleetError: Sendable, Codable {
    /// What the command would exit with for this container alone.
    public var code: Int32
    /// Where it happened.
    public var stage: Stage
    /// What and where, in one line.
    public var message: String
    /// What to do next.
    public var hint: String?
}
