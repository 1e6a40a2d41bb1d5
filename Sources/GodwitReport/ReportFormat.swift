package import GodwitModel

/// The forms in which a report can be shown: one case and one file for each.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// For programs: the contract is `docs/json-output.md`.
    case json

    /// The report as UTF-8 that ends with a newline.
    ///
    /// Text never fails; JSON fails with code `bug` on a value that JSON can't hold.
    package func bytes(
        of report: some ReadableReport & Encodable, style: TextStyle
    ) throws(GodwitError) -> [UInt8] {
        switch self {
        case .text: Array(report.text(style).utf8)
        case .json: try JSONReport.encode(report)
        }
    }

    /// The error as UTF-8 that ends with a newline, for standard error.
    package func bytes(of error: GodwitError, style: TextStyle) -> [UInt8] {
        switch self {
        case .text: Array(error.text(style).utf8)
        case .json: JSONReport.encode(error: error)
        }
    }
}

/// A report that can be written for people.
package protocol ReadableReport: Sendable {
    /// The report as text: lines that end with a newline, none with trailing space.
    func text(_ style: TextStyle) -> String
}
