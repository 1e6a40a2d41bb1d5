import GodwitModel
import GodwitRender
import Testing

/// The line of each stage for each outcome, in a run and in a plan.
struct StageTextTests {
    /// The first line of a stage.
    private func headline(dryRun: Bool, _ fill: (inout RunReport) -> Void) -> String? {
        var report = Sample.report(.done, dryRun: dryRun)
        fill(&report)
        return report.text(TextStyle(width: 200)).split(separator: "\n").dropFirst().first.map(String.init)
    }

    @Test("schema", arguments: schemaLines)
    func schema(outcome: Outcome, run: String, plan: String) {
        var schema = Sample.schema
        schema.outcome = outcome
        #expect(headline(dryRun: false) { $0.schema = schema } == run)
        #expect(headline(dryRun: true) { $0.schema = schema } == plan)
    }

    static let schemaLines: [(Outcome, String, String)] = [
        (
            .done, "✓ schema   local store adopted at V0001, V0002 applied",
            "→ schema   local store would be adopted at V0001, V0002 applied"
        ),
        (
            .healed, "✓ schema   completed: local store adopted at V0001, V0002 applied",
            "→ schema   would be completed: local store would be adopted at V0001, V0002 applied"
        ),
        (
            .partial, "! schema   local store adopted at V0001, V0002 applied",
            "! schema   local store would be adopted at V0001, V0002 applied"
        ),
        (
            .alreadyDone, "✓ schema   local store is at V0002 already",
            "✓ schema   local store is at V0002 already"
        ),
        (
            .nothingToDo, "• schema   local store is at V0002 already",
            "• schema   local store is at V0002 already"
        ),
        (
            .failed, "✗ schema   failed; nothing of this stage was committed",
            "✗ schema   failed; nothing of this stage was committed"
        ),
    ]

    @Test("schema: a new store, a long way up, and no store at all")
    func schemaShapes() {
        let applied = (2...7).map { RunReport.Schema.Version(version: $0, name: "step", checksum: "sha256-v1:00") }
        let created = RunReport.Schema(outcome: .done, store: .cloud, created: true, toVersion: 7, applied: applied)
        #expect(
            headline(dryRun: false) { $0.schema = created } == "✓ schema   cloud store created, V0002 to V0007 applied")
        let raised = RunReport.Schema(outcome: .done, store: .local, fromVersion: 1, toVersion: 7, applied: applied)
        #expect(
            headline(dryRun: true) { $0.schema = raised }
                == "→ schema   local store: V0002 to V0007 would be applied (was at V0001)")
        let adopted = RunReport.Schema(outcome: .done, store: .local, adoptedAt: 12, fromVersion: 12, toVersion: 12)
        #expect(headline(dryRun: false) { $0.schema = adopted } == "✓ schema   local store adopted at V0012")
        #expect(headline(dryRun: false) { $0.schema = RunReport.Schema() } == "• schema   no store to bring up to date")
        let bare = RunReport.Schema(outcome: .done, store: .local, toVersion: 12345)
        #expect(headline(dryRun: false) { $0.schema = bare } == "✓ schema   local store is at V12345")
    }

    @Test("legacy", arguments: legacyLines)
    func legacy(outcome: Outcome, run: String, plan: String) {
        let ledger = [
            Sample.line("a", .migrated), Sample.line("b", .alreadyPresent), Sample.line("c", .conflict),
        ]
        let legacy = RunReport.Legacy(outcome: outcome, ledger: ledger)
        #expect(headline(dryRun: false) { $0.legacy = legacy } == run)
        #expect(headline(dryRun: true) { $0.legacy = legacy } == plan)
    }

    static let legacyLines: [(Outcome, String, String)] = [
        (
            .done, "✓ legacy   3 keys: 1 migrated, 1 already present, 1 in conflict",
            "→ legacy   3 keys: 1 would be migrated, 1 already present, 1 in conflict"
        ),
        (
            .partial, "! legacy   3 keys: 1 migrated, 1 already present, 1 in conflict",
            "! legacy   3 keys: 1 would be migrated, 1 already present, 1 in conflict"
        ),
        (
            .healed, "✓ legacy   completed; 3 keys: 1 migrated, 1 already present, 1 in conflict",
            "→ legacy   would be completed; 3 keys: 1 migrated, 1 already present, 1 in conflict"
        ),
        (
            .alreadyDone, "✓ legacy   already imported; the preferences files stay unchanged",
            "✓ legacy   already imported; the preferences files stay unchanged"
        ),
        (
            .nothingToDo, "• legacy   nothing to move; 3 keys: 1 migrated, 1 already present, 1 in conflict",
            "• legacy   nothing to move; 3 keys: 1 migrated, 1 already present, 1 in conflict"
        ),
        (
            .failed, "✗ legacy   failed; nothing of this stage was committed",
            "✗ legacy   failed; nothing of this stage was committed"
        ),
    ]

    @Test("legacy: a missing file and an empty one have different lines")
    func legacyWithoutKeys() {
        #expect(headline(dryRun: false) { $0.legacy = RunReport.Legacy() } == "• legacy   no preferences file found")
        let empty = RunReport.Legacy(sources: [RunReport.Legacy.Source(path: Sample.preferences, format: .xml)])
        #expect(headline(dryRun: false) { $0.legacy = empty } == "• legacy   no legacy keys")
    }

    @Test("legacy: an import that is done names the values that it left behind, if there are any")
    func legacyLeftBehind() throws {
        var legacy = RunReport.Legacy(outcome: .alreadyDone)
        let kept = "✓ legacy   already imported; the preferences files stay unchanged"
        legacy.earlier = RunReport.Legacy.Earlier(completedAt: Sample.now, buckets: ["migrated": 3])
        #expect(headline(dryRun: false) { $0.legacy = legacy } == kept)
        legacy.earlier?.buckets = ["migrated": 3, "conflict": 1, "unsupported": 1]
        let words = try #require(headline(dryRun: false) { $0.legacy = legacy })
        #expect(words.hasPrefix("✓ legacy   already imported; the import of 20"))
        #expect(words.hasSuffix(" UTC left 2 values behind (conflict, unsupported)"))
    }

    @Test("a copy after a reopen that finds no newer record says so instead of listing zeros")
    func copyWithoutNewerRecords() throws {
        var copy = Sample.copy
        copy.since = Sample.now
        for index in copy.entities.indices { copy.entities[index].local = 0 }
        let words = try #require(headline(dryRun: true) { $0.copy = copy })
        #expect(words.hasPrefix("→ copy     no local record is newer than the copy of 20"))
        #expect(!words.contains("Workout"))
    }

    @Test("dedupe", arguments: dedupeLines)
    func dedupe(outcome: Outcome, run: String, plan: String) {
        var dedupe = Sample.dedupe
        (dedupe.outcome, dedupe.repointed) = (outcome, 4)
        #expect(headline(dryRun: false) { $0.dedupe = dedupe } == run)
        #expect(headline(dryRun: true) { $0.dedupe = dedupe } == plan)
    }

    static let dedupeLines: [(Outcome, String, String)] = [
        (
            .done, "✓ dedupe   3 duplicates set aside in 2 groups, 4 references moved to the winner",
            "→ dedupe   3 duplicates would be set aside in 2 groups, 4 references would be moved to the winner"
        ),
        (
            .partial, "! dedupe   3 duplicates set aside in 2 groups, 4 references moved to the winner",
            "! dedupe   3 duplicates would be set aside in 2 groups, 4 references would be moved to the winner"
        ),
        (
            .healed, "✓ dedupe   completed: 3 duplicates set aside in 2 groups, 4 references moved to the winner",
            "→ dedupe   would be completed: 3 duplicates set aside in 2 groups, 4 references moved to the winner"
        ),
        (
            .alreadyDone, "✓ dedupe   already done by an earlier run", "✓ dedupe   already done by an earlier run"
        ),
        (.nothingToDo, "• dedupe   no duplicates", "• dedupe   no duplicates"),
        (
            .failed, "✗ dedupe   failed; nothing of this stage was committed",
            "✗ dedupe   failed; nothing of this stage was committed"
        ),
    ]

    @Test("dedupe: a single record that gets the fixed key is not a duplicate")
    func dedupeRekeyed() {
        let lone = RunReport.Dedupe.Group(
            entity: "UserSettings", key: "singleton", winner: RunReport.Dedupe.Record(key: "A", modifiedAt: nil),
            losers: [],
            reason: .onlyOne, rekeyed: true)
        var dedupe = RunReport.Dedupe(outcome: .done, store: .local, groups: [lone], groupCount: 1)
        #expect(
            headline(dryRun: false) { $0.dedupe = dedupe } == "✓ dedupe   no duplicates, 1 record given its fixed key")
        (dedupe.groups, dedupe.groupCount, dedupe.removed) = ([lone, lone, lone], 4, ["Workout": 1])
        #expect(
            headline(dryRun: false) { $0.dedupe = dedupe }
                == "✓ dedupe   1 duplicate set aside in 1 group, 3 records given their fixed keys")
    }

    @Test("copy", arguments: copyLines)
    func copy(outcome: Outcome, run: String, plan: String) {
        var copy = Sample.copy
        copy.outcome = outcome
        #expect(headline(dryRun: false) { $0.copy = copy } == run)
        #expect(headline(dryRun: true) { $0.copy = copy } == plan)
    }

    static let copyLines: [(Outcome, String, String)] = [
        (
            .done, "✓ copy     40 Workout, 600 ExerciseSet → cloud (new store)",
            "→ copy     would copy 40 Workout, 600 ExerciseSet → cloud (new store)"
        ),
        (
            .partial, "! copy     40 Workout, 600 ExerciseSet → cloud (new store)",
            "! copy     would copy 40 Workout, 600 ExerciseSet → cloud (new store)"
        ),
        (
            .healed, "✓ copy     copied by an earlier run; only its completion flag was missing",
            "→ copy     copied by an earlier run; only its completion flag is missing"
        ),
        (
            .alreadyDone, "✓ copy     already done: the flag cloudMigrationDone is set",
            "✓ copy     already done: the flag cloudMigrationDone is set"
        ),
        (.nothingToDo, "• copy     nothing to copy", "• copy     nothing to copy"),
        (
            .failed, "✗ copy     failed; the cloud store is as it was, and the flag was not set",
            "✗ copy     failed; the cloud store is as it was, and the flag was not set"
        ),
    ]

    @Test("verify", arguments: verifyLines)
    func verify(outcome: Outcome, run: String, plan: String) {
        var verify = Sample.verify
        verify.outcome = outcome
        #expect(headline(dryRun: false) { $0.verify = verify } == run)
        #expect(headline(dryRun: true) { $0.verify = verify } == plan)
    }

    static let verifyLines: [(Outcome, String, String)] = [
        (.done, "✓ verify   12 checks passed", "✓ verify   12 checks would pass"),
        (.partial, "! verify   12 checks passed", "! verify   12 checks would pass"),
        (.healed, "✓ verify   12 checks passed", "✓ verify   12 checks would pass"),
        (
            .alreadyDone, "✓ verify   flag and receipt agree; `godwit verify` makes every check",
            "✓ verify   flag and receipt agree; `godwit verify` makes every check"
        ),
        (.nothingToDo, "• verify   nothing to check", "• verify   nothing to check"),
        (
            .failed, "✗ verify   failed before the checks were complete",
            "✗ verify   failed before the checks were complete"
        ),
    ]

    @Test("verify: one check is not 1 checks, and a failing check outweighs an outcome of done")
    func verifyNumbers() {
        let one = RunReport.Verify(checks: [RunReport.Verify.Check("a", .passed, "")])
        #expect(headline(dryRun: false) { $0.verify = one } == "✓ verify   1 check passed")
        var torn = RunReport.Verify(checks: [
            RunReport.Verify.Check("a", .failed, "x"), RunReport.Verify.Check("b", .skipped, ""),
        ])
        torn.outcome = .done
        #expect(headline(dryRun: false) { $0.verify = torn } == "✗ verify   1 of 1 check failed, 1 skipped")
        #expect(headline(dryRun: true) { $0.verify = torn } == "✗ verify   1 of 1 check would fail, 1 skipped")
    }

    @Test(
        "the number of a check is shown if its sentence does not have it",
        arguments: [
            (
                "all 12,040 local records are in the cloud store", 12_040,
                "all 12,040 local records are in the cloud store"
            ),
            ("the one local record is in the cloud store", 1, "the one local record is in the cloud store"),
            ("no foreign key of the store is broken", 0, "no foreign key of the store is broken"),
            ("cloud records that have other values", 1_200, "cloud records that have other values (1,200)"),
        ] as [(String, Int64, String)])
    func verifyCounts(detail: String, count: Int64, shown: String) {
        let report = RunReport.Verify(checks: [RunReport.Verify.Check("a", .passed, detail, count: count)])
        var whole = RunReport(run: Sample.identity("verify"))
        whole.verify = report
        #expect(whole.text(TextStyle(width: 120, verbose: true)).contains("✓ a  \(shown)\n"))
    }

    @Test("the verify headline of a container that no run has changed says so, and counts no checks")
    func unmigrated() {
        let words = "nothing has been migrated yet; a run would copy 3 records; no more"
        let report = RunReport.Verify(
            checks: [
                RunReport.Verify.Check("integrity.local", .passed, ""),
                RunReport.Verify.Check("migrated", .failed, words),
            ])
        #expect(headline(dryRun: false) { $0.verify = report } == "✗ verify   nothing has been migrated yet")
        var whole = RunReport(run: Sample.identity("verify"))
        (whole.verify, whole.outcome) = (report, .failed)
        #expect(whole.text(TextStyle()).contains("\n    → a run would copy 3 records; no more\n"))
        #expect(!whole.text(TextStyle()).contains("checks"))
    }

    @Test(
        "a sentence says what users did in the cloud store",
        arguments: [
            (1, 0, "Note: 1 record was deleted in the cloud store since the copy"),
            (0, 2, "Note: 2 records were edited in the cloud store since the copy"),
            (
                1_200, 1,
                "Note: 1,200 records were deleted and 1 record was edited in the cloud store since the copy"
            ),
        ] as [(Int64, Int64, String)])
    func changedInCloud(deleted: Int64, edited: Int64, words: String) {
        #expect(RunReport.Verify.Changes(entity: "Note", deleted: deleted, edited: edited).sentence == words)
    }
}
