import GodwitModel

/// What a step of GitHub Actions logs: the text in a group that can be folded, then the annotations.
struct GitHubLog: Sendable {
    private let findings: Findings
    private let report: String
    private let workspace: Workspace

    /// A log; the text is that of the report, or empty.
    init(_ findings: Findings, text: String, in workspace: Workspace = Workspace()) {
        self.findings = findings
        report = text
        self.workspace = workspace
    }

    /// Lines that end with a newline.
    var text: String {
        var lines: [String] = []
        if !report.isEmpty {
            lines.append("::group::" + WorkflowCommand.harmless("\(findings.title): \(findings.app)".escapingControls))
            lines += report.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .map { WorkflowCommand.harmless(String($0)) }
            lines.append("::endgroup::")
        }
        lines += Annotations(findings, in: workspace).commands.map(\.line)
        return lines.map { $0 + "\n" }.joined()
    }
}
