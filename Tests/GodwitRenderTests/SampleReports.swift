import GodwitModel

/// Invented reports that the tests of this target share.
enum Sample {
    static let preferences = "Library/Preferences/com.example.trainlog.plist"
    static let localFile = "Library/Application Support/TrainLog.store"
    static let cloudFile = "Library/Application Support/TrainLogCloud.store"
    static let runID = "6F1D2C3B-0A4E-4B7C-9D21-5E8F7A6B3C10"
    static let now = Instant(seconds: 1_795_240_800)  // 2026-11-21T06:00:00Z

    static func identity(_ command: String = "run", dryRun: Bool = false) -> RunReport.Identity {
        var run = RunReport.Identity(
            id: runID, command: command, app: "TrainLog", container: "SampleData/trainlog/container",
            godwitVersion: "0.1.0", dryRun: dryRun, startedAt: now)
        run.durationMilliseconds = 412
        return run
    }

    static func report(_ outcome: Outcome = .done, command: String = "run", dryRun: Bool = false) -> RunReport {
        RunReport(run: identity(command, dryRun: dryRun), outcome: outcome)
    }

    /// The first launch after an update: every stage had work to do.
    static func fullRun(dryRun: Bool = false) -> RunReport {
        var report = report(.done, command: dryRun ? "plan" : "run", dryRun: dryRun)
        report.activeStore = .cloud
        report.schema = schema
        report.legacy = legacy
        report.dedupe = dedupe
        report.copy = copy
        report.verify = verify
        report.warnings = [
            Warning(
                "clockSkew", "2 records of Workout are dated in the future; Godwit compares these dates as they are",
                hint: "Check the clock of the device that wrote them; they took part as they are.")
        ]
        report.nextSteps = [
            "Ship the update: the app reads the cloud store as soon as the flag is set.",
            "Export what is there now: godwit export -o TrainLog.json",
        ]
        return report
    }

    static var schema: RunReport.Schema {
        RunReport.Schema(
            outcome: .done, store: .local, file: localFile, adoptedAt: 1, fromVersion: 1, toVersion: 2,
            applied: [
                RunReport.Schema.Version(version: 2, name: "settings_and_favorites", checksum: "sha256-v1:5f2c9a0e")
            ])
    }

    static var legacy: RunReport.Legacy {
        RunReport.Legacy(
            outcome: .done,
            sources: [
                RunReport.Legacy.Source(
                    path: preferences, format: .binary, size: 512, sha256: "ab", keyCount: 8, modifiedAt: now)
            ],
            ledger: [
                line("weightUnit", .migrated, into: "UserSettings.weightUnitRaw", from: "pounds", to: "lb"),
                line("appTheme", .migrated, into: "UserSettings.theme"),
                line(
                    "favoriteExercises", .migrated, into: "FavoriteExercise.exerciseId",
                    items: ["migrated": 4, "unsupported": 1]),
                line("soundOn", .coerced, into: "UserSettings.soundEnabled", from: "string 1", to: "integer 1"),
                line("hasSeenTutorial", .localOnly),
                line("launchCount", .unmapped),
                line("AppleLanguages", .unmapped),
                RunReport.Legacy.Key(key: "restTimer", bucket: .defaulted, into: "UserSettings.restTimerSeconds"),
            ],
            inserted: ["UserSettings": 1, "FavoriteExercise": 4])
    }

    static func line(
        _ key: String, _ bucket: RunReport.Legacy.KeyOutcome, into: String? = nil, note: String? = nil,
        from: String? = nil,
        to: String? = nil, items: [String: Int]? = nil
    ) -> RunReport.Legacy.Key {
        RunReport.Legacy.Key(
            key: key, bucket: bucket, source: preferences, into: into, note: note, from: from, to: to, items: items)
    }

    static var dedupe: RunReport.Dedupe {
        RunReport.Dedupe(
            outcome: .done, store: .local,
            groups: [
                RunReport.Dedupe.Group(
                    entity: "UserSettings", key: "singleton",
                    winner: RunReport.Dedupe.Record(key: "0C5A7F7E-91B2-4D35-8E61-2F0D9B7A4C11", modifiedAt: now),
                    losers: [
                        RunReport.Dedupe.Record(key: "singleton", modifiedAt: now.advanced(bySeconds: -86_400)),
                        RunReport.Dedupe.Record(key: "F3B0A1D2-4C5E-46F7-98A9-B1C2D3E4F506", modifiedAt: nil),
                    ], reason: .newest, rekeyed: true),
                RunReport.Dedupe.Group(
                    entity: "FavoriteExercise", key: "bench-press",
                    winner: RunReport.Dedupe.Record(key: "bench-press", modifiedAt: .epoch),
                    losers: [RunReport.Dedupe.Record(key: "bench-press", modifiedAt: Instant(milliseconds: 1_500))],
                    reason: .earliest, rekeyed: false),
            ], groupCount: 2, removed: ["UserSettings": 2, "FavoriteExercise": 1], repointed: 0)
    }

    static var undo: RunReport.Undo {
        var local = RunReport.Undo.Store(store: .local, file: localFile, outcome: .done)
        (local.restored, local.repointed, local.rekeyed) = (["UserSettings": 2, "FavoriteExercise": 1], 4, 1)
        (local.kept, local.addedColumns) = (1, ["UserSettings.theme"])
        var cloud = RunReport.Undo.Store(store: .cloud, file: cloudFile, outcome: .alreadyDone)
        (cloud.carried, cloud.undoneBy) = (3, "0C5A7F7E-91B2-4D35-8E61-2F0D9B7A4C11")
        return RunReport.Undo(outcome: .done, runId: runID, stores: [local, cloud])
    }

    static var copy: RunReport.Copy {
        var workout = RunReport.Copy.Entity(name: "Workout", local: 40)
        (workout.inserted, workout.cloudAfter) = (40, 40)
        var set = RunReport.Copy.Entity(name: "ExerciseSet", local: 600)
        (set.inserted, set.cloudAfter) = (600, 600)
        return RunReport.Copy(
            outcome: .done, createdStore: true, entities: [workout, set],
            flag: RunReport.Flag(file: preferences, key: "cloudMigrationDone", isSet: true))
    }

    /// A copy into a store that another device has filled.
    static var mergingCopy: RunReport.Copy {
        var workout = RunReport.Copy.Entity(name: "Workout", local: 1_240)
        (workout.inserted, workout.updated, workout.equal, workout.cloudKept) = (200, 15, 1_020, 5)
        (workout.cloudBefore, workout.cloudAfter) = (1_100, 1_300)
        var set = RunReport.Copy.Entity(name: "ExerciseSet", local: 18_600)
        (set.inserted, set.equal, set.duplicates) = (3_000, 15_598, 2)
        (set.cloudBefore, set.cloudAfter) = (16_000, 19_000)
        return RunReport.Copy(
            outcome: .done,
            schema: RunReport.Schema(
                outcome: .done, store: .cloud, fromVersion: 1, toVersion: 3,
                applied: [
                    RunReport.Schema.Version(version: 2, name: "settings", checksum: "sha256-v1:00"),
                    RunReport.Schema.Version(version: 3, name: "notes", checksum: "sha256-v1:01"),
                ]), dedupe: dedupe, entities: [workout, set], orphans: ["ExerciseSet.workoutId": 3],
            flag: RunReport.Flag(file: preferences, key: "cloudMigrationDone", isSet: true))
    }

    static var verify: RunReport.Verify {
        RunReport.Verify(
            checks: (1...12).map { RunReport.Verify.Check("check.\($0)", .passed, "looked at \($0)", count: Int64($0)) }
        )
    }

    static let overview = Freshness.Sync(availability: .available, network: .online, status: .succeeded, lastError: nil)

    static func freshness(_ status: Freshness.Status = .pass, reasons: [Freshness.Reason] = []) -> Freshness {
        Freshness(
            status: status, mayBeStale: !reasons.isEmpty, reasons: reasons,
            newestRecordAt: now.advanced(bySeconds: -3_600), lastLocalSaveAt: nil, lastSyncAt: nil, ageSeconds: 3_600,
            criteria: Freshness.Criteria(warnAfter: "12h", errorAfter: "48h"), sync: overview, pendingChanges: 0)
    }

    static func export(file: String? = "exports/TrainLog.json", dryRun: Bool = false) -> ExportReport {
        ExportReport(
            file: file, store: .cloud, source: cloudFile, counts: ["Workout": 40, "ExerciseSet": 600], bytes: 81_234,
            sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", contentVersion: "v1-42",
            freshness: freshness(), dryRun: dryRun)
    }

    /// An older export, packed as JSON lines, restored.
    static var imported: RestoreReport {
        RestoreReport(
            runId: runID, file: "restored/TrainLog.store",
            document: RestoreReport.Document(
                file: "exports/TrainLog.jsonl.gz", layout: .lines, compressed: true, bytes: 187_644, formatVersion: 1,
                app: "TrainLog", schemaVersion: 1, exportedAt: now, exportId: runID),
            schema: RunReport.Schema(
                outcome: .done, file: "restored/TrainLog.store", created: true, fromVersion: 1, toVersion: 3,
                applied: [
                    RunReport.Schema.Version(version: 2, name: "settings", checksum: "sha256-v1:00"),
                    RunReport.Schema.Version(version: 3, name: "notes", checksum: "sha256-v1:01"),
                ]), counts: ["Workout": 40, "ExerciseSet": 600, "UserSettings": 0],
            sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", bytes: 221_184,
            durationMilliseconds: 31)
    }

    static func entry(_ command: String, _ outcome: Outcome, secondsAgo: Int64, error: String? = nil) -> HistoryEntry {
        HistoryEntry(
            id: runID, command: command, startedAt: now.advanced(bySeconds: -secondsAgo), durationMilliseconds: 412,
            outcome: outcome, summary: outcome == .failed ? "" : "40 Workout, 600 ExerciseSet", error: error,
            godwitVersion: "0.1.0")
    }

    static var runs: [HistoryEntry] {
        var slow = entry("migrate", .failed, secondsAgo: 7_200, error: "The disk is full.")
        slow.durationMilliseconds = 61_500
        return [entry("run", .done, secondsAgo: 300), slow, entry("run", .nothingToDo, secondsAgo: 40 * 86_400)]
    }

    static var running: StatusReport.Running {
        StatusReport.Running(
            runId: runID, command: "run", stage: .copy, completed: 120_000, total: 1_100_000,
            startedAt: now.advanced(bySeconds: -12), updatedAt: now)
    }

    static var quotaExceeded: StatusReport.SyncError {
        StatusReport.SyncError(
            phase: "export", at: now.advanced(bySeconds: -7_200), domain: "CKErrorDomain", code: 25,
            name: "quotaExceeded", category: "quota", message: "iCloud is full.", nextStep: "Free space in iCloud.",
            retry: "afterNextStep", needsSignIn: false)
    }

    static var status: StatusReport {
        StatusReport(
            app: "TrainLog", container: "SampleData/trainlog/container", asOf: now, activeStore: .cloud,
            local: StatusReport.Store(
                file: localFile, exists: true, schemaVersion: 2, counts: ["Workout": 40, "ExerciseSet": 600],
                modifiedAt: now.advanced(bySeconds: -300)),
            cloud: StatusReport.Store(
                file: cloudFile, exists: true, schemaVersion: 1, counts: ["Workout": 42, "ExerciseSet": 612],
                modifiedAt: now.advanced(bySeconds: -10), pendingMigrations: 1),
            copy: .done, flag: RunReport.Flag(file: preferences, key: "cloudMigrationDone", isSet: true),
            sync: overview,
            phases: [
                StatusReport.Phase(phase: "setup", state: "succeeded", startedAt: now, endedAt: now),
                StatusReport.Phase(
                    phase: "import", state: "inProgress", startedAt: now.advanced(bySeconds: -120)),
                StatusReport.Phase(
                    phase: "export", state: "failed", startedAt: now, endedAt: now.advanced(bySeconds: -7_200),
                    error: "CKErrorDomain 9"),
            ],
            userStatus: StatusReport.UserSync(
                state: "synced", message: "The last sync succeeded 5 minutes ago.", needsSignIn: false,
                canRetry: false),
            pendingChanges: ["Workout": 1, "ExerciseSet": 12], lastRuns: runs,
            warnings: [Warning("walMissing", "the local store has no `-wal` file")],
            nextSteps: ["Run godwit run to bring the cloud store to V0002."])
    }
}
