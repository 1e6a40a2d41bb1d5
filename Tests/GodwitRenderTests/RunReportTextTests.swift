import GodwitModel
import GodwitRender
import Testing

/// Whole reports, as a person reads them.
///
/// To change one, read the new text and find it better.
struct RunReportTextTests {
    @Test("a run in which every stage had work to do")
    func fullRun() {
        #expect(
            Sample.fullRun().text(TextStyle()) == """
                godwit run: TrainLog in SampleData/trainlog/container

                ✓ schema   local store adopted at V0001, V0002 applied
                ✓ legacy   8 keys: 3 migrated, 1 defaulted, 1 coerced, 1 local only, 2 unmapped
                    Library/Preferences/com.example.trainlog.plist
                    • migrated  favoriteExercises  → FavoriteExercise.exerciseId; 5 items:
                                                   4 migrated, 1 unsupported
                    • coerced   soundOn            → UserSettings.soundEnabled; string to
                                                   integer
                    • unmapped  launchCount
                    • unmapped  AppleLanguages
                    → 4 FavoriteExercise, 1 UserSettings inserted
                ✓ dedupe   3 duplicates set aside in 2 groups
                    • UserSettings singleton: the newest of 3 stays, under the fixed key
                      kept       0C5A7F7E-91B2-4D35-8E61-2F0D9B7A4C11  2026-11-21 06:00:00 UTC
                      set aside  singleton                             2026-11-20 06:00:00 UTC
                      set aside  F3B0A1D2-4C5E-46F7-98A9-B1C2D3E4F506  no date
                    • FavoriteExercise bench-press: the earliest of 2 stays
                      kept       bench-press  1970-01-01 00:00:00 UTC
                      set aside  bench-press  1970-01-01 00:00:01.500 UTC
                ✓ copy     40 Workout, 600 ExerciseSet → cloud (new store)
                                 local  inserted  in cloud
                    Workout         40        40        40
                    ExerciseSet    600       600       600
                    • flag cloudMigrationDone set in com.example.trainlog.plist
                ✓ verify   12 checks passed

                ! 2 records of Workout are dated in the future; Godwit compares these dates as
                  they are
                  → Check the clock of the device that wrote them; they took part as they are.

                Next
                  → Ship the update: the app reads the cloud store as soon as the flag is set.
                  → Export what is there now:
                      godwit export -o TrainLog.json

                ✓ Done in 412 ms. The app should use the cloud store.

                """)
    }

    @Test("a plan of the same run says what would be done")
    func plan() {
        var report = Sample.fullRun(dryRun: true)
        (report.warnings, report.nextSteps) = ([], [])
        report.dedupe = RunReport.Dedupe()
        report.run.container = "container"
        #expect(
            report.text(TextStyle()) == """
                godwit plan: TrainLog in container: dry run, nothing was changed

                → schema   local store would be adopted at V0001, V0002 applied
                → legacy   8 keys: 3 would be migrated, 1 defaulted, 1 coerced, 1 local only,
                           2 unmapped
                    Library/Preferences/com.example.trainlog.plist
                    • migrated  favoriteExercises  → FavoriteExercise.exerciseId; 5 items:
                                                   4 migrated, 1 unsupported
                    • coerced   soundOn            → UserSettings.soundEnabled; string to
                                                   integer
                    • unmapped  launchCount
                    • unmapped  AppleLanguages
                    → 4 FavoriteExercise, 1 UserSettings would be inserted
                • dedupe   no duplicates
                → copy     would copy 40 Workout, 600 ExerciseSet → cloud (new store)
                                 local  inserted  in cloud
                    Workout         40        40        40
                    ExerciseSet    600       600       600
                    • flag cloudMigrationDone would be set in com.example.trainlog.plist
                ✓ verify   12 checks would pass

                → Planned in 412 ms: a run would make these changes. The app would then use the
                  cloud store.

                """)
    }

    @Test("a copy into a store that another device filled shows each bucket")
    func mergingCopy() {
        var report = Sample.report()
        report.copy = Sample.mergingCopy
        report.copy?.dedupe?.groups.removeLast()
        #expect(
            report.text(TextStyle()) == """
                godwit run: TrainLog in SampleData/trainlog/container

                ✓ copy     1,240 Workout, 18,600 ExerciseSet → cloud (merged)
                    • cloud store: V0002 and V0003 applied (was at V0001)
                    • cloud store: 3 duplicates set aside in 2 groups
                      • UserSettings singleton: the newest of 3 stays, under the fixed key
                        kept       0C5A7F7E-91B2-4D35-8E61-2F0D9B7A4C11  2026-11-21 06:00:00 UTC
                        set aside  singleton                             2026-11-20 06:00:00 UTC
                        set aside  F3B0A1D2-4C5E-46F7-98A9-B1C2D3E4F506  no date
                      • and 1 more group
                                  local  inserted  updated   equal  kept  duplicate  in cloud
                    Workout       1,240       200       15   1,020     5          0     1,300
                    ExerciseSet  18,600     3,000        0  15,598     0          2    19,000
                    ! 3 references in ExerciseSet.workoutId to a record that does not exist
                    • flag cloudMigrationDone set in com.example.trainlog.plist

                ✓ Done in 412 ms.

                """)
    }

    @Test("a run that failed shows what had been done, what failed, and which check")
    func failedRun() {
        var report = Sample.report(.failed)
        report.schema = Sample.schema
        report.copy = RunReport.Copy(outcome: .failed)
        report.verify = RunReport.Verify(checks: [
            RunReport.Verify.Check("integrity.local", .passed, "no damage"),
            RunReport.Verify.Check(
                "everyRecordInCloud.Workout", .failed, "records that the cloud store lacks", count: 2),
            RunReport.Verify.Check("legacyKeys", .skipped, "no receipt"),
        ])
        #expect(
            report.text(TextStyle()) == """
                godwit run: TrainLog in SampleData/trainlog/container

                ✓ schema   local store adopted at V0001, V0002 applied
                ✗ copy     failed; the cloud store is as it was, and the flag was not set
                ✗ verify   1 of 2 checks failed, 1 skipped
                    ✗ everyRecordInCloud.Workout  records that the cloud store lacks (2)
                    • legacyKeys                  no receipt

                ✗ Failed after 412 ms. What is shown as done stays done.

                """)
    }

    @Test("a report without any stage is its header and its outcome")
    func emptyReport() {
        var report = Sample.report(.nothingToDo)
        report.run.durationMilliseconds = nil
        #expect(
            report.text(TextStyle()) == """
                godwit run: TrainLog in SampleData/trainlog/container

                ✓ Nothing to do.

                """)
    }

    @Test(
        "no line is wider than the terminal, except paths, which are not broken",
        arguments: [40, 60, 80, 120], [false, true])
    func widths(width: Int, dryRun: Bool) {
        var report = Sample.fullRun(dryRun: dryRun)
        report.copy = Sample.mergingCopy
        let style = TextStyle(width: width)
        for line in report.text(style).split(separator: "\n") {
            let text = String(line).trimmingSpaces
            let isUnbreakable = text.contains("/") || text.contains("  ")
            #expect(String(line).displayWidth <= width || isUnbreakable, "\(line)")
        }
    }

    @Test("no line ends with a space and no two empty lines follow each other", arguments: [40, 80], [false, true])
    func cleanLines(width: Int, verbose: Bool) {
        var report = Sample.fullRun()
        report.copy = Sample.mergingCopy
        let text = report.text(TextStyle(width: width, verbose: verbose))
        #expect(!text.contains(" \n"))
        #expect(!text.contains("\n\n\n"))
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }

    @Test("the copy line names the entities with records, or all if none has records", arguments: [true, false])
    func emptyEntities(_ hasRecords: Bool) throws {
        var report = Sample.fullRun(dryRun: true)
        if !hasRecords { report.copy?.entities = [] }
        report.copy?.entities += [
            RunReport.Copy.Entity(name: "Note", local: 0), RunReport.Copy.Entity(name: "Tag", local: 0),
        ]
        let words = hasRecords ? "would copy 40 Workout, 600 ExerciseSet → cloud" : "would copy 0 Note, 0 Tag → cloud"
        #expect(report.text(TextStyle(width: 120)).contains(words))
    }

    @Test("the closing line shows the outcome of a run and of a dry run", arguments: closings)
    func closing(outcome: Outcome, run: String, plan: String) {
        let ran = Sample.report(outcome).text(TextStyle())
        let planned = Sample.report(outcome, command: "plan", dryRun: true).text(TextStyle())
        #expect(ran.split(separator: "\n").last.map(String.init) == run)
        #expect(planned.split(separator: "\n").last.map(String.init) == plan)
    }

    static let closings: [(Outcome, String, String)] = [
        (.done, "✓ Done in 412 ms.", "→ Planned in 412 ms: a run would make these changes."),
        (
            .alreadyDone, "✓ Already done, nothing was changed (checked in 412 ms).",
            "✓ Already done: a run would change nothing."
        ),
        (
            .healed, "✓ Completed in 412 ms: all was copied before; the flag is set now.",
            "→ Planned in 412 ms: all was copied before; a run would set the flag."
        ),
        (
            .nothingToDo, "✓ Nothing to do (checked in 412 ms).", "✓ Nothing to do: a run would change nothing."
        ),
        (
            .partial, "! Partly done in 412 ms: some values could not be moved (conflict, unsupported).",
            "! Planned in 412 ms: some values would stay behind (conflict, unsupported)."
        ),
        (.failed, "✗ Failed after 412 ms.", "✗ The dry run failed after 412 ms; a run would fail as well."),
    ]

    @Test("verify has words of its own")
    func verifyCommand() {
        #expect(Sample.report(.done, command: "verify").text(TextStyle()).hasSuffix("\n✓ Verified in 412 ms.\n"))
        let failed = Sample.report(.failed, command: "verify").text(TextStyle())
        #expect(failed.hasSuffix("\n✗ Checks failed after 412 ms. Nothing was changed.\n"))
    }
}

extension String {
    var trimmingSpaces: String { String(drop { $0 == " " }) }
}
