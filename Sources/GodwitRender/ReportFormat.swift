package import GodwitModel

/// The forms in which a report can be shown: one case and one file, or folder, for each.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// For programs: the contract is `docs/report-format.md`.
    case json
    /// For viewers of test results: JUnit's XML.
    case junit
    /// For GitHub Actions: the text, and annotations as workflow commands.
    case github
    /// For people: one page that needs nothing else.
    case html

    /// Whether a report of this type can be shown in this form.
    package func isOffered(by report: any ReadableReport.Type) -> Bool {
        switch self {
        case .text, .json: true
        case .junit, .github: report is any CheckedReport.Type
        case .html: report is any PagedReport.Type
        }
    }

    /// The report as UTF-8 that ends with a newline.
    ///
    /// Fails with code `usage` on a form that the report does not have, and with code `bug` on a value that JSON can't
    /// hold.
    package func bytes(
        of report: some ReadableReport & Encodable, setting: ReportSetting
    ) throws(GodwitError) -> [UInt8] {
        switch self {
        case .text: return Array(report.text(setting.style).utf8)
        case .json: return try JSONReport.encode(report)
        case .junit:
            guard let report = report as? any CheckedReport else { break }
            return Array(JUnitDocument(report.outline(setting), setting).xml.utf8)
        case .github:
            guard let report = report as? any CheckedReport else { break }
            return Array(
                GitHubLog(report.outline(setting), text: report.text(setting.style), in: setting.workspace).text.utf8)
        case .html:
            guard let report = report as? any PagedReport else { break }
            return Array(report.page(setting).html.utf8)
        }
        throw GodwitError(
            .manifest, .usage, "this command has no \(rawValue) report", hint: "Use --format text or --format json.")
    }

    /// The error as UTF-8 that ends with a newline.
    ///
    /// Text and JSON are for standard error; the others are documents for the output of the report.
    package func bytes(of error: GodwitError, setting: ReportSetting) -> [UInt8] {
        switch self {
        case .text: Array(error.text(setting.style).utf8)
        case .json: JSONReport.encode(error: error)
        case .junit: Array(JUnitDocument(error.outline(setting), setting).xml.utf8)
        case .github:
            Array(
                GitHubLog(error.outline(setting), text: error.reportText(setting.style), in: setting.workspace)
                    .text.utf8)
        case .html: Array(error.page(setting).html.utf8)
        }
    }

    /// Whether an error in this format is a document for the output of the report; its text also goes to standard
    /// error.
    package var hasErrorDocument: Bool { self == .junit || self == .github || self == .html }
}

/// A report that can be written for people.
package protocol ReadableReport: Sendable {
    /// The report as text: lines that end with a newline, none with trailing space.
    func text(_ style: TextStyle) -> String
}

extension ReadableReport {
    /// The forms in which reports of this type can be shown.
    package static var formats: [ReportFormat] { ReportFormat.allCases.filter { $0.isOffered(by: Self.self) } }
}

/// A report with a verdict on each of its items: JUnit's XML and annotations can show it.
protocol CheckedReport: ReadableReport {
    /// Its sections and items.
    func outline(_ setting: ReportSetting) -> ReportOutline
}

/// A report that can be shown as a page.
protocol PagedReport: ReadableReport {
    /// The whole page.
    func page(_ setting: ReportSetting) -> Page
}
