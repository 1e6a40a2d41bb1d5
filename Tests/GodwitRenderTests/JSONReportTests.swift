import GodwitModel
import GodwitRender
import FoundationLite
import Testing

/// JSON is a contract: see docs/report-format.md.
struct JSONReportTests {
    private func roundTrip<T: Codable>(_ value: T) throws -> (once: String, twice: String) {
        let once = try JSONReport.encode(value)
        let decoded = try JSONDecoder().decode(T.self, from: Data(once))
        return (String(decoding: once, as: UTF8.self), String(decoding: try JSONReport.encode(decoded), as: UTF8.self))
    }

    @Test("every report reads back as what was written")
    func roundTrips() throws {
        var merged = Sample.fullRun(dryRun: true)
        merged.copy = Sample.mergingCopy
        for report in [Sample.fullRun(), merged, Sample.report(.failed), HostileTextTests.report] {
            let (once, twice) = try roundTrip(report)
            #expect(once == twice)
        }
        let export = try roundTrip(Sample.export())
        #expect(export.once == export.twice)
        let status = try roundTrip(Sample.status)
        #expect(status.once == status.twice)
        let history = try roundTrip(HistoryReport(app: "TrainLog", container: "container", runs: Sample.runs))
        #expect(history.once == history.twice)
        let inspected = try roundTrip(Sample.inspected)
        #expect(inspected.once == inspected.twice)
        let drafted = try roundTrip(Sample.drafted)
        #expect(drafted.once == drafted.twice)
        let imported = try roundTrip(Sample.imported)
        #expect(imported.once == imported.twice)
    }

    @Test("what is read back renders as the same text")
    func sameText() throws {
        let json = try JSONReport.encode(Sample.fullRun())
        let decoded = try JSONDecoder().decode(RunReport.self, from: Data(json))
        #expect(decoded.text(TextStyle(verbose: true)) == Sample.fullRun().text(TextStyle(verbose: true)))
    }

    @Test("keys are sorted, slashes plain, instants ISO 8601, nil left out, and the end is a newline")
    func shape() throws {
        var report = Sample.report(.nothingToDo)
        report.run.durationMilliseconds = nil
        report.run.container = "a/b"
        let text = String(decoding: try JSONReport.encode(report), as: UTF8.self)
        #expect(
            text == """
                {
                  "nextSteps" : [

                  ],
                  "notes" : [

                  ],
                  "outcome" : "nothingToDo",
                  "reportVersion" : 1,
                  "run" : {
                    "app" : "TrainLog",
                    "command" : "run",
                    "container" : "a/b",
                    "dryRun" : false,
                    "godwitVersion" : "0.1.0",
                    "id" : "6F1D2C3B-0A4E-4B7C-9D21-5E8F7A6B3C10",
                    "startedAt" : "2026-11-21T06:00:00.000Z"
                  },
                  "warnings" : [

                  ]
                }

                """)
    }

    @Test("no control character is raw, C1 and DEL included")
    func controls() throws {
        let text = "\u{1b}\u{7f}\u{80}\u{9b}\u{9f}\u{a0}é\u{0}"
        let bytes = try JSONReport.encode([text])
        #expect(bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A })
        #expect(String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy { !(0x7F...0x9F).contains($0.value) })
        #expect(try JSONDecoder().decode([String].self, from: Data(bytes)) == [text])
    }

    @Test("a value that JSON can't hold is a bug, not a crash")
    func impossible() {
        let error = #expect(throws: GodwitError.self) { try JSONReport.encode([Double.infinity]) }
        #expect(error?.code == .bug)
    }

    @Test("an error is one line with its keys in a fixed order")
    func error() {
        let error = GodwitError(.copy, .busy, "The store \"a/b\" is in use.", hint: "Try again.")
        #expect(
            String(decoding: JSONReport.encode(error: error), as: UTF8.self)
                == #"{"messageType":"error","code":75,"stage":"copy","message":"The store \"a/b\" is in use.","hint":"Try again."}"#
                + "\n")
    }

    @Test("the cause of an error is part of its message, and an error without a hint has no key for it")
    func underlying() {
        let error = GodwitError(.export, .io, "can't write", underlying: "ENOSPC")
        #expect(
            String(decoding: JSONReport.encode(error: error), as: UTF8.self)
                == #"{"messageType":"error","code":74,"stage":"export","message":"can't write: ENOSPC"}"# + "\n")
    }

    /// The error object as a program reads it.
    private struct ErrorObject: Decodable {
        var messageType: String
        var code: Int
        var stage: String
        var message: String
        var hint: String?
        var report: RunReport?
    }

    @Test("an error carries the report of what had been done, on the same line")
    func errorWithReport() throws {
        var error = GodwitError(.copy, .data, HostileTextTests.hostile, hint: HostileTextTests.hostile)
        error.report = HostileTextTests.report
        let bytes = JSONReport.encode(error: error)
        #expect(bytes.count { $0 == 0x0A } == 1 && bytes.last == 0x0A)
        let object = try JSONDecoder().decode(ErrorObject.self, from: Data(bytes))
        #expect(object.messageType == "error" && object.code == 65 && object.stage == "copy")
        #expect(object.message == HostileTextTests.hostile && object.hint == HostileTextTests.hostile)
        let report = try #require(object.report)
        #expect(try JSONReport.encode(report) == JSONReport.encode(HostileTextTests.report))
    }

    @Test("every code and stage is written as its own number and word", arguments: GodwitError.Code.allCases)
    func codes(code: GodwitError.Code) throws {
        for stage in GodwitError.Stage.allCases {
            let bytes = JSONReport.encode(error: GodwitError(stage, code, "m"))
            let object = try JSONDecoder().decode(ErrorObject.self, from: Data(bytes))
            #expect(object.code == Int(code.rawValue) && object.stage == stage.rawValue && object.report == nil)
        }
    }
}
