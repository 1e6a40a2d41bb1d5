/// What came of comparing a container with a committed expectation.
public struct ExpectationReport: Sendable, Codable, Hashable {
    /// The expectation's file, as given.
    public var file: String
    /// What came of it.
    public var verdict: ExpectationVerdict
    /// The lines that differ, with a few around them; at most 2,000.
    public var differences: [ExpectedLine]
    /// How many more lines differ than are listed.
    public var omitted: Int
    /// Parts of the expectation that this container can't be asked for, such as `legacy.keys` once the import is done.
    public var notCompared: [String]

    /// A report of a comparison.
    public init(
        file: String, verdict: ExpectationVerdict, differences: [ExpectedLine] = [], omitted: Int = 0,
        notCompared: [String] = []
    ) {
        self.file = file
        self.verdict = verdict
        self.differences = differences
        self.omitted = omitted
        self.notCompared = notCompared
    }
}

/// What came of a comparison.
public enum ExpectationVerdict: String, Sendable, Codable, CaseIterable {
    /// All is as expected.
    case met
    /// Something is not.
    case differs
    /// The expectation was written anew.
    case written
    /// It was to be written anew, and says already what was found.
    case unchanged
}

/// One line of an expectation, in a comparison.
public struct ExpectedLine: Sendable, Codable, Hashable {
    /// Whether it is in both.
    public var kind: ExpectedLineKind
    /// The part of the expectation it belongs to, such as `counts.cloud`; empty for the top level.
    public var part: String
    /// The line, without its indent and its comma.
    public var text: String

    /// A line.
    public init(_ kind: ExpectedLineKind, part: String, _ text: String) {
        self.kind = kind
        self.part = part
        self.text = text
    }
}

/// Where a line is.
public enum ExpectedLineKind: String, Sendable, Codable, CaseIterable {
    /// In both; shown for orientation.
    case same
    /// In the committed file alone.
    case expected
    /// In what was found alone.
    case found
}
