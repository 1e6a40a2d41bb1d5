import GodwitModel
import GodwitPipelineSupport
import GodwitReport

/// What a command came to: a report, or an error with the report of what was done before it.
struct Ending: Equatable {
    /// The report as JSON, without identity, times and next steps.
    let report: String
    /// Stage, code, message, hint and what lies behind it.
    let error: String?

    init(_ body: () throws -> RunReport) throws {
        do {
            report = try Self.text(try body())
            error = nil
        } catch let failure as GodwitError {
            report = try failure.report.map { try Self.text($0) } ?? "no report"
            error = """
                \(failure.stage.rawValue) \(failure.code.rawValue): \(failure.message)
                \(failure.hint ?? "")
                \(failure.underlying ?? "")
                """
        }
    }

    private static func text(_ report: RunReport) throws -> String {
        var report = report
        report.run = RunIdentity(
            id: "", command: "", app: report.run.app, container: report.run.container,
            godwitVersion: report.run.godwitVersion, dryRun: false, startedAt: report.run.startedAt)
        report.nextSteps = []
        return String(decoding: try JSONReport.encode(report), as: UTF8.self)
    }
}
