import GodwitModel
import GodwitRender
import Testing

/// Every form of every report, byte for byte the same as its reviewed file.
struct GoldenReportTests {
    private func bytes(
        _ format: ReportFormat, _ report: some ReadableReport & Encodable, _ setting: ReportSetting = Sample.setting
    ) throws -> [UInt8] {
        try format.bytes(of: report, setting: setting)
    }

    /// An error after three stages, at a place in a schema file.
    private var error: GodwitError {
        var error = GodwitError(
            .copy, .data, "ExerciseSet.workoutId points at a Workout that does not exist (3 references)",
            hint: "Copy them as they are with --allow-orphans.", underlying: "FOREIGN KEY, 100%")
        error.position = GodwitError.Position(file: "../Migrations/trainlog/V0002__settings.sql", line: 7)
        error.report = Sample.fullRun()
        error.report?.outcome = .failed
        error.report?.copy = nil
        error.report?.verify = nil
        return error
    }

    @Test("JSON: each report, and the error")
    func json() throws {
        try GoldenReport.expect(bytes(.json, Sample.writtenRun), equals: "run.json")
        try GoldenReport.expect(bytes(.json, Sample.undoRun), equals: "undo.json")
        try GoldenReport.expect(bytes(.json, Sample.export()), equals: "export.json")
        try GoldenReport.expect(bytes(.json, Sample.writtenImport), equals: "import.json")
        try GoldenReport.expect(bytes(.json, Sample.status), equals: "status.json")
        let history = HistoryReport(app: "TrainLog", container: "container", runs: Sample.runs)
        try GoldenReport.expect(bytes(.json, history), equals: "history.json")
        var error = error
        error.report?.schema = Sample.writtenRun.schema
        error.report?.legacy = Sample.writtenRun.legacy
        try GoldenReport.expect(ReportFormat.json.bytes(of: error, setting: Sample.setting), equals: "error.json")
    }

    @Test("JUnit: a good run, a troubled one, an undo, a status, an export, an import, an error")
    func junit() throws {
        try GoldenReport.expect(bytes(.junit, Sample.fullRun()), equals: "run.xml")
        try GoldenReport.expect(bytes(.junit, Sample.troubledRun), equals: "troubled.xml")
        try GoldenReport.expect(bytes(.junit, Sample.undoRun), equals: "undo.xml")
        try GoldenReport.expect(bytes(.junit, Sample.status), equals: "status.xml")
        try GoldenReport.expect(bytes(.junit, Sample.export()), equals: "export.xml")
        try GoldenReport.expect(bytes(.junit, Sample.writtenImport), equals: "import.xml")
        try GoldenReport.expect(ReportFormat.junit.bytes(of: error, setting: Sample.setting), equals: "error.xml")
    }

    @Test("GitHub: the log, and the summary of the step")
    func github() throws {
        try GoldenReport.expect(bytes(.github, Sample.fullRun(dryRun: true)), equals: "plan.github.txt")
        try GoldenReport.expect(bytes(.github, Sample.troubledRun), equals: "troubled.github.txt")
        try GoldenReport.expect(
            ReportFormat.github.bytes(of: error, setting: Sample.setting), equals: "error.github.txt")
        let plan = try #require(StepSummary.bytes(of: Sample.fullRun(dryRun: true), setting: Sample.setting))
        try GoldenReport.expect(plan, equals: "plan.md")
        let troubled = try #require(StepSummary.bytes(of: Sample.troubledRun, setting: Sample.setting))
        try GoldenReport.expect(troubled, equals: "troubled.md")
        try GoldenReport.expect(StepSummary.bytes(of: error, setting: Sample.setting), equals: "error.md")
    }

    @Test("HTML: a plan, a troubled run, a status, a history, an error")
    func html() throws {
        try GoldenReport.expect(bytes(.html, Sample.fullRun(dryRun: true)), equals: "plan.html")
        try GoldenReport.expect(bytes(.html, Sample.troubledRun), equals: "troubled.html")
        try GoldenReport.expect(bytes(.html, Sample.undoRun), equals: "undo.html")
        try GoldenReport.expect(bytes(.html, Sample.status), equals: "status.html")
        let history = HistoryReport(app: "TrainLog", container: "container", runs: Sample.runs)
        try GoldenReport.expect(bytes(.html, history), equals: "history.html")
        try GoldenReport.expect(ReportFormat.html.bytes(of: error, setting: Sample.setting), equals: "error.html")
    }
}
