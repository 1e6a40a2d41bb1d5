internal import GodwitModel

extension HistoryReport: PagedReport {
    /// The chart and the table.
    func page(_ setting: ReportSetting) -> Page {
        let verdict =
            runs.first.map { "Last run: \($0.command), \($0.outcome.phrase), \($0.startedAt.readable)." }
            ?? "No run is recorded in the stores."
        var page = Page(
            command: "godwit history", subject: app, place: container,
            symbol: runs.first?.outcome.symbol(planned: false) ?? .item, verdict: verdict)
        if let clock { page.facts.append(("Clock set to", clock.value)) }
        if !runs.isEmpty { page.sections = [HistoryChart(runs: runs).wholeSection] }
        return page
    }
}

extension StatusReport: PagedReport {
    /// The stores and what waits between them, the sync, the last runs.
    func page(_ setting: ReportSetting) -> Page {
        var page = Page(
            command: "godwit status", subject: app, place: container, symbol: symbol, verdict: userStatus.message)
        page.hint = userStatus.nextStep
        page.facts = [
            ("As of", asOf.readable), ("Active store", activeStore?.rawValue ?? "none yet"), ("Copy", copyPhrase),
        ]
        if let clock { page.facts.append(("Clock set to", clock.value)) }
        if let running { page.facts.insert(("At work", running.phrase(times(setting.style))), at: 1) }
        page.sections = [
            PageSection("stores", "Stores", picture.markup + storeTable.markup),
            PageSection("sync", "Sync", Markup.notes(syncNotes(setting.style))),
        ]
        if !nextSteps.isEmpty {
            page.sections.append(PageSection("next", "Next", Markup.notes(nextSteps.map { (.pointer, "\($0)") })))
        }
        if !warnings.isEmpty { page.sections.append(warnings.section) }
        let runs = setting.history.isEmpty ? lastRuns : setting.history
        if !runs.isEmpty { page.sections.append(HistoryChart(runs: runs).section) }
        return page
    }

    private var picture: PipelinePicture {
        let pending = pendingChanges?.total
        return PipelinePicture(
            boxes: [box("Local store", local, .local), box("Cloud store", cloud, .cloud)],
            flows: [PipelinePicture.Flow(name: "pending", count: pending)],
            alternative: "Local store: \(local.counts.total.counted("record")); cloud store: "
                + "\(cloud.counts.total.counted("record")); \(pendingPhrase)")
    }

    private func box(_ name: String, _ store: StatusReport.Store, _ role: StoreRole) -> PipelinePicture.Box {
        var box = PipelinePicture.Box(name: name, isIdle: !store.exists)
        box.file = store.file.lastPart
        box.count = store.exists ? store.counts.total : nil
        box.note = store.exists ? store.facts(TimeWords(now: asOf)).first : "does not exist"
        if store.pendingMigrations > 0 { box.left = ["\(store.pendingMigrations.counted("schema file")) to apply"] }
        if activeStore == role {
            box.tone = .good
            box.name += " (active)"
        }
        return box
    }

    private var storeTable: PageTable {
        let names = Set(local.counts.keys).union(cloud.counts.keys).union((pendingChanges ?? [:]).keys).sorted()
        let rows = names.prefix(500).map { name -> [Markup] in
            [
                "\(name)", local.counts[name].map { "\($0.grouped)" } ?? "",
                cloud.counts[name].map { "\($0.grouped)" } ?? "",
                pendingChanges.map { "\(($0[name] ?? 0).grouped)" } ?? "?",
            ]
        }
        return PageTable(
            caption: "Records by entity",
            columns: [.text("Entity"), .number("Local"), .number("Cloud"), .number("Pending")], rows: rows)
    }

    private func syncNotes(_ style: TextStyle) -> [(symbol: Symbol, text: Markup)] {
        var notes: [(symbol: Symbol, text: Markup)] = [(sync.status.symbol, "\(sync.status.phrase)")]
        notes += phases.map { phase in
            let sign: Symbol = phase.state == "failed" ? .bad : phase.state == "succeeded" ? .good : .item
            return (sign, "\(phase.phase): \(phase.phrase(times(style)))")
        }
        notes.append((.item, "account \(sync.availability.phrase), network \(sync.network.rawValue)"))
        if let lastError {
            notes.append((.caution, "\(lastError.phrase(times(style)))"))
            notes.append((.item, "\(lastError.message)"))
            notes.append((.pointer, "\(lastError.nextStep)"))
            if style.verbose { notes.append((.item, "\(lastError.detail)")) }
        } else if let error = sync.lastError {
            notes.append((.caution, "last error \(error)"))
        }
        return notes
    }
}

extension GodwitError: PagedReport {
    /// The error with its hint, then the stages before it.
    func page(_ setting: ReportSetting) -> Page {
        let failure = StageFailure(stage: stage, message: messageWithCause)
        var page =
            report?.page(setting, failure: failure)
            ?? Page(command: "godwit", subject: stage.rawValue, symbol: .bad, verdict: "")
        page.symbol = .bad
        page.verdict = messageWithCause
        page.hint = hint
        page.facts = [("Exit code", "\(code.rawValue)"), ("Stage", stage.rawValue)] + page.facts
        if let position { page.facts.insert(("At", position.text), at: 0) }
        return page
    }
}
