import GodwitModel
import GodwitRender
import Testing

/// Annotations and summaries for GitHub Actions.
struct GitHubTests {
    private func log(
        _ report: some ReadableReport & Encodable, _ setting: ReportSetting = Sample.setting
    ) throws -> String {
        String(decoding: try ReportFormat.github.bytes(of: report, setting: setting), as: UTF8.self)
    }

    /// The workflow commands of a log as GitHub's runner finds them.
    private func commands(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { line in
            line.drop { $0.isWhitespace }.hasPrefix("::") || line.contains("##[")
        }
    }

    private func annotations(_ text: String) -> [Substring] {
        commands(text).filter { !$0.hasPrefix("::group::") && !$0.hasPrefix("::endgroup::") }
    }

    private func summary(_ report: some ReadableReport, _ setting: ReportSetting = Sample.setting) throws -> String {
        String(decoding: try #require(StepSummary.bytes(of: report, setting: setting)), as: UTF8.self)
    }

    @Test("findings point at the line of the manifest that they are about, from the checkout on")
    func places() throws {
        let found = annotations(try log(Sample.troubledRun))
        #expect(
            found.contains {
                $0.hasPrefix(
                    "::warning file=app/godwit.yaml,line=29,col=7,title=godwit run%3A legacy::weightUnit: in conflict")
            })
        #expect(found.contains { $0.hasPrefix("::notice file=app/godwit.yaml,line=27,col=1,") })
        #expect(
            found.contains { $0.hasPrefix("::error title=godwit run%3A verify::everyRecordInCloud.Workout: 3 records") }
        )
    }

    @Test("an annotation about the whole command appears once, without the name of a check")
    func whole() throws {
        var setting = Sample.setting
        setting.demands = .everyValue
        var report = Sample.report()
        report.outcome = .partial
        let found = annotations(try log(report, setting))
        #expect(found.contains("::error title=godwit run::Under --strict: values that would stay behind."))
    }

    @Test("an error points at the schema file it is about, and what has a meaning in a command is escaped")
    func errorPlace() {
        var error = GodwitError(
            .schema, .data, "V0002: 100% wrong,\r\nfile=x::y", hint: "Correct it, then run again: now.")
        error.position = GodwitError.Position(file: "../Migrations/a,b:c%/V0002__x.sql", line: 3, column: 9)
        let text = String(decoding: ReportFormat.github.bytes(of: error, setting: Sample.setting), as: UTF8.self)
        #expect(
            text
                == "::error file=Migrations/a%2Cb%3Ac%25/V0002__x.sql,line=3,col=9,title=godwit%3A schema::"
                + "V0002: 100%25 wrong,\\u{d}\\u{a}file=x::y%0Ahint: Correct it, then run again: now.\n")
    }

    @Test(
        "a path is relative to the checkout if the file is in it, and unchanged otherwise",
        arguments: [
            ("godwit.yaml", "/w/app", "/w", "app/godwit.yaml"), ("./a/../godwit.yaml", "/w", "/w", "godwit.yaml"),
            ("/w/x/y.sql", "/tmp", "/w/", "x/y.sql"), ("/elsewhere/y.sql", "/w", "/w", "/elsewhere/y.sql"),
            ("../../y.sql", "/w/app", "/w", "../../y.sql"), ("/ww/y.sql", "/w", "/w", "/ww/y.sql"),
            ("godwit.yaml", "/w", nil, "godwit.yaml"),
        ] as [(String, String, String?, String)])
    func workspace(file: String, current: String, root: String?, path: String) {
        var error = GodwitError(.manifest, .manifest, "m")
        error.position = GodwitError.Position(file: file)
        let setting = ReportSetting(workspace: Workspace(current: current, root: root))
        let text = String(decoding: ReportFormat.github.bytes(of: error, setting: setting), as: UTF8.self)
        #expect(text == "::error file=\(path),title=godwit%3A manifest::m\n")
    }

    @Test("a warning about a line of the manifest is an annotation at that line")
    func positionedWarning() throws {
        var report = Sample.troubledRun
        report.warnings = [
            Warning("code", "wrong", position: GodwitError.Position(file: "godwit.yaml", line: 9, column: 21))
        ]
        #expect(
            annotations(try log(report)).contains {
                $0.hasPrefix("::warning ") && $0.contains("godwit.yaml,line=9,col=21,title=")
            })
        #expect(report.text(TextStyle()).contains("! godwit.yaml:9:21: wrong\n"))
    }

    @Test("ten thousand findings are few annotations, and never more than GitHub shows of one level")
    func aggregated() throws {
        var report = Sample.troubledRun
        report.legacy = RunReport.Legacy(
            outcome: .partial,
            ledger: (0..<10_000).map { Sample.line("key\($0)", RunReport.Legacy.KeyOutcome.allCases[$0 % 8]) })
        report.verify = RunReport.Verify(
            checks: (0..<40).map { RunReport.Verify.Check("check\($0).x", .failed, "no \($0)") })
        report.warnings = (0..<40).map { Warning("code", "warning \($0)") }
        let found = annotations(try log(report))
        for level in ["error", "warning", "notice"] {
            #expect(found.count { $0.hasPrefix("::\(level) ") } <= 10)
        }
        #expect(found.contains { $0.hasPrefix("::error title=godwit run::and 31 more of this kind: see the log") })
        #expect(found.contains { $0.contains("1,250 in conflict: key6, key14, key22, key30, key38 and 1,245 more") })
    }

    @Test("nothing that a report holds is taken for a command", arguments: [false, true])
    func injection(verbose: Bool) throws {
        let evil = "::set-output name=x::y\n::error::gotcha\r##[error]gotcha ##[add-mask]a"
        var report = Sample.fullRun()
        report.run.app = evil
        report.run.container = evil
        report.legacy = RunReport.Legacy(
            outcome: .partial,
            ledger: [Sample.line(evil, .conflict, note: evil), Sample.line("   " + evil, .unmapped)])
        report.warnings = [Warning("code", evil, hint: evil)]
        report.nextSteps = [evil]
        report.verify = RunReport.Verify(checks: [RunReport.Verify.Check(evil, .failed, evil)])
        let setting = ReportSetting(style: TextStyle(width: 40, verbose: verbose))
        let found = commands(try log(report, setting))
        #expect(found.allSatisfy { !$0.contains("##[") || $0.hasPrefix("::") })
        let known = ["::group::", "::endgroup::", "::error title=", "::warning title=", "::notice title="]
        #expect(found.allSatisfy { line in known.contains { line.hasPrefix($0) } }, "\(found)")
        #expect(found.count { $0.hasPrefix("::error") } == 1)
    }

    @Test(
        "a command is one to the runner, with any mark after it or sign before it",
        arguments: ["\u{600}##[error]x", "##[\u{301}error]x", "###[error]x"])
    func marks(evil: String) throws {
        func holds(_ part: String, _ line: [UInt8]) -> Bool {
            line.indices.contains { line[$0...].starts(with: part.utf8) }
        }
        var report = Sample.fullRun()
        report.legacy = RunReport.Legacy(outcome: .partial, ledger: [Sample.line(evil, .unmapped)])
        report.warnings = [Warning("code", evil, hint: evil)]
        report.nextSteps = [evil]
        let lines = try log(report).utf8.split(separator: 0x0A).map { Array($0) }
        // A line that begins with `::` is only that command.
        let others = lines.filter { !$0.starts(with: "::".utf8) }
        #expect(others.count { holds("## [", $0) } > 1)
        #expect(!others.contains { holds("##[", $0) })
    }

    @Test("what has a meaning in a command is escaped, with any mark after it")
    func escapedMarks() {
        var error = GodwitError(.manifest, .manifest, "100%\u{301}0A")
        error.position = GodwitError.Position(file: "a,\u{301}b:\u{301}c%\u{301}2C/../\u{301}d", line: 3)
        let setting = ReportSetting(workspace: Workspace(current: "/w", root: "/w"))
        let bytes = ReportFormat.github.bytes(of: error, setting: setting)
        #expect(bytes == Array("::error file=\u{301}d,line=3,title=godwit%3A manifest::100%25\u{301}0A\n".utf8))
        error.position = GodwitError.Position(file: "a,\u{301}b:\u{301}c%\u{301}2C", line: 3)
        let other = ReportFormat.github.bytes(of: error, setting: setting)
        let file = "a%2C\u{301}b%3A\u{301}c%25\u{301}2C"
        #expect(other == Array("::error file=\(file),line=3,title=godwit%3A manifest::100%25\u{301}0A\n".utf8))
    }

    @Test("the summary of a step is a table of stages, and what was not as it should be")
    func summaries() throws {
        let text = try summary(Sample.troubledRun)
        #expect(text.hasPrefix("## ❌ godwit run: TrainLog\n\n"))
        #expect(text.contains("| ⚠️ | legacy | 4 keys: 1 migrated, 1 unsupported, 1 in conflict, 1 unmapped |\n"))
        #expect(text.contains("### Failed (2)\n\n| Stage | What | Why | Where |\n"))
        #expect(text.contains("A &#60; B &#38; &#34;C&#34; (40)"))
        #expect(text.hasSuffix("\n\n"))
        #expect(
            StepSummary.bytes(of: HistoryReport(app: "a", container: "c", runs: []), setting: Sample.setting) == nil)
    }

    @Test("foreign text has no meaning in Markdown, and no line of it ends a row")
    func markdown() throws {
        let evil = "a|b\n\n# x <script>alert(1)</script> [l](javascript:x) **b** `c` @all $x$ \\| ~~d~~ \u{202e}"
        var report = Sample.report()
        report.run.app = evil
        report.legacy = RunReport.Legacy(outcome: .done, ledger: [Sample.line(evil, .unmapped, note: evil)])
        report.nextSteps = [evil]
        // The breaks are Godwit's own.
        let text = try summary(report).replacing("<br>", with: " ")
        #expect(!text.contains("<") && !text.contains("`") && !text.contains("[l]") && !text.contains("\u{202e}"))
        for line in text.split(separator: "\n") where line.hasPrefix("|") && line.contains("a&#124;b") {
            #expect(line.count { $0 == "|" } == 5)
        }
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("#") }.allSatisfy { $0.hasPrefix("##") })
    }

    @Test("a summary shows message and hint whole and apart, and cuts a longer one before a command")
    func wholeHints() throws {
        var report = Sample.report()
        let message = String(repeating: "word ", count: 40) + "end"
        let command = "godwit run --strict --allow-orphans -m godwit.yaml -c container"
        report.warnings = [
            Warning("a", message, hint: "Run `\(command)` when the app is closed, and not before it is closed."),
            Warning("b", String(repeating: "long ", count: 57) + "then `\(command)`."),
        ]
        report.nextSteps = ["To make these changes: \(String(repeating: "x", count: 300)) \(command)"]
        let text = try summary(report)
        #expect(text.contains("- \(message)<br>→ Run &#96;\(command)&#96; when the app is closed, and not before"))
        #expect(text.contains("long then …\n"))
        #expect(text.contains("x \(command)\n"))
    }

    @Test("a summary of any report stays far below what GitHub takes")
    func bounded() throws {
        var report = HostileTextTests.report
        let long = String(repeating: "&", count: 1_000)
        report.legacy = RunReport.Legacy(
            outcome: .partial,
            ledger: (0..<400).map {
                Sample.line("\($0)\(long)", RunReport.Legacy.KeyOutcome.allCases[$0 % 8], note: long)
            })
        report.verify = RunReport.Verify(
            checks: (0..<400).map { RunReport.Verify.Check("\($0)\(long)", .failed, long) })
        report.copy?.entities = (0..<400).map { RunReport.Copy.Entity(name: "\($0)\(long)", local: .max) }
        report.warnings = (0..<400).map { Warning("a", "\($0)\(long)", hint: long) }
        report.nextSteps = (0..<400).map { "\($0)\(long)" }
        let setting = ReportSetting(demands: .everyValue)
        #expect(try summary(report, setting).utf8.count < 700_000)
    }

    @Test("values of the user's data are shown only when verbose")
    func values() throws {
        #expect(!(try log(Sample.troubledRun)).contains("stone"))
        #expect(!(try summary(Sample.troubledRun)).contains("stone"))
        var setting = Sample.setting
        setting.style.verbose = true
        #expect(try log(Sample.troubledRun, setting).contains("stone"))
    }
}
