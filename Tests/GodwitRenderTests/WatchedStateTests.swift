import GodwitModel
import GodwitRender
import Testing

/// One line for each change of a status.
struct WatchedStateTests {
    private func line(_ report: StatusReport, after earlier: StatusReport? = nil) -> String? {
        WatchedState(report).line(
            at: report.asOf, since: earlier.map { WatchedState($0) }, message: report.userStatus.message)
    }

    @Test("the first line says everything")
    func first() {
        #expect(
            line(Sample.status) == """
                2026-11-21T06:00:00.000Z succeeded synced: active store cloud; copy done; \
                setup succeeded 2026-11-21T06:00:00.000Z; import in progress, began 2026-11-21T05:58:00.000Z; \
                export failed 2026-11-21T04:00:00.000Z (CKErrorDomain 9); 13 pending; account available; \
                network online; last run run 2026-11-21T05:55:00.000Z done; \
                warning walMissing: the local store has no `-wal` file; \
                The last sync succeeded 5 minutes ago.
                """)
    }

    @Test("if only time has passed, no line is printed")
    func unchanged() {
        var later = Sample.status
        later.asOf = later.asOf.advanced(bySeconds: 3600)
        later.local.modifiedAt = later.asOf
        #expect(line(later, after: Sample.status) == nil)
    }

    /// A change, and what the line then says behind the state.
    struct Change: CustomTestStringConvertible, Sendable {
        let words: String
        let make: @Sendable (inout StatusReport) -> Void
        var testDescription: String { words }
    }

    static let changes = [
        Change(words: "active store local") { $0.activeStore = .local },
        Change(words: "active store none") { $0.activeStore = nil },
        Change(words: "copy interrupted") { $0.copy = .interrupted },
        Change(words: "import succeeded 2026-11-21T06:00:00.000Z") { report in
            report.phases[1] = StatusReport.Phase(
                phase: "import", state: "succeeded", startedAt: Sample.now, endedAt: Sample.now)
        },
        Change(words: "setup succeeded 2026-11-21T06:00:01.000Z") {
            $0.phases[0].endedAt = Sample.now.advanced(bySeconds: 1)
        },
        Change(words: "nothing pending") { $0.pendingChanges = [:] },
        Change(words: "1,200 pending") { $0.pendingChanges = ["Workout": 1_200] },
        Change(words: "pending not known") { $0.pendingChanges = nil },
        Change(words: "account not signed in") { $0.sync.availability = .noAccount },
        Change(words: "network offline") { $0.sync.network = .offline },
        Change(words: "last run copy 2026-11-21T05:59:59.000Z failed") {
            $0.lastRuns.insert(Sample.entry("copy", .failed, secondsAgo: 1), at: 0)
        },
        Change(words: "no run any more") { $0.lastRuns = [] },
        Change(words: "notice restartToSync") {
            $0.choice = ActiveStore(role: .cloud, reason: .synced, launched: .local, notice: .restartToSync)
        },
        Change(words: "no warning any more") { $0.warnings = [] },
        Change(words: "warning w: a\\u{1b}b\\u{a}c") { $0.warnings.append(Warning("w", "a\u{1b}b\nc")) },
    ]

    @Test("each change has a line of its own that says it and nothing else", arguments: changes)
    func each(change: Change) {
        var report = Sample.status
        change.make(&report)
        #expect(line(report, after: Sample.status) == "2026-11-21T06:00:00.000Z succeeded synced: \(change.words)")
        #expect(line(report, after: report) == nil)
    }

    @Test("a run at work is reported in steps of ten hundredths, and when it has ended")
    func running() {
        var reports: [StatusReport] = []
        for completed in [0, 1_000, 109_999, 110_000, 119_000, 550_000, 1_100_000, 2_000_000] as [Int64] {
            var report = Sample.status
            report.running = Sample.running
            report.running?.completed = completed
            reports.append(report)
        }
        reports.append(Sample.status)
        let lines = zip([Sample.status] + reports, reports).compactMap { line($1, after: $0) }
        #expect(
            lines.map { String($0.dropFirst("2026-11-21T06:00:00.000Z succeeded synced: ".count)) } == [
                "run at work: copy 0 %", "run at work: copy 10 %", "run at work: copy 50 %", "run at work: copy 100 %",
                "no run at work any more",
            ])
        var unknown = Sample.status
        unknown.running = Sample.running
        unknown.running?.total = nil
        #expect(line(unknown, after: Sample.status)?.hasSuffix(": run at work: copy") == true)
    }

    @Test("a new state of the user comes with its message")
    func user() {
        var report = Sample.status
        report.sync.status = .error
        report.userStatus = StatusReport.UserSync(
            state: "error", message: "iCloud is full.", needsSignIn: false, canRetry: true)
        #expect(
            line(report, after: Sample.status)
                == "2026-11-21T06:00:00.000Z error error: now error error; iCloud is full.")
    }

    @Test("a status that could not be read is one line as well")
    func failure() {
        let error = GodwitError(.status, .busy, "A \u{1b}[2Jstore is in use.\n", hint: "Wait.", underlying: "locked")
        let line = WatchedState.line(at: Sample.now, failure: error)
        #expect(line == "2026-11-21T06:00:00.000Z error 75: A \\u{1b}[2Jstore is in use.\\u{a}: locked")
    }
}
