import GodwitModel

/// The log of a step of GitHub Actions: the text in a group that can be folded, then the annotations.
struct GitHubLog: Sendable {
    private let outline: ReportOutline
    private let report: String
    private let workspace: Workspace

    /// A log; the text is that of the report, or empty.
    init(_ outline: ReportOutline, text: String, in workspace: Workspace = Workspace()) {
        self.outline = outline
        report = text
        self.workspace = workspace
    }

    /// Lines that end with a newline.
    var text: String {
        var lines: [String] = []
        if !report.isEmpty {
            lines.append("::group::" + WorkflowCommand.harmless("\(outline.title): \(outline.app)".escapingControls))
            lines += report.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .map { WorkflowCommand.harmless(String($0)) }
            lines.append("::endgroup::")
        }
        lines += Annotations(outline, in: workspace).commands.map(\.line)
        return lines.map { $0 + "\n" }.joined()
    }
}
