internal import GodwitModel

/// Findings as JUnit's XML: a suite for each stage, a case for each finding.
///
/// There is no one standard. This is what all of the widely used schemas agree on: each suite has properties and both
/// streams, each case one verdict, in one order. Times are seconds; only the whole is timed, so the stages have 0.
/// <https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd>,
/// <https://github.com/windyroad/JUnit-Schema/blob/master/JUnit.xsd>
struct JUnitDocument: Sendable {
    private var findings: Findings

    /// A document; the instant is the time of findings that have none.
    init(_ findings: Findings, asOf now: Instant? = nil) {
        self.findings = findings
        self.findings.startedAt = findings.startedAt ?? now
    }

    /// The document, a newline at its end.
    var xml: String {
        var whole: Markup = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
        for (number, suite) in findings.suites.enumerated() { whole += self.suite(suite, number) }
        whole += "</testsuites>\n"
        return whole.text
    }

    private func suite(_ suite: FindingSuite, _ number: Int) -> Markup {
        let cases = suite.findings
        let failures = cases.count { $0.verdict == .failed }
        let errors = cases.count { $0.verdict == .broken }
        let skipped = cases.count { $0.verdict.isSkipped }
        let time = Self.seconds(number == 0 ? findings.milliseconds ?? 0 : 0)
        var markup: Markup = "<testsuite id=\"\(number)\" package=\"\(findings.app)\""
        markup +=
            " name=\"\("\(findings.title): \(suite.name)")\""
        // Local time without a zone is what the schemas want; it is that of UTC.
        if let start = findings.startedAt { markup += " timestamp=\"\(String(start.iso8601.prefix(19)))\"" }
        markup += " hostname=\"localhost\""
        markup += " tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
        markup += " time=\"\(time)\">\n<properties>\n"
        for (name, value) in number == 0 ? findings.properties : [] {
            markup += "<property name=\"\(name)\" value=\"\(value)\"/>\n"
        }
        if number == 0, let clock = findings.clock {
            markup += "<property name=\"clock\" value=\"\("set to \(clock.value)")\"/>\n"
        }
        markup += "</properties>\n"
        for finding in cases { markup += testcase(finding, in: suite, time: cases.count == 1 ? time : "0.000") }
        markup += "<system-out>\(lines(suite.text))</system-out>\n<system-err></system-err>\n</testsuite>\n"
        return markup
    }

    private func testcase(_ finding: Finding, in suite: FindingSuite, time: String) -> Markup {
        let start: Markup =
            "<testcase classname=\"\("\(findings.app).\(suite.name)")\" name=\"\(finding.name)\" time=\"\(time)\""
        let body: Markup
        switch finding.verdict {
        case .passed: return start + "/>\n"
        case .skipped, .noticed, .doubtful:
            body = "<skipped message=\"\(message(finding))\"/>"
        case .failed:
            body = "<failure type=\"\(finding.kind)\" message=\"\(message(finding))\">\(explanation(finding))</failure>"
        case .broken:
            body = "<error type=\"\(finding.kind)\" message=\"\(message(finding))\">\(explanation(finding))</error>"
        }
        return "\(start)>\(body)</testcase>\n"
    }

    /// The first line of what came of it; a kind that says more than the name stands before it.
    private func message(_ finding: Finding) -> String {
        let first = finding.detail.split(separator: "\n").first.map(String.init) ?? finding.kind
        return finding.verdict == .doubtful || finding.verdict == .noticed ? "\(finding.kind): \(first)" : first
    }

    private func explanation(_ finding: Finding) -> Markup {
        var text = finding.detail.split(separator: "\n").map(String.init)
        if let place = finding.place { text.append("at \(place.text)") }
        return lines(text)
    }

    private func lines(_ lines: [String]) -> Markup { lines.map { "\($0)" as Markup }.joined("\n") }

    /// `0.412`: the schemas want digits, and three places at most.
    private static func seconds(_ milliseconds: Int64) -> String {
        let whole = max(0, milliseconds)
        let fraction = String(whole % 1000)
        return "\(whole / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}

extension FindingVerdict {
    /// Whether a viewer of test results shows it as skipped: neither proven nor wrong.
    fileprivate var isSkipped: Bool { self == .skipped || self == .noticed || self == .doubtful }
}

extension FilePosition {
    /// `godwit.yaml:30:5`.
    var text: String {
        [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
    }
}
