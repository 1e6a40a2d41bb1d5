/// The comparison of a container with a committed expectation.
package struct ExpectationReport: Sendable, Codable, Hashable {
    /// The expectation's file, as given.
    package var file: String
    /// The result of the comparison.
    package var verdict: ExpectationVerdict
    /// The lines that differ, with a few lines of context; 2,000 at most.
    package var differences: [ExpectedLine]
    /// Number of differing lines that are not listed.
    package var omitted: Int
    /// Parts of the expectation that this container cannot show, such as `legacy.keys` after the import is complete.
    package var notCompared: [String]

    /// A report of a comparison.
    package init(
        file: String, verdict: ExpectationVerdict, differences: [ExpectedLine] = [], omitted: Int = 0,
        notCompared: [String] = []
    ) {
        (self.file, self.verdict, self.differences, self.omitted) = (file, verdict, differences, omitted)
        self.notCompared = notCompared
    }
}

/// The result of a comparison.
package enum ExpectationVerdict: String, Sendable, Codable, CaseIterable {
    /// The container matches the expectation.
    case met
    /// The container differs from the expectation.
    case differs
    /// The expectation was written again.
    case written
    /// The expectation matched already and was not written again.
    case unchanged
}

/// One line of an expectation in a comparison.
package struct ExpectedLine: Sendable, Codable, Hashable {
    /// Where the line is.
    package var kind: ExpectedLineKind
    /// The part of the expectation to which it belongs, such as `counts.cloud`; empty for the top level.
    package var part: String
    /// The line without its indent and comma.
    package var text: String

    /// A line.
    package init(_ kind: ExpectedLineKind, part: String, _ text: String) {
        (self.kind, self.part, self.text) = (kind, part, text)
    }
}

/// Where a line is.
package enum ExpectedLineKind: String, Sendable, Codable, CaseIterable {
    /// In both; shown as context.
    case same
    /// Only in the committed file.
    case expected
    /// Only in the container's result.
    case found
}
