import Godwit
import GodwitRender
import Libc

extension SharedOptions {
    /// The settings for rendering a report of a pipeline.
    func setting(_ migration: Migration, demands: ReportDemands = []) -> ReportSetting {
        var setting = ReportSetting(
            style: style, demands: demands, positions: ReportPositions(migration.shownManifest),
            workspace: .fromEnvironment,
            asOf: now ?? ReportOutput.now)
        // An unreadable history does not prevent the report.
        if reportFormat == .html { setting.history = (try? migration.history(limit: 40))?.runs ?? [] }
        return setting
    }

    var summaryPath: String? { printing.summaryPath }

    /// Adds a report to the step summary; an error there is printed and fails nothing.
    func summarize(_ report: some ReadableReport, _ setting: ReportSetting) { printing.summarize(report, setting) }
}

extension PrintingOptions {
    /// The file for GitHub's step summary; nil if there is none or if another format was requested.
    var summaryPath: String? { reportFormat == .github ? ProcessSetup.environment("GITHUB_STEP_SUMMARY") : nil }

    /// Adds a report to the step summary; an error there is printed and fails nothing.
    func summarize(_ report: some ReadableReport, _ setting: ReportSetting) {
        guard let path = summaryPath, let bytes = StepSummary.bytes(of: report, setting: setting) else { return }
        Summary.add(bytes, to: path, setting.style)
    }
}

/// The step summary of GitHub.
enum Summary {
    /// Appends a part; an error is printed on standard error.
    static func add(_ bytes: [UInt8], to path: String, _ style: TextStyle) {
        do throws(GodwitError) {
            try SummaryFile.append(bytes, to: path)
        } catch {
            ProcessSetup.writeError(ReportFormat.text.bytes(of: error, setting: ReportSetting(style: style)))
        }
    }
}

extension Workspace {
    /// The checkout of a workflow; without a root outside of workflows.
    static var fromEnvironment: Workspace {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let current = getcwd(&buffer, buffer.count).map { String(cString: $0) } ?? "/"
        return Workspace(current: current, root: ProcessSetup.environment("GITHUB_WORKSPACE"))
    }
}
