import GodwitModel
import GodwitRender
import Foundation
import GodwitTestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// JUnit's XML as another reader understands it.
struct JUnitTests {
    /// A document as Foundation's parser reads it.
    private final class Reading: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String])] = []
        var text = ""

        init(_ bytes: [UInt8]) throws {
            super.init()
            let parser = XMLParser(data: Data(bytes))
            parser.delegate = self
            try #require(parser.parse(), "\(String(describing: parser.parserError))")
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) { elements.append((name, attributes)) }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

        func all(_ name: String) -> [[String: String]] { elements.filter { $0.name == name }.map(\.attributes) }
    }

    private func read(
        _ report: some ReadableReport & Encodable, _ demands: ReportDemands = [], verbose: Bool = false
    ) throws -> Reading {
        let setting = ReportSetting(style: TextStyle(verbose: verbose), demands: demands, asOf: Sample.now)
        let bytes = try ReportFormat.junit.bytes(of: report, setting: setting)
        try MadeReports.keep(bytes, as: "xml")
        return try Reading(bytes)
    }

    @Test("a suite for the whole and for each stage, a case for each thing that was looked at")
    func suites() throws {
        let read = try read(Sample.fullRun())
        #expect(
            read.all("testsuite").map { $0["name"] ?? "" }
                == ["run", "schema", "legacy", "dedupe", "copy", "verify"].map { "godwit run: \($0)" })
        #expect(read.all("testsuite").map { $0["tests"] ?? "" } == ["1", "2", "8", "2", "3", "12"])
        #expect(read.all("testsuite").first?["time"] == "0.412")
        #expect(read.all("testsuite").allSatisfy { $0["timestamp"] == "2026-11-21T06:00:00" })
        #expect(read.all("testcase").count == 28)
        #expect(read.all("failure").isEmpty && read.all("error").isEmpty)
    }

    @Test("values that are left behind are skipped, and are failures if every value is required")
    func strict() throws {
        var report = Sample.troubledRun
        report.outcome = .partial
        report.verify = nil
        let lenient = try read(report)
        #expect(lenient.all("failure").isEmpty)
        #expect(lenient.all("skipped").map { $0["message"] ?? "" }.contains { $0.hasPrefix("in conflict: ") })
        let strict = try read(report, .everyValue)
        #expect(strict.all("failure").map { $0["type"] ?? "" }.sorted() == ["in conflict", "strict", "unsupported"])
    }

    @Test(
        "something fails exactly where the command ends with another code than 0",
        arguments: [Outcome.done, .alreadyDone, .healed, .nothingToDo, .partial],
        [[], .everyValue, .nothingPending, [.everyValue, .nothingPending]] as [ReportDemands])
    func exitCode(outcome: Outcome, demands: ReportDemands) throws {
        for hasFailed in [false, true] {
            var report = outcome == .partial ? Sample.troubledRun : Sample.fullRun()
            report.outcome = outcome
            report.verify = RunReport.Verify(checks: [RunReport.Verify.Check("a.b", hasFailed ? .failed : .passed, "x")]
            )
            let isDoubtful = demands.contains(.everyValue) && report.isDoubtful
            let isPending = demands.contains(.nothingPending) && outcome.hasChanges
            let read = try read(report, demands)
            #expect(!read.all("failure").isEmpty == (hasFailed || isDoubtful || isPending))
            #expect(read.all("error").isEmpty)
        }
    }

    @Test("a proof that failed before its checks were complete is a failure, and so is a run that left its plan")
    func incomplete() throws {
        var report = Sample.fullRun()
        report.verify = RunReport.Verify(checks: [RunReport.Verify.Check("a", .passed, "")])
        report.verify?.outcome = .failed
        #expect(try read(report).all("failure").count == 1)
        report = Sample.fullRun()
        report.warnings = [Warning("divergedFromPlan", "The run did other things than the plan said")]
        #expect(try read(report).all("failure").count == 1)
    }

    @Test("a broken sync fails if a working sync is required")
    func sync() throws {
        var status = Sample.status
        status.sync.status = .error
        #expect(try read(status).all("failure").isEmpty)
        #expect(try read(status, .workingSync).all("failure").count == 1)
        status.sync.status = .succeeded
        #expect(try read(status, .workingSync).all("failure").isEmpty)
    }

    @Test("an error is an error in the suite of its stage, or in one of its own", arguments: GodwitError.Code.allCases)
    func error(code: GodwitError.Code) throws {
        for stage in GodwitError.Stage.allCases {
            var error = GodwitError(stage, code, "No <luck> & no \"hope\".", hint: "Try again.")
            for report in [nil, Sample.fullRun()] {
                error.report = report
                let bytes = ReportFormat.junit.bytes(of: error, setting: ReportSetting(asOf: Sample.now))
                try MadeReports.keep(bytes, as: "xml")
                let read = try Reading(bytes)
                #expect(read.all("error").map { $0["message"] } == ["No <luck> & no \"hope\"."])
                #expect(read.all("testsuite").map { $0["errors"] ?? "" }.filter { $0 != "0" } == ["1"])
                #expect(read.text.contains("hint: Try again."))
            }
        }
    }

    @Test("what XML has no way to write is written out, and what it gives a meaning is data")
    func hostile() throws {
        let read = try read(HostileTextTests.report, verbose: true)
        #expect(read.all("testcase").contains { $0["name"]?.contains("\\u{1b}]0;gotcha\\u{7}") == true })
        var report = Sample.report()
        let noncharacter = Unicode.Scalar(0xFDD0 as UInt32).map(String.init) ?? ""
        let text = "a\u{0}b\u{8}\u{FFFE}\u{FFFF}\u{1FFFE}\(noncharacter)]]>&#0;<!-- ' \" \u{D7FF}\u{E000}\u{10FFFD} 👩‍👩‍👧"
        report.legacy = RunReport.Legacy(outcome: .done, ledger: [Sample.line(text, .conflict, note: text)])
        let name = try self.read(report).all("testcase").compactMap { $0["name"] }.last
        #expect(
            name == "a\\u{0}b\\u{8}\\u{fffe}\\u{ffff}\\u{1fffe}\\u{fdd0}]]>&#0;<!-- ' \" \u{D7FF}\u{E000}\u{10FFFD} 👩‍👩‍👧")
    }

    @Test("thousands of keys and groups are listed up to a bound, and the rest is counted")
    func bounded() throws {
        var report = Sample.report()
        report.legacy = RunReport.Legacy(outcome: .done, ledger: (0..<5_000).map { Sample.line("key\($0)", .unmapped) })
        let group = Sample.dedupe.groups[1]
        report.dedupe = RunReport.Dedupe(
            outcome: .done, groups: Array(repeating: group, count: 1_000), groupCount: 70_000, removed: ["A": 70_000])
        let names = try read(report).all("testcase").compactMap { $0["name"] }
        #expect(names.count == 1 + 1_001 + 1_001)
        #expect(names.contains("and 4,000 more") && names.contains("and 69,000 more"))
    }

    @Test("values of the user's data are shown only when verbose")
    func values() throws {
        let bytes = try ReportFormat.junit.bytes(of: Sample.troubledRun, setting: ReportSetting())
        #expect(!String(decoding: bytes, as: UTF8.self).contains("stone"))
        let verbose = ReportSetting(style: TextStyle(verbose: true))
        let long = try ReportFormat.junit.bytes(of: Sample.troubledRun, setting: verbose)
        #expect(String(decoding: long, as: UTF8.self).contains("stone"))
    }
}
