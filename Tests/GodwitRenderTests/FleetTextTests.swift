import GodwitModel
import GodwitRender
import GodwitTestSupport
import Testing

/// Fleets of runs and exports, shards of them, and very many containers, in every form.
struct FleetTextTests {
    private func text(_ report: FleetReport, verbose: Bool = false) -> String {
        report.text(TextStyle(width: 120, verbose: verbose))
    }

    private func junit(_ report: FleetReport, _ demands: ReportDemands = []) throws -> String {
        let setting = ReportSetting(demands: demands, asOf: Sample.now)
        let bytes = try ReportFormat.junit.bytes(of: report, setting: setting)
        try MadeReports.keep(bytes, as: "xml")
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a fleet of runs has a word for each verdict, and its sums in one order")
    func runs() {
        #expect(
            text(Sample.runFleet()) == """
                godwit run: TrainLog, all containers of backups/*/AppData

                ✓ a:         done, 12 checks passed
                • b:         had nothing to do
                ! c:         partly done: some values could not be moved (conflict, unsupported)
                ✗ d:         failed
                    TrainLog.store is damaged (65)
                    → Restore it.
                ✗ e:         1 of 2 checks failed
                    ✗ flagMatchesReceipt the flag is set, but no cloud store has a receipt
                ✓ long/name: done, 12 checks passed

                ✗ 6 containers: 2 done, 1 had nothing to do, 1 partly done, 2 failed in 3.1 s.

                """)
    }

    @Test("the dry run of a fleet says what would be done")
    func dryRun() {
        let text = text(Sample.runFleet(dryRun: true))
        #expect(text.hasPrefix("godwit run --dry-run: TrainLog, "))
        #expect(text.contains("\n→ a:         would be done, 12 checks passed\n"))
        #expect(text.contains("\n• b:         has nothing to do\n"))
        #expect(text.contains("\n! c:         would be partly done: some"))
        #expect(text.contains("2 would be done, 1 have nothing to do, 1 would be partly done, 2 failed"))
    }

    @Test("a fleet of exports says which file is new, and which has the same content already")
    func exports() {
        #expect(
            text(Sample.exportFleet) == """
                godwit export: TrainLog, all containers listed on standard input

                ✓ a: exported to out/a/TrainLog.json
                • b: unchanged since out/b/old.json
                ✗ c: failed
                    another run holds the lock on `c` (75)

                ✗ 3 containers: 1 exported, 1 unchanged, 1 failed in 41 ms.

                """)
        var report = Sample.exportFleet
        report.dryRun = true
        #expect(text(report).contains("✗ 3 containers: 1 would be exported, 1 unchanged, 1 failed"))
    }

    @Test("the whole has the sign of the worst")
    func signs() {
        var report = Sample.runFleet()
        report = Sample.made(of: Array(report.containers[...2]))
        #expect(text(report).contains("\n! 3 containers: 1 done, 1 had nothing to do, 1 partly done in"))
        report = Sample.made(of: Array(report.containers[...1]))
        #expect(text(report).contains("\n✓ 2 containers: 1 done, 1 had nothing to do in"))
        #expect(text(Sample.made(of: [])).contains("\n✓ 0 containers in"))
    }

    @Test("a shard says of what it is one, a merge of how many, a pass that went on what was done before")
    func notes() {
        var report = Sample.runFleet()
        report.fleet = FleetIdentity(containers: 2_000, sha256: String(repeating: "0", count: 64))
        report.shard = Shard(index: 3, count: 8)
        report.doneEarlier = 120
        #expect(
            text(report).contains(
                """
                  • shard 3/8 of a fleet of 2,000 containers.
                  • 120 were done earlier, by the journal.

                """))
        (report.shard, report.shards, report.doneEarlier) = (nil, 8, 1)
        #expect(text(report).contains("  • merged from 8 shards.\n  • 1 was done earlier, by the journal.\n"))
    }

    @Test("up to 40 containers are listed; of more those that are not fine, unless all are asked for")
    func many() {
        #expect(text(Sample.many(40)).contains("\n✓ c0007: done"))
        let report = Sample.many(41)
        let short = text(report)
        #expect(!short.contains("c0007: done"))
        #expect(short.contains("\n✗ c0000: failed\n"))
        #expect(short.contains("✗ 41 containers: 40 done, 1 failed"))
        #expect(text(report, verbose: true).contains("\n✓ c0007: done"))
    }

    @Test("the slowest containers are listed if there are more than ten, or when verbose")
    func slowest() {
        #expect(!text(Sample.many(10)).contains("Slowest"))
        #expect(text(Sample.many(10), verbose: true).contains("Slowest"))
        #expect(
            text(Sample.many(11)).contains(
                """

                Slowest
                  10.0 s c0010
                   9.0 s c0009
                   8.0 s c0008

                """))
        #expect(text(Sample.many(11)).contains("\n   1.0 s c0001\n\n"))
        #expect(!text(Sample.many(11)).contains("0 ms c0000"))
        #expect(!text(Sample.many(0)).contains("Slowest"))
    }

    // MARK: Other forms

    @Test("something fails in JUnit exactly where the command ends with a code other than 0")
    func failures() throws {
        let entries = Sample.runFleet().containers + Sample.exportFleet.containers
        for entry in entries {
            for isStrict in [false, true] {
                var report = Sample.made(of: [entry])
                if entry.file != nil { report.command = FleetCommand.export.rawValue }
                let xml = try junit(report, isStrict ? .everyValue : [])
                let hasFailed = xml.contains("<failure ") || xml.contains("<error ")
                #expect(hasFailed == (report.verdictCode(isStrict: isStrict) != nil), "\(entry.container)")
            }
        }
    }

    @Test("the properties say which shard of which fleet it is")
    func properties() throws {
        var report = Sample.runFleet(dryRun: true)
        report.shard = Shard(index: 3, count: 8)
        report.fleet = FleetIdentity(containers: 9, sha256: String(repeating: "a", count: 64))
        let xml = try junit(report)
        #expect(xml.contains("<property name=\"shard\" value=\"3/8\"/>"))
        #expect(xml.contains("<property name=\"dryRun\" value=\"true\"/>"))
        #expect(xml.contains("<property name=\"fleetSha256\" value=\"aaa"))
    }

    @Test("a summary of thousands stays within what GitHub takes, and shows first what is wrong")
    func summary() throws {
        var report = Sample.many(20_000)
        for index in [7_000, 19_000] { report.containers[index] = Sample.broken("bad\(index)") }
        let bytes = try #require(StepSummary.bytes(of: report, setting: Sample.setting))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(bytes.count < 100_000)
        #expect(text.contains("| ❌ | bad7000 | failed |\n| ❌ | bad19000 | failed |"))
        #expect(text.contains("and 19,960 more"))
        #expect(text.contains("### Slowest"))
    }

    @Test("a page of thousands shows a thousand rows, those that are wrong first")
    func page() throws {
        var report = Sample.many(3_000)
        report.containers[2_900] = Sample.broken("bad<b>")
        let bytes = try ReportFormat.html.bytes(of: report, setting: Sample.setting)
        try MadeReports.keep(bytes, as: "html")
        let page = String(decoding: bytes, as: UTF8.self)
        #expect(page.contains("bad&lt;b&gt;") && !page.contains("bad<b>"))
        #expect(page.contains("and 2,000 more containers"))
        #expect(page.contains("id=\"slowest\""))
    }

    @Test("JSON reads back as what it was, and has the fields that are documented")
    func json() throws {
        var report = Sample.runFleet()
        report.fleet = FleetIdentity(containers: 9, sha256: String(repeating: "a", count: 64))
        report.shard = Shard(index: 3, count: 8)
        let bytes = try JSONReport.encode(report)
        try MadeReports.keep(bytes, as: "json")
        let again = try Sample.decoded(bytes)
        #expect(try JSONReport.encode(again) == bytes)
        try MadeReports.keep(JSONReport.encode(Sample.exportFleet), as: "json")
    }

    @Test("each form of a shard of runs is the same as its reviewed file")
    func golden() throws {
        var report = Sample.many(12)
        report.containers = Sample.runFleet().containers + report.containers.dropFirst()
        report = Sample.made(of: report.containers)
        report.fleet = FleetIdentity(containers: 140, sha256: String(repeating: "a", count: 64))
        (report.shard, report.doneEarlier) = (Shard(index: 3, count: 8), 4)
        for (format, form) in [
            (ReportFormat.text, "txt"), (.json, "json"), (.junit, "xml"), (.github, "github.txt"), (.html, "html"),
        ] {
            try GoldenReport.expect(format.bytes(of: report, setting: Sample.setting), equals: "shard.\(form)")
        }
    }
}
