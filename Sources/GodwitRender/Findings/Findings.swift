internal import GodwitModel

/// What a report says, laid out as viewers of test results know it: suites of findings, each with a verdict.
///
/// JUnit's XML, the annotations and the summary for GitHub are all written from it. Invariant: there is a finding that
/// failed exactly where the command ends with a code other than 0.
struct Findings: Sendable {
    /// `godwit plan`.
    var title: String
    var app: String
    var container: String?
    /// The last sentence of the report.
    var conclusion: String
    var symbol: Symbol
    var startedAt: Instant?
    /// The clock, if it was set by hand.
    var clock: SetClock?
    var milliseconds: Int64?
    /// Names and values that tell this report from others.
    var properties: [(name: String, value: String)] = []
    var suites: [FindingSuite] = []
    var tables: [FindingTable] = []
    var warnings: [Warning] = []
    var nextSteps: [String] = []

    /// Whether the command ends with a code other than 0.
    var hasFailed: Bool { suites.contains { $0.findings.contains { $0.verdict.isFailure } } }
}

/// What one stage found.
struct FindingSuite: Sendable {
    /// `legacy`.
    var name: String
    /// The stage's line in the text.
    var headline: String
    var symbol: Symbol
    var findings: [Finding]
    /// The stage's lines in the text, laid out.
    var text: [String] = []
}

/// One thing that was looked at.
struct Finding: Sendable {
    /// What it has in common with others: a bucket, a family of checks.
    var kind: String
    /// The thing.
    var name: String
    var verdict: FindingVerdict
    /// What came of it.
    var detail: String
    var place: FilePosition?
    /// How many things it stands for: 1, or those that are not listed one by one.
    var count = 1

    init(_ kind: String, _ name: String, _ verdict: FindingVerdict, _ detail: String, at place: FilePosition? = nil) {
        self.kind = kind
        self.name = name
        self.verdict = verdict
        self.detail = detail
        self.place = place
    }
}

extension Sequence<Finding> {
    /// How many things they stand for.
    var things: Int { reduce(0) { $0 + $1.count } }
}

/// What came of one thing.
enum FindingVerdict: Int, Sendable, Comparable {
    /// As it should be.
    case passed
    /// Not looked at.
    case skipped
    /// Nothing is wrong, but whoever keeps the manifest should know.
    case noticed
    /// Something did not arrive; the command ends with 0 all the same.
    case doubtful
    /// The command ends with a code other than 0 because of it.
    case failed
    /// The command could not go on.
    case broken

    var isFailure: Bool { self >= .failed }

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// Numbers side by side, for a summary.
struct FindingTable: Sendable {
    var title: String
    /// The first column's heading, then those of the numbers.
    var columns: [String]
    var rows: [(name: String, numbers: [Int64])]

    init?(_ title: String, _ first: String, _ table: NumberTable) {
        guard !table.rows.isEmpty else { return nil }
        self.title = title
        columns = [first] + table.columns
        rows = table.rows
    }
}
