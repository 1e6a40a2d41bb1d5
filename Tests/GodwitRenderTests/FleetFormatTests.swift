import GodwitModel
import GodwitRender
import FoundationLite
import GodwitTestSupport
import Testing

/// Expectations and fleets in the forms for CI and as pages.
struct FleetFormatTests {
    static var expectation: ExpectationReport {
        ExpectationReport(
            file: "expected/first-launch.json", verdict: .differs,
            differences: [
                ExpectedLine(.same, part: "counts.cloud", "\"ExerciseSet\": 600"),
                ExpectedLine(.expected, part: "counts.cloud", "\"Workout\": 40"),
                ExpectedLine(.found, part: "counts.cloud", "\"Workout\": 41 <b>"),
                ExpectedLine(.found, part: "legacy.buckets", "\"conflict\": 1"),
            ], omitted: 7, notCompared: ["legacy.keys"])
    }

    static var expecting: RunReport {
        var report = Sample.report(.done, command: "verify")
        report.verify = Sample.verify
        report.expectation = expectation
        return report
    }

    static var fleet: FleetReport {
        var good = Sample.report(.done, command: "verify")
        good.verify = Sample.verify
        var bad = good
        bad.verify = Sample.troubledRun.verify
        var other = good
        other.expectation = expectation
        return FleetReport(
            command: .verify, app: "TrainLog", folder: "Fixtures", godwitVersion: "0.1.0", startedAt: Sample.now,
            durationMilliseconds: 812,
            containers: [
                FleetEntry(container: "first-launch", report: good), FleetEntry(container: "old/one", report: bad),
                FleetEntry(
                    container: "torn",
                    error: GodwitError(.container, .data, "TrainLog.store is damaged", hint: "Restore it.")),
                FleetEntry(container: "two-devices", report: other),
            ])
    }

    @Test("each form is the same as its reviewed file")
    func golden() throws {
        let setting = Sample.setting
        for (format, form) in [(ReportFormat.json, "json"), (.junit, "xml"), (.github, "github.txt"), (.html, "html")] {
            try GoldenReport.expect(format.bytes(of: Self.fleet, setting: setting), equals: "fleet.\(form)")
            try GoldenReport.expect(format.bytes(of: Self.expecting, setting: setting), equals: "expected.\(form)")
        }
        try GoldenReport.expect(#require(StepSummary.bytes(of: Self.fleet, setting: setting)), equals: "fleet.md")
    }

    @Test("an item fails exactly if the result is not as expected", arguments: ExpectationVerdict.allCases)
    func verdicts(verdict: ExpectationVerdict) throws {
        var report = Self.expecting
        report.expectation?.verdict = verdict
        if verdict != .differs { report.expectation?.differences = [] }
        let text = String(decoding: try ReportFormat.junit.bytes(of: report, setting: Sample.setting), as: UTF8.self)
        #expect(text.contains("<failure ") == (verdict == .differs))
        #expect(text.contains("<skipped message=\"the import was done by an earlier run\"/>"))
    }

    @Test("a fleet has a suite for each container, with its failures and errors")
    func fleetSuites() throws {
        let text = String(
            decoding: try ReportFormat.junit.bytes(of: Self.fleet, setting: Sample.setting), as: UTF8.self)
        let names = text.matches(of: /<testsuite [^>]* name="([^"]*)"/).map { String($0.output.1) }
        #expect(
            names == ["verify", "first-launch", "old/one", "torn", "two-devices"].map { "godwit verify: \($0)" })
        #expect(text.components(separatedBy: "<failure ").count == 5)
        #expect(text.components(separatedBy: "<error ").count == 2)
        let calm = FleetReport(
            command: .verify, app: "A", folder: "F", godwitVersion: "0.1.0", startedAt: Sample.now,
            durationMilliseconds: 1, containers: [Self.fleet.containers[0]])
        let good = String(decoding: try ReportFormat.junit.bytes(of: calm, setting: Sample.setting), as: UTF8.self)
        #expect(!good.contains("<failure ") && !good.contains("<error "))
    }

    @Test("a proof that moved nothing has no picture of a pipeline; its headline is what it came to")
    func proofAlone() throws {
        let text = String(
            decoding: try ReportFormat.html.bytes(of: Self.expecting, setting: Sample.setting), as: UTF8.self)
        #expect(!text.contains("id=\"pipeline\"") && text.contains("id=\"checks\""))
        #expect(text.contains("Not as expected. Verified in"))
    }

    @Test("the summary of a step keeps the lines of a difference apart, in one cell")
    func summaryLines() throws {
        let text = String(
            decoding: try #require(StepSummary.bytes(of: Self.expecting, setting: Sample.setting)), as: UTF8.self)
        #expect(
            text.contains("expectation: 2 lines differ<br>  &#34;ExerciseSet&#34;: 600<br>- &#34;Workout&#34;: 40<br>"))
    }

    @Test("lines of a difference stay text, and many are counted")
    func hostile() throws {
        var report = Self.expecting
        let evil = "</ul><script>alert(1)</script>\u{202e}"
        report.expectation?.differences = (0..<2_000).map { ExpectedLine(.found, part: evil, "\($0)\(evil)") }
        let bytes = try ReportFormat.html.bytes(of: report, setting: Sample.setting)
        try MadeReports.keep(bytes, as: "html")
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.contains("<script") && !text.contains("\u{202e}"))
        #expect(text.contains("and 1,607 more lines, not listed here"))
    }
}
