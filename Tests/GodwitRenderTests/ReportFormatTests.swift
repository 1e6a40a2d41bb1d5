import GodwitModel
import GodwitRender
import Testing

/// One door for every format.
struct ReportFormatTests {
    @Test("formats are named as on the command line")
    func names() {
        #expect(ReportFormat.allCases.map(\.rawValue) == ["text", "json", "junit", "github", "html"])
        #expect(ReportFormat(rawValue: "yaml") == nil)
    }

    @Test("each format gives what its own file writes")
    func reports() throws {
        let report = Sample.fullRun()
        let style = TextStyle(width: 100)
        let setting = ReportSetting(style: style)
        #expect(try ReportFormat.text.bytes(of: report, setting: setting) == Array(report.text(style).utf8))
        #expect(try ReportFormat.json.bytes(of: report, setting: setting) == JSONReport.encode(report))
    }

    @Test("an error as text is a line for the error and a line for the hint")
    func errorText() {
        let error = GodwitError(.copy, .busy, "the store is in use", hint: "Try again.", underlying: "EWOULDBLOCK")
        #expect(
            String(
                decoding: ReportFormat.text.bytes(of: error, setting: ReportSetting(style: TextStyle(width: 40))),
                as: UTF8.self)
                == "godwit: error: the store is in use: EWOULDBLOCK\nhint: Try again.\n")
        let bare = GodwitError(.copy, .busy, "the store is in use")
        #expect(bare.text(TextStyle()) == "godwit: error: the store is in use\n")
        #expect(bare.text(TextStyle(color: true)) == "godwit: \u{1b}[31merror:\u{1b}[0m the store is in use\n")
    }

    @Test("an error as JSON is the error object")
    func errorJSON() {
        let error = GodwitError(.copy, .busy, "m")
        #expect(ReportFormat.json.bytes(of: error, setting: ReportSetting()) == JSONReport.encode(error: error))
    }

    @Test("each report says in which forms it can be shown")
    func offers() {
        #expect(RunReport.formats == ReportFormat.allCases)
        #expect(StatusReport.formats == ReportFormat.allCases)
        #expect(ExportReport.formats == [.text, .json, .junit, .github])
        #expect(RestoreReport.formats == [.text, .json, .junit, .github])
        #expect(HistoryReport.formats == [.text, .json, .html])
    }

    @Test("a form that a report does not have is a usage error")
    func notOffered() {
        let history = HistoryReport(app: "A", container: "c", runs: [])
        for format in [ReportFormat.junit, .github] {
            let error = #expect(throws: GodwitError.self) { try format.bytes(of: history, setting: ReportSetting()) }
            #expect(error?.code == .usage)
        }
        let html = #expect(throws: GodwitError.self) {
            try ReportFormat.html.bytes(of: Sample.export(), setting: ReportSetting())
        }
        #expect(html?.code == .usage)
    }

    @Test("the same report gives the same bytes in every form", arguments: ReportFormat.allCases)
    func deterministic(format: ReportFormat) throws {
        let once = try format.bytes(of: Sample.fullRun(), setting: Sample.setting)
        for _ in 0..<20 { #expect(try format.bytes(of: Sample.fullRun(), setting: Sample.setting) == once) }
        #expect(once.last == 0x0A)
    }
}
