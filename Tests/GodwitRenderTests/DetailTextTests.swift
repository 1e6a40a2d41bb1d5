import GodwitModel
import GodwitRender
import Testing

/// The indented lines under a stage: what is listed, what is only counted, what is shown only under `--verbose`.
struct DetailTextTests {
    private func text(verbose: Bool = false, width: Int = 100, _ fill: (inout RunReport) -> Void) -> String {
        var report = Sample.report()
        fill(&report)
        return report.text(TextStyle(width: width, verbose: verbose))
    }

    private func group(losers: Int, reason: RunReport.Dedupe.Reason = .newest) -> RunReport.Dedupe.Group {
        RunReport.Dedupe.Group(
            entity: "Workout", key: "A", winner: RunReport.Dedupe.Record(key: "A", modifiedAt: Sample.now),
            losers: (0..<losers).map { RunReport.Dedupe.Record(key: "loser-\($0)", modifiedAt: nil) }, reason: reason,
            rekeyed: false)
    }

    @Test("a group lists three losers and counts the rest, and all of them when verbose")
    func losers() {
        let dedupe = RunReport.Dedupe(
            outcome: .done, groups: [group(losers: 8)], groupCount: 1, removed: ["Workout": 8])
        let short = text { $0.dedupe = dedupe }
        #expect(short.contains("loser-2") && !short.contains("loser-3"))
        #expect(short.contains("\n      and 5 more set aside\n"))
        let long = text(verbose: true) { $0.dedupe = dedupe }
        #expect(long.contains("loser-7") && !long.contains("more set aside"))
    }

    @Test("three groups are listed and the rest counted, also those that the report itself left out")
    func groups() {
        let dedupe = RunReport.Dedupe(
            outcome: .done, groups: Array(repeating: group(losers: 1), count: 30), groupCount: 1_500,
            removed: ["Workout": 1_500])
        let short = text { $0.dedupe = dedupe }
        #expect(short.contains("✓ dedupe   1,500 duplicates set aside in 1,500 groups"))
        #expect(short.contains("\n    • and 1,497 more groups\n"))
        #expect(text(verbose: true) { $0.dedupe = dedupe }.contains("\n    • and 1,470 more groups\n"))
    }

    @Test("every reason reads as a sentence", arguments: reasons)
    func reason(reason: RunReport.Dedupe.Reason, words: String) {
        let dedupe = RunReport.Dedupe(
            outcome: .done, groups: [group(losers: 1, reason: reason)], groupCount: 1, removed: ["Workout": 1])
        #expect(text { $0.dedupe = dedupe }.contains("\n    • Workout A: \(words)\n"))
    }

    static let reasons: [(RunReport.Dedupe.Reason, String)] = [
        (.identical, "both are equal in every column, one stays"),
        (.newest, "the newest of 2 stays"),
        (.earliest, "the earliest of 2 stays"),
        (.smallerKey, "the dates are equal, the smallest key of 2 stays"),
        (.smallerColumns, "dates and keys are equal, the smallest record of 2 stays"),
        (.onlyOne, "the only record stays"),
        (.cloudKept, "the cloud's record stays, as the manifest says"),
        (.localKept, "the local record stays, as the manifest says"),
        (.tieCloud, "the dates are equal, the cloud's record stays"),
    ]

    @Test("the items of a list are all listed, so that the numbers add up")
    func items() {
        let counts = [
            "migrated": 3, "coerced": 2, "alreadyPresent": 1, "duplicate": 4, "notFavorite": 1, "rejected": 1,
            "notTaken": 1,
        ]
        let line = RunReport.Legacy.Key(key: "list", bucket: .unsupported, items: counts)
        let text = text(width: 200) { $0.legacy = RunReport.Legacy(outcome: .partial, ledger: [line]) }
        let words = "3 migrated, 2 coerced, 1 already present, 4 repeated, 1 not a favorite, 1 rejected, 1 not taken"
        #expect(text.contains("13 items: \(words)\n"))
    }

    @Test("the records that a check is about are named only when verbose, each on a line, with any key")
    func checkedKeys() {
        let check = RunReport.Verify.Check(
            "everyRecordInCloud.Workout", .failed, "2 missing",
            records: [
                RunReport.Verify.Record("a", .missing), RunReport.Verify.Record("b\u{1b}[1m", .different),
                RunReport.Verify.Record("c", .dangling, reference: "Set.wor\u{1b}kout"),
            ])
        let verify = RunReport.Verify(checks: [check, RunReport.Verify.Check("flag", .passed, "there")])
        let short = text { $0.verify = verify }
        #expect(short.contains("2 missing\n") && !short.contains("        missing 'a'\n"))
        let long = text(verbose: true) { $0.verify = verify }
        #expect(long.contains("2 missing\n        missing 'a'\n        different 'b\\u{1b}[1m'\n"), "\(long)")
        #expect(long.contains("\n        dangling 'c' by Set.wor\\u{1b}kout\n"), "\(long)")
    }

    @Test(
        "plain keys are listed only when verbose; keys that need a look always",
        arguments: RunReport.Legacy.KeyOutcome.allCases)
    func ledger(bucket: RunReport.Legacy.KeyOutcome) {
        let source = RunReport.Legacy.Source(path: Sample.preferences, format: .xml, size: 10, keyCount: 1)
        let legacy = RunReport.Legacy(
            outcome: .done, sources: [source], ledger: [Sample.line("theKey", bucket, note: "because")])
        let always: Set<RunReport.Legacy.KeyOutcome> = [.coerced, .unsupported, .conflict, .unmapped]
        let short = text { $0.legacy = legacy }
        #expect(short.contains("theKey") == always.contains(bucket))
        #expect(short.contains(Sample.preferences) == always.contains(bucket))
        let long = text(verbose: true) { $0.legacy = legacy }
        #expect(long.contains("theKey  because"))
        #expect(long.contains("\(Sample.preferences) (xml, 1 key, 10 bytes)"))
        let sign = bucket == .unsupported || bucket == .conflict ? "!" : "•"
        #expect(long.contains("    \(sign) "))
    }

    @Test("values are shown only when verbose, save the types of a coerced one")
    func values() {
        let legacy = RunReport.Legacy(
            outcome: .done,
            ledger: [
                Sample.line("unit", .conflict, into: "UserSettings.unit", note: "not in the value map", from: "stone"),
                Sample.line("sound", .coerced, into: "UserSettings.sound", from: "string 90", to: "integer 90"),
                Sample.line("name", .coerced, into: "UserSettings.name", from: "Kim", to: "text Kim"),
                Sample.line("theme", .migrated, from: "dark", to: "night"),
            ])
        let short = text { $0.legacy = legacy }
        #expect(short.contains("! in conflict  unit   → UserSettings.unit; not in the value map\n"))
        #expect(short.contains("• coerced      sound  → UserSettings.sound; string to integer\n"))
        #expect(!short.contains("stone") && !short.contains("night") && !short.contains("90") && !short.contains("Kim"))
        let long = text(verbose: true) { $0.legacy = legacy }
        #expect(long.contains("stone") && long.contains("dark to night"))
        #expect(long.contains("string 90 to integer 90") && long.contains("Kim to text Kim"))
    }

    @Test("three keys of a bucket are listed and the rest counted")
    func manyKeys() {
        let legacy = RunReport.Legacy(outcome: .done, ledger: (1...1_045).map { Sample.line("key\($0)", .unmapped) })
        let short = text { $0.legacy = legacy }
        #expect(short.contains("key3\n") && !short.contains("key4\n"))
        #expect(short.contains("\n    • and 1,042 more unmapped\n"))
        #expect(text(verbose: true) { $0.legacy = legacy }.contains("key1045\n"))
    }

    @Test("with --verbose a missing preferences file is named")
    func missingFile() {
        let legacy = RunReport.Legacy(sources: [RunReport.Legacy.Source(path: Sample.preferences)])
        #expect(text(verbose: true) { $0.legacy = legacy }.contains("\n    \(Sample.preferences) (missing)\n"))
    }

    @Test("a flag that is not set after a copy is a caution")
    func flagNotSet() {
        var copy = Sample.copy
        copy.flag?.isSet = false
        #expect(text { $0.copy = copy }.contains("! flag cloudMigrationDone not set in com.example.trainlog.plist\n"))
    }

    @Test("the cloud's count before the copy is shown when verbose")
    func countBefore() {
        #expect(!text { $0.copy = Sample.mergingCopy }.contains("before"))
        #expect(text(verbose: true) { $0.copy = Sample.mergingCopy }.contains("before"))
    }

    @Test("a table that is too wide becomes sentences")
    func narrowTable() {
        let narrow = text(width: 50) { $0.copy = Sample.mergingCopy }
        #expect(narrow.contains("    • Workout: 1,240 local, 200 inserted,\n      15 updated, 1,020 equal, 5 kept,"))
    }

    @Test("checks that passed are listed when verbose, with what was looked at")
    func checks() {
        #expect(!text { $0.verify = Sample.verify }.contains("check.1"))
        let long = text(verbose: true) { $0.verify = Sample.verify }
        #expect(long.contains("\n    ✓ check.1   looked at 1\n"))
        #expect(long.contains("\n    ✓ check.12  looked at 12\n"))
    }

    @Test("verbose names files, checksums, the run and the warning's code")
    func verboseIdentity() {
        let long = Sample.fullRun().text(TextStyle(verbose: true))
        #expect(
            long.contains("\n    \(Sample.localFile)\n    • V0002 settings_and_favorites\n      sha256-v1:5f2c9a0e\n"))
        #expect(long.contains("these dates as\n  they are [clockSkew]\n"))
        #expect(long.hasSuffix("\n  run \(Sample.runID), godwit 0.1.0\n"))
    }
}
