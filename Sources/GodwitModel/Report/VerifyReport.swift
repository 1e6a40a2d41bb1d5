/// What was proven, check by check.
public struct VerifyReport: Sendable, Codable {
    /// `done` when every check passed or was skipped, else `failed`; `alreadyDone` where a run found all done and proved
    /// nothing anew, `nothingToDo` where there was nothing to prove.
    public var outcome: Outcome
    /// The checks, in order.
    public var checks: [VerifiedCheck]

    /// A report from its checks; the outcome holds unless one of them failed.
    public init(checks: [VerifiedCheck], outcome: Outcome = .done) {
        self.checks = checks
        self.outcome = checks.contains { $0.verdict == .failed } ? .failed : outcome
    }
}

/// One check.
public struct VerifiedCheck: Sendable, Codable {
    /// A stable name, such as `integrity.local` or `everyRecordInCloud.Workout`.
    public var name: String
    /// What came of it.
    public var verdict: Verdict
    /// What was looked at, or what differs; never a value.
    public var detail: String
    /// How many things were looked at.
    public var count: Int64?
    /// The keys of the records in question, in order, the first twenty of them; nil where there are none.
    public var keys: [String]?

    /// One check.
    public init(
        _ name: String, _ verdict: Verdict, _ detail: String, count: Int64? = nil, keys: [String] = []
    ) {
        self.keys = keys.isEmpty ? nil : keys
        self.name = name
        self.verdict = verdict
        self.detail = detail
        self.count = count
    }
}

/// What came of a check.
public enum Verdict: String, Sendable, Codable {
    /// It holds.
    case passed
    /// It does not hold.
    case failed
    /// There is nothing to check.
    case skipped
}
