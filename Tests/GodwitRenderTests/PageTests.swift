import GodwitModel
import GodwitRender
import Foundation
import GodwitTestSupport
import Testing

/// Pages: complete in themselves, harmless, bounded, and readable in both schemes.
struct PageTests {
    private func page(
        _ report: some ReadableReport & Encodable, _ setting: ReportSetting = Sample.setting
    ) throws -> String {
        let bytes = try ReportFormat.html.bytes(of: report, setting: setting)
        try MadeReports.keep(bytes, as: "html")
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a run has its picture, what changed, the ledger, each group, the records, the checks and the history")
    func sections() throws {
        let text = try page(Sample.fullRun())
        let headings = text.matches(of: /<h2 id="([a-z-]+)">/).map { String($0.output.1) }
        #expect(
            headings == [
                "pipeline", "stages", "next", "warnings", "legacy", "duplicates", "records", "checks", "history",
            ])
        #expect(text.contains("aria-labelledby=\"broad-picture\"") && text.contains("aria-labelledby=\"tall-picture\""))
        #expect(text.contains("<code>0C5A7F7E-91B2-4D35-8E61-2F0D9B7A4C11</code>"))
        #expect(text.contains("The newest of 3 stays, under the fixed key."))
        #expect(text.contains(">640</text>"))
    }

    @Test("the picture says in words what it shows")
    func alternative() throws {
        let text = try page(Sample.fullRun())
        let titles = text.matches(of: /<title id="[a-z]+-picture">([^<]*)</).map { String($0.output.1) }
        #expect(titles.count == 2)
        #expect(titles.allSatisfy { $0.contains("copy: 40 Workout, 600 ExerciseSet → cloud (new store)") })
    }

    @Test("a history is a chart next to a table, and an empty one says so")
    func history() throws {
        let text = try page(HistoryReport(app: "A", container: "c", runs: Sample.runs))
        #expect(
            text.matches(of: /<rect class="(done|failed|idle)" x="\d+" y="\d+" width="\d+" height="\d+"\/>/).count == 6)
        #expect(text.contains("aria-label=\"3 runs by duration, oldest first: 1 done, 1 nothing to do, 1 failed\""))
        #expect(text.contains("The disk is full."))
        let none = try page(HistoryReport(app: "A", container: "c", runs: []))
        #expect(none.contains("No run is recorded in the stores."))
    }

    @Test("hostile text in a report stays text, in every place")
    func hostile() throws {
        let evil = "</style></script><script>alert(1)</script><img src=x onerror=alert(2)> \"' -->\u{202e}\u{0}"
        var report = HostileTextTests.report
        report.run.app = evil
        report.run.container = evil
        report.run.id = evil
        report.legacy?.ledger[0].key = evil
        report.dedupe?.groups[0].entity = evil
        report.copy?.schema = RunReport.Schema(outcome: .done, store: .cloud, file: evil, toVersion: 1)
        var run = Sample.entry(evil, .failed, secondsAgo: 5, error: evil)
        (run.id, run.summary) = (evil, evil)
        for verbose in [false, true] {
            let setting = ReportSetting(style: TextStyle(verbose: verbose), history: [run])
            let text = try page(report, setting)
            #expect(!text.contains("<script") && !text.contains("<img") && !text.contains("\u{202e}"))
            #expect(text.components(separatedBy: "</style>").count == 2)
            #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
        }
        let error = GodwitError(.copy, .io, evil, hint: evil, underlying: evil)
        let bytes = ReportFormat.html.bytes(of: error, setting: ReportSetting())
        try MadeReports.keep(bytes, as: "html")
        #expect(!String(decoding: bytes, as: UTF8.self).contains("<script"))
    }

    @Test("a page is bounded: what is beyond a bound is counted")
    func bounded() throws {
        var report = Sample.fullRun()
        report.legacy = RunReport.Legacy(outcome: .done, ledger: (0..<9_000).map { Sample.line("key\($0)", .unmapped) })
        var group = Sample.dedupe.groups[0]
        group.losers = Array(repeating: group.losers[0], count: 500)
        report.dedupe = RunReport.Dedupe(
            outcome: .done, groups: Array(repeating: group, count: 1_000), groupCount: 80_000, removed: ["A": 80_000])
        report.copy?.entities = (0..<2_000).map { RunReport.Copy.Entity(name: "Entity\($0)", local: 1) }
        report.verify = RunReport.Verify(checks: (0..<5_000).map { RunReport.Verify.Check("check\($0)", .passed, "") })
        let setting = ReportSetting(history: Array(repeating: Sample.runs[0], count: 5_000))
        let text = try page(report, setting)
        #expect(text.utf8.count < 4_000_000)
        for rest in [
            "8,800 more keys", "79,800 more groups", "1,500 more entities", "4,000 more checks", "4,900 more runs",
        ] {
            #expect(text.contains("and \(rest), not listed here"), "\(rest)")
        }
        #expect(text.contains("and 480 more"))
    }

    @Test("values of the user's data are shown only when verbose")
    func values() throws {
        #expect(!(try page(Sample.troubledRun)).contains("stone"))
        var setting = Sample.setting
        setting.style.verbose = true
        #expect(try page(Sample.troubledRun, setting).contains("stone"))
    }

    @Test("numbers beyond all numbers do not trap")
    func overflow() throws {
        var report = Sample.fullRun()
        report.copy?.entities = ["A", "B"].map { name in
            var entity = RunReport.Copy.Entity(name: name, local: .max)
            (entity.inserted, entity.updated, entity.cloudAfter) = (.max, .max, .max)
            return entity
        }
        report.legacy?.buckets = ["migrated": .max, "unmapped": .max]
        report.run.durationMilliseconds = .max
        _ = try page(report, ReportSetting(history: [Sample.entry("run", .done, secondsAgo: .max / 2)]))
        _ = try ReportFormat.junit.bytes(of: report, setting: Sample.setting)
    }
}

/// Contrast as <https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio> defines it, of the colours of a finished page.
struct PageContrastTests {
    private static func luminance(_ hex: String) -> Double {
        let channels = stride(from: 1, to: 7, by: 2).map { offset -> Double in
            let start = hex.index(hex.startIndex, offsetBy: offset)
            let value = Double(Int(hex[start..<hex.index(start, offsetBy: 2)], radix: 16) ?? 0) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    }

    private static func contrast(_ one: String, _ other: String) -> Double {
        let (a, b) = (luminance(one), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    /// The custom properties of the two schemes, and those for paper.
    private func schemes() throws -> [[String: String]] {
        let bytes = try ReportFormat.html.bytes(of: Sample.fullRun(), setting: Sample.setting)
        let blocks = String(decoding: bytes, as: UTF8.self).matches(of: /:root \{([^}]*)\}/)
        let schemes = blocks.map { block in
            block.output.1.matches(of: /--([a-z0-9-]+): (#[0-9a-f]{6});/).reduce(into: [String: String]()) {
                $0[String($1.output.1)] = String($1.output.2)
            }
        }
        try #require(schemes.count == 3)
        return schemes
    }

    @Test("text has a contrast of at least 4.5 to 1 on every ground that it is on")
    func text() throws {
        let pairs: [(String, [String])] = [
            ("text", ["ground", "raised", "good-soft", "caution-soft", "bad-soft"]), ("muted", ["ground", "raised"]),
            ("accent", ["ground", "raised"]), ("good", ["ground", "good-soft"]),
            ("caution", ["ground", "caution-soft"]), ("bad", ["ground", "bad-soft"]),
        ]
        for scheme in try schemes() {
            for (name, grounds) in pairs {
                for ground in grounds {
                    let ratio = Self.contrast(try #require(scheme[name]), try #require(scheme[ground]))
                    #expect(ratio >= 4.5, "\(name) on \(ground): \(ratio)")
                }
            }
        }
    }

    @Test("what is drawn has a contrast of at least 3 to 1")
    func pictures() throws {
        let names = ["flow", "bad", "good", "accent", "muted"] + (1...8).map { "part-\($0)" }
        for scheme in try schemes() {
            for name in names {
                let ratio = Self.contrast(try #require(scheme[name]), try #require(scheme["ground"]))
                #expect(ratio >= 3, "\(name): \(ratio)")
            }
        }
    }

    @Test("every color in the style sheet is defined, and paper uses the light scheme")
    func complete() throws {
        let bytes = try ReportFormat.html.bytes(of: Sample.fullRun(), setting: Sample.setting)
        let text = String(decoding: bytes, as: UTF8.self)
        let used = Set(text.matches(of: /var\(--([a-z0-9-]+)\)/).map { String($0.output.1) })
        let schemes = try schemes()
        for scheme in schemes { #expect(used.isSubset(of: scheme.keys)) }
        #expect(schemes[0] == schemes[2])
    }
}
