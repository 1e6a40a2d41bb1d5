import Godwit
import GodwitRender
import Libc

extension SharedOptions {
    /// What a report of a pipeline is rendered with.
    func setting(_ pipeline: Pipeline, demands: ReportDemands = []) -> ReportSetting {
        var setting = ReportSetting(
            style: style, demands: demands, positions: ReportPositions(pipeline.shownManifest),
            workspace: .fromEnvironment,
            asOf: now ?? ReportOutput.now)
        // A history that can't be read is no reason to keep the report itself back.
        if reportFormat == .html { setting.history = (try? pipeline.history(limit: 40))?.runs ?? [] }
        return setting
    }

    var summaryPath: String? { printing.summaryPath }

    /// Adds a report to the summary of the step; what goes wrong there is told, and fails nothing.
    func summarize(_ report: some ReadableReport, _ setting: ReportSetting) { printing.summarize(report, setting) }
}

extension PrintingOptions {
    /// Where GitHub gathers summaries of a step; nil where this is none, or where its format was not asked for.
    var summaryPath: String? { reportFormat == .github ? ProcessSetup.environment("GITHUB_STEP_SUMMARY") : nil }

    /// Adds a report to the summary of the step; what goes wrong there is told, and fails nothing.
    func summarize(_ report: some ReadableReport, _ setting: ReportSetting) {
        guard let path = summaryPath, let bytes = StepSummary.bytes(of: report, setting: setting) else { return }
        Summary.add(bytes, to: path, setting.style)
    }
}

/// The summary of a step.
enum Summary {
    /// Adds a part; what goes wrong is told on standard error.
    static func add(_ bytes: [UInt8], to path: String, _ style: TextStyle) {
        do throws(GodwitError) {
            try SummaryFile.append(bytes, to: path)
        } catch {
            ProcessSetup.writeError(ReportFormat.text.bytes(of: error, setting: ReportSetting(style: style)))
        }
    }
}

extension Workspace {
    /// The checkout of a workflow, or none.
    static var fromEnvironment: Workspace {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let current = getcwd(&buffer, buffer.count).map { String(cString: $0) } ?? "/"
        return Workspace(current: current, root: ProcessSetup.environment("GITHUB_WORKSPACE"))
    }
}
