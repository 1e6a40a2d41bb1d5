import GodwitModel
import GodwitRender
import Testing

/// The state of a container, and what was run on it.
struct StatusReportTextTests {
    @Test("a status with everything in it")
    func full() {
        #expect(
            Sample.status.text(TextStyle()) == """
                ! godwit status: TrainLog in SampleData/trainlog/container

                  active   cloud store
                  copy     done; flag cloudMigrationDone is set in
                           Library/Preferences/com.example.trainlog.plist
                  local    Library/Application Support/TrainLog.store
                           at V0002, changed 5 minutes ago
                           600 ExerciseSet, 40 Workout
                  cloud    Library/Application Support/TrainLogCloud.store
                           at V0001, 1 schema file to apply, changed just now
                           612 ExerciseSet, 42 Workout
                  sync     ✓ import and export succeeded
                           • The last sync succeeded 5 minutes ago.
                           • setup  succeeded just now
                           • import in progress, began 2 minutes ago
                           • export failed 2 hours ago (CKErrorDomain 9)
                           • account available, network online
                  pending  12 ExerciseSet, 1 Workout

                Last runs
                  ✓ 5 minutes ago  run         412 ms  40 Workout, 600 ExerciseSet
                  ✗ 2 hours ago    migrate  1 min 1 s  failed: The disk is full.
                  • 2026-10-12     run         412 ms  nothing to do: 40 Workout,
                                                       600 ExerciseSet

                ! the local store has no `-wal` file

                Next
                  → Run godwit run to bring the cloud store to V0002.

                """)
    }

    @Test("a cloud store that can't be opened comes first, and is bad")
    func fallback() {
        var status = Sample.status
        status.choice = ActiveStore(
            role: .local, reason: .cloudFails, error: ActiveStore.Failure(GodwitError(.container, .data, "It is torn."))
        )
        status.environment = .production
        let lines = status.text(TextStyle()).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasPrefix("✗ godwit status:"))
        #expect(lines[2].contains("The cloud store can't be opened: It is torn."))
        #expect(lines.contains { $0.hasSuffix("env      CloudKit production") })
    }

    /// A container in which nothing was ever run.
    static var untouched: StatusReport {
        StatusReport(
            app: "TrainLog", container: "container", asOf: Sample.now, activeStore: nil,
            local: StatusReport.Store(file: Sample.localFile, exists: false),
            cloud: StatusReport.Store(file: Sample.cloudFile, exists: true), copy: .notDone,
            flag: RunReport.Flag(file: Sample.preferences, key: "cloudMigrationDone", isSet: false),
            sync: Freshness.Sync(availability: .noAccount, network: .unknown, status: .notStarted, lastError: nil),
            phases: [StatusReport.Phase(phase: "setup", state: "notStarted")],
            userStatus: StatusReport.UserSync(
                state: "notConfigured", message: "Sync is not set up.", nextStep: "Sign in to iCloud.",
                needsSignIn: true, canRetry: false), pendingChanges: [:], lastRuns: [])
    }

    @Test("a container in which nothing was ever run")
    func empty() {
        #expect(
            Self.untouched.text(TextStyle()) == """
                • godwit status: TrainLog in container

                  active   none: no store exists yet
                  copy     not done; flag cloudMigrationDone is not set
                  local    Library/Application Support/TrainLog.store (does not exist)
                  cloud    Library/Application Support/TrainLogCloud.store
                           without schema history
                           no records
                  sync     • not started
                           • Sync is not set up.
                           → Sign in to iCloud.
                           • setup  not started
                           • account not signed in, network unknown
                  pending  no change waits for the cloud

                No run is recorded in the stores.

                """)
    }

    @Test(
        "the sign is that of the worst thing shown",
        arguments: [
            (.succeeded, .done, "✓"), (.inProgress, .done, "•"), (.succeeded, .interrupted, "!"), (.error, .done, "✗"),
            (.notSyncing, .done, "✗"), (.unknown, .notDone, "✗"),
        ] as [(Freshness.Sync.Status, StatusReport.CopyState, Character)])
    func symbol(summary: Freshness.Sync.Status, copy: StatusReport.CopyState, sign: Character) {
        var status = Self.untouched
        (status.sync.status, status.copy) = (summary, copy)
        #expect(status.text(TextStyle()).first == sign)
    }

    @Test("a failed last run is worse than a warning")
    func failedRun() {
        var status = Self.untouched
        (status.sync.status, status.copy) = (.succeeded, .done)
        status.warnings = [
            Warning("clockSkew", "A record is dated in the future; Godwit compares these dates as they are")
        ]
        #expect(status.text(TextStyle()).first == "!")
        status.lastRuns = [Sample.entry("run", .failed, secondsAgo: 1)]
        #expect(status.text(TextStyle()).first == "✗")
    }

    @Test(
        "copy states",
        arguments: [
            (.notDone, "not done; flag f is not set"),
            (.interrupted, "interrupted: committed, but flag f is not set yet; the next run sets it"),
            (.done, "done; flag f is set in p"),
            (.flagWithoutReceipt, "flag f is set, but the cloud store has no receipt of a copy"),
        ] as [(StatusReport.CopyState, String)])
    func copyState(state: StatusReport.CopyState, words: String) {
        var status = Self.untouched
        status.copy = state
        status.flag = RunReport.Flag(file: "p", key: "f", isSet: true)
        #expect(status.text(TextStyle(width: 100)).contains("\n  copy     \(words)\n"))
    }

    @Test("a reopened copy is not called undone, and the cloud store has its records")
    func reopenedCopy() {
        var status = Self.untouched
        status.reopenedCopyAt = Instant(seconds: 0, attoseconds: 0)
        let text = status.text(TextStyle(width: 120))
        #expect(
            text.contains(
                "\n  copy     the copy of 1970-01-01 00:00:00 UTC was reopened; "
                    + "the next run copies what was written since\n"))
        #expect(text.contains("\n  pending  the cloud store has every local record\n"))
    }

    @Test("the last error of the sync is shown")
    func lastError() {
        var status = Self.untouched
        status.sync.lastError = "CKErrorDomain 25"
        #expect(status.text(TextStyle()).contains("           ! last error CKErrorDomain 25\n"))
    }

    @Test("a failure is always shown, and counts for the summary only while the network is available")
    func failureWithoutNetwork() {
        var status = Self.untouched
        (status.sync.status, status.sync.network) = (.unknown, .unknown)
        #expect(status.text(TextStyle()).contains("nothing failed"))
        let failed = Sample.status.phases.first { $0.error != nil }
        status.phases = [failed].compactMap(\.self)
        #expect(!status.phases.isEmpty)
        let text = status.text(TextStyle(width: 120))
        #expect(!text.contains("nothing failed"))
        #expect(text.contains("something failed, and the state of the network is unknown"))
    }

    @Test("the last error is explained, unless the text for the user says the same")
    func explainedError() {
        var status = Self.untouched
        (status.sync.lastError, status.lastError) = ("CKErrorDomain 25", Sample.quotaExceeded)
        let lines = """
                       ! last error CKErrorDomain 25: export failed 2 hours ago
                       • iCloud is full.
                       → Free space in iCloud.

            """
        let detail = "domain CKErrorDomain, code 25 (quotaExceeded), category quota, repeat it after the next step"
        #expect(status.text(TextStyle()).contains(lines))
        #expect(!status.text(TextStyle()).contains("category"))
        #expect(status.text(TextStyle(width: 120, verbose: true)).contains("           • \(detail)\n"))
        (status.userStatus.message, status.userStatus.nextStep) = ("iCloud is full.", "Free space in iCloud.")
        let text = status.text(TextStyle())
        #expect(text.ranges(of: "iCloud is full.").count == 1)
        #expect(text.ranges(of: "Free space in iCloud.").count == 1)
    }

    @Test("a run at work is shown first")
    func running() {
        var status = Self.untouched
        status.running = Sample.running
        #expect(
            status.text(TextStyle()).hasPrefix(
                """
                • godwit status: TrainLog in container

                  running  run, copy: 120,000 of 1,100,000 records, began 12 seconds ago
                  active   none

                """.dropLast(1)))
        status.running?.command = "copy"
        status.running?.total = nil
        status.running?.completed = 1
        #expect(status.text(TextStyle()).contains("  running  copy: 1 record, began 12 seconds ago\n"))
        let absolute = status.text(TextStyle(absolute: true))
        #expect(absolute.contains("  running  copy: 1 record, began 2026-11-21T05:59:48.000Z\n"))
    }

    @Test("each summary has its sign, and the sign its colour", arguments: Freshness.Sync.Status.allCases)
    func summaries(_ summary: Freshness.Sync.Status) throws {
        var status = Self.untouched
        status.sync.status = summary
        let row = try #require(
            status.text(TextStyle(color: true)).split(separator: "\n").first { $0.contains("sync    ") })
        let colour =
            switch summary {
            case .succeeded: "\u{1b}[32m✓\u{1b}[0m \u{1b}[32m"
            case .error, .notSyncing, .unknown: "\u{1b}[31m✗\u{1b}[0m \u{1b}[31m"
            case .noNetwork, .accountNotAvailable: "\u{1b}[33m!\u{1b}[0m \u{1b}[33m"
            case .notStarted, .inProgress: "\u{1b}[2m•\u{1b}[0m \u{1b}[2m"
            }
        #expect(row.contains(colour + summary.phrase + "\u{1b}[0m"), "\(row)")
    }

    @Test("with absolute times no time is shown as an age, and each as ISO 8601")
    func absoluteTimes() {
        var status = Sample.status
        status.lastError = Sample.quotaExceeded
        status.userStatus.message = "The last sync succeeded."
        let text = status.text(TextStyle(width: 120, absolute: true))
        #expect(!text.contains(" ago") && !text.contains("just now"))
        for part in [
            "at V0002, changed 2026-11-21T05:55:00.000Z", "import in progress, began 2026-11-21T05:58:00.000Z",
            "export failed 2026-11-21T04:00:00.000Z (CKErrorDomain 9)", "✓ 2026-11-21T05:55:00.000Z  run",
            "last error CKErrorDomain 25: export failed 2026-11-21T04:00:00.000Z", "• 2026-10-12T06:00:00.000Z  run",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test("history lists runs with their identifiers")
    func history() {
        let history = HistoryReport(app: "TrainLog", container: "container", runs: Sample.runs)
        #expect(
            history.text(TextStyle()) == """
                godwit history: TrainLog in container

                ✓ 2026-11-21 05:55:00 UTC  run         412 ms  40 Workout, 600 ExerciseSet
                  6F1D2C3B-0A4E-4B7C-9D21-5E8F7A6B3C10
                ✗ 2026-11-21 04:00:00 UTC  migrate  1 min 1 s  failed: The disk is full.
                  6F1D2C3B-0A4E-4B7C-9D21-5E8F7A6B3C10
                • 2026-10-12 06:00:00 UTC  run         412 ms  nothing to do: 40 Workout,
                                                               600 ExerciseSet
                  6F1D2C3B-0A4E-4B7C-9D21-5E8F7A6B3C10

                """)
        var failed = Sample.runs[1]
        failed.summary = "2 duplicates set aside"
        let text = HistoryReport(app: "A", container: "c", runs: [failed]).text(TextStyle(width: 200))
        #expect(text.contains("failed: The disk is full; before that: 2 duplicates set aside"))
        #expect(history.text(TextStyle(verbose: true)).contains("\(Sample.runID), godwit 0.1.0\n"))
    }

    @Test("a history without runs")
    func emptyHistory() {
        let text = HistoryReport(app: "TrainLog", container: "container", runs: []).text(TextStyle())
        #expect(text == "godwit history: TrainLog in container\n\nNo run is recorded in the stores.\n")
    }
}
