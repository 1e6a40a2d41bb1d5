internal import GodwitModel

/// The stage that an error ended, and the error.
struct StageFailure: Sendable {
    var stage: GodwitError.Stage
    var message: String
}

extension RunReport: PagedReport {
    /// The picture, what changed, then each stage that has something to show.
    func page(_ setting: ReportSetting) -> Page { page(setting, failure: nil) }

    /// The same of a run that an error ended.
    func page(_ setting: ReportSetting, failure: StageFailure?) -> Page {
        let closing = closing
        var page = Page(
            command: "godwit \(run.command)", subject: run.app, place: run.container, symbol: closing.symbol,
            verdict: closing.text)
        page.facts = facts
        page.sections = sections(setting, failure)
        return page
    }

    private var facts: [(name: String, value: String)] {
        var facts = [("Began", run.startedAt.readable)]
        if let clock = run.clock { facts.append(("Clock set to", clock.value)) }
        if let time = run.durationMilliseconds { facts.append(("Took", TimePhrase.duration(milliseconds: time))) }
        facts.append(run.dryRun ? ("Dry run", "nothing was changed") : ("Outcome", outcome.phrase))
        return facts + [("Godwit", run.godwitVersion), ("Run", run.id)]
    }

    private func sections(_ setting: ReportSetting, _ failure: StageFailure?) -> [PageSection] {
        let style = setting.style
        var sections = hasFlow ? [PageSection("pipeline", "Pipeline", picture(setting, failure).markup)] : []
        sections.append(
            PageSection("stages", run.dryRun ? "What would change" : "What changed", stageList(setting, failure)))
        if !nextSteps.isEmpty {
            sections.append(
                PageSection("next", "Next", Markup.notes(nextSteps.map { (.pointer, "\($0)") })))
        }
        if !warnings.isEmpty { sections.append(warnings.section) }
        if let legacy, !legacy.ledger.isEmpty { sections.append(legacy.section(style)) }
        if let dedupe, !dedupe.groups.isEmpty {
            sections.append(dedupe.section("duplicates", "Duplicates", planned: run.dryRun, style))
        }
        if let undo, !undo.stores.isEmpty { sections.append(undo.section(planned: run.dryRun)) }
        if let inCloud = copy?.dedupe, !inCloud.groups.isEmpty {
            sections.append(
                inCloud.section("cloud-duplicates", "Duplicates in the cloud store", planned: run.dryRun, style))
        }
        if let copy, !copy.entities.isEmpty { sections.append(copy.section(planned: run.dryRun)) }
        if let verify, !verify.checks.isEmpty { sections.append(verify.section) }
        if let expectation { sections.append(expectation.section()) }
        if !setting.history.isEmpty { sections.append(HistoryChart(runs: setting.history).section) }
        return sections
    }

    /// Whether the report has a flow to draw: an undo reverses a part of an earlier run, and a run with only checks
    /// moves no data.
    private var hasFlow: Bool {
        undo == nil && rollback == nil && reopen == nil
            && (run.command != "verify" || schema != nil || legacy != nil || dedupe != nil || copy != nil)
    }

    /// Each stage: its sign, its name, its line of the text, and below that what the schema files did.
    private func stageList(_ setting: ReportSetting, _ failure: StageFailure?) -> Markup {
        let stages = stages(setting)
        guard !stages.isEmpty || failure != nil else { return "<p>No stage had begun.</p>\n" }
        var items = stages.map { stage -> Markup in
            let below = stage.name == "schema" ? schema?.appliedList ?? "" : ""
            return """
                <li>\(stage.symbol.mark)<span class="name">\(stage.name)</span>\
                <div class="what">\(stage.headline)\(below)</div></li>

                """
        }
        if let failure {
            items.append(
                """
                <li>\(Symbol.bad.mark)<span class="name">\(failure.stage.rawValue)</span>\
                <div class="what">\(failure.message)</div></li>

                """)
        }
        return "<ol class=\"stages\">\n\(items.joined())</ol>\n"
    }
}

extension RunReport.Schema {
    /// The files that were applied; nothing if there are none.
    fileprivate var appliedList: Markup {
        guard outcome.hasChanges, !applied.isEmpty else { return "" }
        let items = applied.prefix(50).map { migration -> Markup in
            "<li><code>\("\(Self.label(migration.version))  \(migration.name)")</code></li>"
        }
        return "<ul>\(items.joined())</ul>" + Markup.rest(applied.count - items.count, "more file", "more files")
    }
}

extension [Warning] {
    /// The warnings.
    var section: PageSection {
        PageSection(
            "warnings", "Warnings",
            Markup.notes(
                map { warning in
                    let hint: Markup = warning.hint.map { " · <span class=\"muted\">\($0)</span>" } ?? ""
                    return (.caution, "\(warning.positioned)\(hint)")
                }))
    }
}

extension RunReport {
    /// Legacy, local store, cloud store, and the proof.
    func picture(_ setting: ReportSetting, _ failure: StageFailure?) -> PipelinePicture {
        PipelinePicture(
            boxes: [legacyBox, localBox, cloudBox, proofBox],
            flows: [
                PipelinePicture.Flow(
                    name: "legacy", count: legacy.map { $0.inserted.total }, hasFailed: failure?.stage == .legacy),
                PipelinePicture.Flow(
                    name: "copy", count: copy.map(\.moved), hasFailed: failure?.stage == .copy),
                PipelinePicture.Flow(name: "verify", count: nil, hasFailed: failure?.stage == .verify),
            ],
            alternative: "The pipeline: " + alternative(setting)
                + (failure.map { "; \($0.stage.rawValue) failed" } ?? ""))
    }

    private func tone(_ outcome: Outcome?) -> Symbol { outcome?.symbol(planned: run.dryRun) ?? .item }

    private var legacyBox: PipelinePicture.Box {
        var box = PipelinePicture.Box(name: "Legacy", thing: "key", isIdle: legacy == nil)
        guard let legacy else { return box }
        box.file = legacy.sources.first { $0.format != nil }?.path.lastPart
        box.tone = tone(legacy.outcome)
        if legacy.outcome == .alreadyDone {
            box.note = "moved by an earlier run"
            return box
        }
        box.count = legacy.buckets.total
        let behind: [(RunReport.Legacy.KeyOutcome, String)] = [
            (.localOnly, "local only"), (.unmapped, "unmapped"), (.conflict, "in conflict"),
            (.unsupported, "unsupported"),
        ]
        box.left = behind.compactMap { bucket, words in
            legacy.buckets[bucket.rawValue].map { "\($0.grouped) \(words)" }
        }
        return box
    }

    private var localBox: PipelinePicture.Box {
        var box = PipelinePicture.Box(name: "Local store", isIdle: schema == nil && dedupe == nil && copy == nil)
        // After the copy the run writes to the cloud store; what is in these reports is then not of this box.
        let isLocal = schema?.store != .cloud
        if isLocal, let schema {
            box.file = schema.file?.lastPart
            box.note = schema.versions
            box.tone = tone(schema.outcome)
        }
        if let copy, !copy.entities.isEmpty { box.count = copy.entities.reduce(0) { $0 &+ $1.local } }
        if let dedupe, dedupe.store != .cloud, dedupe.removed.total > 0 {
            box.left = ["\(dedupe.removed.total.grouped) set aside"]
        }
        if box.count == nil, box.note == nil { box.note = copy == nil ? nil : "not read again" }
        return box
    }

    private var cloudBox: PipelinePicture.Box {
        var box = PipelinePicture.Box(name: "Cloud store", isIdle: copy == nil && schema?.store != .cloud)
        if schema?.store == .cloud, let schema {
            box.file = schema.file?.lastPart
            box.note = schema.versions
            box.tone = tone(schema.outcome)
        }
        if let copy {
            box.file = box.file ?? copy.schema?.file?.lastPart
            box.tone = tone(copy.outcome)
            if !copy.entities.isEmpty { box.count = copy.entities.reduce(0) { $0 &+ $1.cloudAfter } }
            box.note =
                copy.createdStore
                ? "new store" : copy.schema?.versions ?? box.note ?? (copy.outcome.hasChanges ? "merged" : nil)
            if copy.outcome == .alreadyDone { box.note = "copied by an earlier run" }
        }
        let removed = (copy?.dedupe?.removed.total ?? 0) + (dedupe?.store == .cloud ? dedupe?.removed.total ?? 0 : 0)
        if removed > 0 { box.left = ["\(removed.grouped) set aside"] }
        return box
    }

    private var proofBox: PipelinePicture.Box {
        var box = PipelinePicture.Box(name: "Proof", thing: "check", isIdle: verify == nil)
        guard let verify else { return box }
        let failed = verify.checks.count { $0.verdict == .failed }
        box.tone = failed > 0 || verify.outcome == .failed ? .bad : .good
        if verify.outcome == .alreadyDone {
            box.note = "flag and receipt agree"
            return box
        }
        if verify.unmigrated != nil {
            box.note = "not migrated yet"
            return box
        }
        box.count = Int64(verify.checks.count)
        box.note = failed > 0 ? "\(failed.grouped) failed" : run.dryRun ? "all would pass" : "all passed"
        let skipped = verify.checks.count { $0.verdict == .skipped }
        if skipped > 0, failed == 0 { box.note = "\(skipped.grouped) skipped" }
        return box
    }

    /// The picture in words.
    private func alternative(_ setting: ReportSetting) -> String {
        let stages = stages(setting).filter { $0.name != "backup" }.map { "\($0.name): \($0.headline)" }
        return stages.isEmpty ? "no stage had begun" : stages.joined(separator: "; ").shortened(to: 1_000)
    }
}

extension RunReport.Copy {
    /// Records that went to the cloud store.
    fileprivate var moved: Int64 { entities.reduce(0) { $0 &+ $1.inserted &+ $1.updated } }
}

extension RunReport.Schema {
    /// `V0001 → V0003`, or `at V0003`.
    fileprivate var versions: String? {
        let from = adoptedAt ?? fromVersion
        guard toVersion > 0 else { return nil }
        guard outcome.hasChanges, from != toVersion else { return "at \(Self.label(toVersion))" }
        return from > 0 ? "\(Self.label(from)) → \(Self.label(toVersion))" : "new, at \(Self.label(toVersion))"
    }
}

extension String {
    /// The last name of a path.
    var lastPart: String { split(separator: "/").last.map(String.init) ?? self }
}
