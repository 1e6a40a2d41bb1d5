import GodwitModel
import GodwitRender
import Testing

/// What an undo says of itself.
struct UndoTextTests {
    private func lines(_ undo: RunReport.Undo, dryRun: Bool = false) -> [String] {
        var report = Sample.report(undo.outcome, command: "dedupe", dryRun: dryRun)
        report.undo = undo
        return report.text(TextStyle(width: 200)).split(separator: "\n").dropFirst().map(String.init)
    }

    @Test("what came back, store by store; a store that was done before is not listed")
    func done() {
        let text = lines(Sample.undo)
        #expect(
            text.prefix(2) == [
                "✓ dedupe   3 duplicates of run 6F1D2C3B put back",
                "    • local store: 1 FavoriteExercise, 2 UserSettings, 4 references moved back, 1 record given its own key again, 1 later change kept",
            ])
        #expect(text.last == "✓ Done in 412 ms.")
    }

    @Test("a dry run says what would come back")
    func planned() {
        #expect(
            lines(Sample.undo, dryRun: true).prefix(2) == [
                "→ dedupe   3 duplicates of run 6F1D2C3B would be put back",
                "    • local store: 1 FavoriteExercise, 2 UserSettings, 4 references would be moved back, 1 record would be given its own key again, 1 later change would be kept",
            ])
    }

    @Test("undone already, nothing set aside, and failed")
    func others() {
        var undo = Sample.undo
        (undo.outcome, undo.stores) = (.alreadyDone, [Sample.undo.stores[1]])
        #expect(lines(undo).first == "✓ dedupe   run 6F1D2C3B is undone already by run 0C5A7F7E")
        #expect(lines(RunReport.Undo(runId: Sample.runID)).first == "• dedupe   nothing of run 6F1D2C3B is set aside")
        #expect(lines(RunReport.Undo()).first == "• dedupe   nothing of any run is set aside")
        undo.outcome = .failed
        #expect(lines(undo).first == "✗ dedupe   failed; nothing of this stage was committed")
    }

    @Test("one record is in the singular, and a record that got its own key back needs no duplicate")
    func singular() {
        var store = RunReport.Undo.Store(store: .cloud, file: "C", outcome: .done)
        (store.repointed, store.rekeyed) = (1, 1)
        #expect(
            lines(RunReport.Undo(outcome: .done, runId: "R", stores: [store])).prefix(2) == [
                "✓ dedupe   0 duplicates of run R put back",
                "    • cloud store: 1 reference moved back, 1 record given its own key again",
            ])
    }
}
