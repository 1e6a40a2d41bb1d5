internal import GodwitModel

/// An outline as JUnit's XML: a suite for each section, a case for each item.
///
/// JUnit's XML has no single standard. This form follows all widely used schemas: each suite has properties and both
/// streams, each case one verdict, in one order. Times are seconds; only the whole is timed, so the stages have 0.
/// <https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd>,
/// <https://github.com/windyroad/JUnit-Schema/blob/master/JUnit.xsd>
struct JUnitDocument: Sendable {
    private var outline: ReportOutline
    private let style: TextStyle

    /// A document; the setting has the time of a report without one.
    init(_ outline: ReportOutline, _ setting: ReportSetting) {
        self.outline = outline
        self.outline.startedAt = outline.startedAt ?? setting.asOf
        style = setting.style
    }

    /// The document, a newline at its end.
    var xml: String {
        var whole: Markup = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
        for (index, section) in outline.sections.enumerated() { whole += suite(section, index) }
        whole += "</testsuites>\n"
        return whole.text
    }

    private func suite(_ section: OutlineSection, _ index: Int) -> Markup {
        let cases = section.items
        let failures = cases.count { $0.verdict == .failed }
        let errors = cases.count { $0.verdict == .broken }
        let skipped = cases.count { $0.verdict.isSkipped }
        let time = Self.seconds(index == 0 ? outline.milliseconds ?? 0 : 0)
        var markup: Markup = "<testsuite id=\"\(index)\" package=\"\(outline.app)\""
        markup +=
            " name=\"\("\(outline.title): \(section.name)")\""
        // Local time without a zone is what the schemas want; it is that of UTC.
        if let start = outline.startedAt { markup += " timestamp=\"\(String(start.iso8601.prefix(19)))\"" }
        markup += " hostname=\"localhost\""
        markup += " tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
        markup += " time=\"\(time)\">\n<properties>\n"
        for (name, value) in index == 0 ? outline.properties : [] {
            markup += "<property name=\"\(name)\" value=\"\(value)\"/>\n"
        }
        if index == 0, let clock = outline.clock {
            markup += "<property name=\"clock\" value=\"\("set to \(clock.value)")\"/>\n"
        }
        markup += "</properties>\n"
        for item in cases { markup += testcase(item, in: section, time: cases.count == 1 ? time : "0.000") }
        markup += "<system-out>\(lines(section.text(style)))</system-out>\n<system-err></system-err>\n</testsuite>\n"
        return markup
    }

    private func testcase(_ item: OutlineItem, in section: OutlineSection, time: String) -> Markup {
        let start: Markup =
            "<testcase classname=\"\("\(outline.app).\(section.name)")\" name=\"\(item.name)\" time=\"\(time)\""
        let body: Markup
        switch item.verdict {
        case .passed: return start + "/>\n"
        case .skipped, .noticed, .doubtful:
            body = "<skipped message=\"\(message(item))\"/>"
        case .failed:
            body = "<failure type=\"\(item.kind)\" message=\"\(message(item))\">\(explanation(item))</failure>"
        case .broken:
            body = "<error type=\"\(item.kind)\" message=\"\(message(item))\">\(explanation(item))</error>"
        }
        return "\(start)>\(body)</testcase>\n"
    }

    /// The first line of the detail, after the kind if the item is only noticed or doubtful.
    private func message(_ item: OutlineItem) -> String {
        let first = item.detail.split(separator: "\n").first.map(String.init) ?? item.kind
        return item.verdict == .doubtful || item.verdict == .noticed ? "\(item.kind): \(first)" : first
    }

    private func explanation(_ item: OutlineItem) -> Markup {
        var text = item.detail.split(separator: "\n").map(String.init)
        if let position = item.position { text.append("at \(position.text)") }
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

extension ItemVerdict {
    /// Whether a viewer of test results shows it as skipped: neither passed nor failed.
    fileprivate var isSkipped: Bool { self == .skipped || self == .noticed || self == .doubtful }
}

extension GodwitError.Position {
    /// `godwit.yaml:30:5`.
    var text: String {
        [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
    }
}
