import GodwitModel
import GodwitRender
import GodwitPipelineSupport

/// What a command came to: a report, or an error with the report of what was done before it.
struct Ending: Equatable {
    /// The report as JSON, without identity, times, next steps, and what a plan was decided by.
    let report: String
    /// Stage, code, message, hint and cause.
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
        report.run = RunReport.Identity(
            id: "", command: "", app: report.run.app, container: report.run.container,
            godwitVersion: report.run.godwitVersion, dryRun: false, startedAt: report.run.startedAt)
        report.nextSteps = []
        report.plan = nil
        return String(decoding: try JSONReport.encode(report), as: UTF8.self)
    }

    /// Where this one first differs from another, in few words.
    func difference(from other: Ending) -> String {
        if error != other.error { return "\(error ?? "no error"), expected \(other.error ?? "no error")" }
        let lines = zip(report.split(separator: "\n"), other.report.split(separator: "\n"))
        guard let first = lines.first(where: { $0 != $1 }) else { return "one report is longer" }
        return "\(first.0), expected \(first.1)"
    }
}
