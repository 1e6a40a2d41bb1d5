import GodwitModel
import GodwitRender
import Testing

/// What an import says of itself.
struct ImportReportTextTests {
    @Test("an older document that was brought up to date")
    func older() {
        #expect(
            Sample.imported.text(TextStyle()) == """
                ✓ import   600 ExerciseSet, 40 Workout
                    into restored/TrainLog.store
                    from exports/TrainLog.jsonl.gz
                    exported 2026-11-21 06:00:00 UTC from TrainLog, as JSON lines, packed
                    • restored at schema V0001, then V0002, V0003 applied
                    ✓ exported again, the store gives the same records: sha256 9f86d081884c7d65…

                """)
    }

    @Test("a dry run from standard input, with warnings")
    func dryRun() {
        var report = Sample.imported
        (report.dryRun, report.file, report.document.file) = (true, nil, nil)
        (report.document.layout, report.document.compressed, report.schema.applied) = (.document, false, [])
        report.counts = ["Workout": 0]
        report.warnings = [Warning("otherApp", "the export is of the app 'X'", hint: "Check it.")]
        #expect(
            report.text(TextStyle()) == """
                → import   would restore no records
                    into a new store
                    from standard input
                    exported 2026-11-21 06:00:00 UTC from TrainLog
                    • schema at V0003
                    ✓ exported again, the store gives the same records: sha256 9f86d081884c7d65…
                    dry run, nothing was written

                ! the export is of the app 'X'
                  → Check it.

                """)
    }

    @Test("verbose names hash, identifiers, sizes and time in full")
    func verbose() {
        let text = Sample.imported.text(TextStyle(width: 120, verbose: true))
        #expect(text.contains(Sample.imported.sha256))
        #expect(text.contains("187,644 bytes read, 221,184 bytes of store, 31 ms"))
        #expect(text.contains("run \(Sample.imported.runId)"))
    }

    @Test("names in a document can't steer a terminal")
    func hostile() {
        var report = Sample.imported
        report.document.app = "\u{1b}[2J"
        report.counts = ["\u{202E}x": 1]
        let text = report.text(TextStyle())
        #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
    }

    @Test(
        "an export says in which form it is",
        arguments: [
            (ExportReport.Layout.document, false, "81,234 bytes, "), (.document, true, "81,234 bytes of gzip, "),
            (.lines, false, "81,234 bytes of JSON lines, "), (.lines, true, "81,234 bytes of JSON lines in gzip, "),
        ])
    func form(layout: ExportReport.Layout, compressed: Bool, text: String) {
        var report = Sample.export()
        (report.layout, report.compressed) = (layout, compressed)
        #expect(report.text(TextStyle()).contains("    " + text))
    }
}
