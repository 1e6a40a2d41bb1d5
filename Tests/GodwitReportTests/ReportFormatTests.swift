import GodwitModel
import GodwitReport
import Testing

/// One door for every format.
struct ReportFormatTests {
    @Test("formats are named as on the command line")
    func names() {
        #expect(ReportFormat.allCases.map(\.rawValue) == ["text", "json"])
        #expect(ReportFormat(rawValue: "yaml") == nil)
    }

    @Test("each format gives what its own file writes")
    func reports() throws {
        let report = Sample.fullRun()
        let style = TextStyle(width: 100)
        #expect(try ReportFormat.text.bytes(of: report, style: style) == Array(report.text(style).utf8))
        #expect(try ReportFormat.json.bytes(of: report, style: style) == JSONReport.encode(report))
    }

    @Test("an error as text is a line for the error and a line for the hint")
    func errorText() {
        let error = GodwitError(.copy, .busy, "The store is in use.", hint: "Try again.", underlying: "EWOULDBLOCK")
        #expect(
            String(decoding: ReportFormat.text.bytes(of: error, style: TextStyle(width: 40)), as: UTF8.self)
                == "godwit: error: The store is in use. (EWOULDBLOCK)\nhint: Try again.\n")
        let bare = GodwitError(.copy, .busy, "The store is in use.")
        #expect(bare.text(TextStyle()) == "godwit: error: The store is in use.\n")
        #expect(bare.text(TextStyle(color: true)) == "godwit: \u{1b}[31merror:\u{1b}[0m The store is in use.\n")
    }

    @Test("an error as JSON is the error object")
    func errorJSON() {
        let error = GodwitError(.copy, .busy, "m")
        #expect(ReportFormat.json.bytes(of: error, style: TextStyle()) == JSONReport.encode(error: error))
    }
}
