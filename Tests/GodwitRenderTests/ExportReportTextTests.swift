import GodwitModel
import GodwitRender
import Testing

/// What an export says of itself.
struct ExportReportTextTests {
    @Test("a fresh export")
    func fresh() {
        #expect(
            Sample.export().text(TextStyle()) == """
                ✓ export   600 ExerciseSet, 40 Workout → exports/TrainLog.json
                    from the cloud store, Library/Application Support/TrainLogCloud.store
                    81,234 bytes, sha256 9f86d081884c7d65…
                    ✓ fresh; newest record of 2026-11-21 05:00:00 UTC, 1 hour old

                """)
    }

    @Test("an export that may be stale says why, and what it was measured against")
    func stale() {
        var report = Sample.export(file: nil)
        report.freshness = Sample.freshness(
            .warn,
            reasons: [
                Freshness.Reason(.syncing, "A sync was in progress."),
                Freshness.Reason(.pendingChanges, "4 local changes wait for the cloud."),
            ])
        report.warnings = [Warning("walMissing", "the store has no `-wal` file", hint: "Copy it too.")]
        #expect(
            report.text(TextStyle()) == """
                ✓ export   600 ExerciseSet, 40 Workout → standard output
                    from the cloud store, Library/Application Support/TrainLogCloud.store
                    81,234 bytes, sha256 9f86d081884c7d65…
                    ! may be stale; newest record of 2026-11-21 05:00:00 UTC, 1 hour old
                      • A sync was in progress.
                      • 4 local changes wait for the cloud.
                      warning after 12h, error after 48h

                ! the store has no `-wal` file
                  → Copy it too.

                """)
    }

    @Test("a dry run says so, and verbose shows the whole hash")
    func dryRun() {
        let text = Sample.export(dryRun: true).text(TextStyle(width: 120, verbose: true))
        #expect(text.hasPrefix("→ export   would write 600 ExerciseSet, 40 Workout → exports/TrainLog.json\n"))
        #expect(text.contains("\n    dry run, nothing was written\n"))
        #expect(text.contains("15d6c15b0f00a08\n    content version v1-42\n"))
    }

    @Test(
        "verdicts",
        arguments: [
            (.pass, "✓ fresh"), (.warn, "! may be stale"), (.error, "✗ stale"), (.noData, "! no data"),
            (.notJudged, "• not judged: no limit for its age"),
        ] as [(Freshness.Status, String)])
    func verdict(status: Freshness.Status, words: String) {
        var report = Sample.export()
        report.freshness = Sample.freshness(status)
        #expect(report.text(TextStyle()).contains("\n    \(words); newest record"))
    }

    @Test("an empty export has no newest record, and entities without records are not listed")
    func empty() {
        var report = Sample.export()
        report.counts = ["Workout": 0]
        report.freshness = Sample.freshness(.noData)
        report.freshness.newestRecordAt = nil
        report.freshness.criteria = Freshness.Criteria(warnAfter: nil, errorAfter: nil)
        let text = report.text(TextStyle())
        #expect(text.hasPrefix("✓ export   no records → exports/TrainLog.json\n"))
        #expect(text.hasSuffix("\n    ! no data\n"))
    }
}
