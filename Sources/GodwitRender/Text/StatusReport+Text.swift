package import GodwitModel

extension StatusReport: ReadableReport {
    /// Stores, copy, sync, pending changes and last runs at a glance, then what to do next.
    package func text(_ style: TextStyle) -> String {
        var page = TextPage(style)
        page.add(TextLine([symbol.painted, Painted("godwit status:", .strong)], "\(app) in \(container)"))
        page.add(clock: clock)
        page.addGap()
        if let error = choice?.error {
            page.add(TextLine(.bad, "The cloud store can't be opened: \(error.message)", .caution))
            page.addGap()
        }
        if let running { page.add("running", running.phrase(times(style)), .pointer) }
        page.add("active", activeStore?.phrase ?? "none: no store exists yet")
        if let environment { page.add("env", "CloudKit \(environment.rawValue)") }
        page.add("copy", copyPhrase, copy == .done ? .plain : .caution)
        page.add("local", local.rows(times(style)))
        page.add("cloud", cloud.rows(times(style)))
        page.add("sync", syncRows(style))
        page.add("pending", pendingPhrase)
        page.addGap()
        addLastRuns(to: &page)
        page.add(warnings: warnings)
        page.add(nextSteps: nextSteps)
        page.trimGap()
        return page.text
    }

    /// The most severe sign of the page; a note if there is no warning but a stage is pending.
    var symbol: Symbol {
        if isSyncBroken || lastRuns.first?.outcome == .failed { return .bad }
        if !warnings.isEmpty || [.interrupted, .flagWithoutReceipt].contains(copy) { return .caution }
        let isDone = copy == .done && pendingChanges?.total == 0 && sync.status == .succeeded
        return isDone ? .good : .item
    }

    var pendingPhrase: String {
        guard let pendingChanges else { return "unknown: the changes that wait for the cloud can't be counted" }
        guard pendingChanges.total == 0 else { return pendingChanges.listedByName }
        return reopenedCopyAt == nil ? "no change waits for the cloud" : "the cloud store has every local record"
    }

    var copyPhrase: String {
        let key = flag.key
        return switch copy {
        case .notDone where reopenedCopyAt != nil:
            "the copy of \(reopenedCopyAt?.readable ?? "") was reopened; the next run copies what was written since"
        case .notDone: "not done; flag \(key) is not set"
        case .notDoneHere: "this device has not copied yet; the receipt in the cloud store is that of another copy"
        case .interrupted: "interrupted: committed, but flag \(key) is not set yet; the next run sets it"
        case .done: "done; flag \(key) is set in \(flag.file)"
        case .flagWithoutReceipt where !cloud.exists: "flag \(key) is set, but the cloud store does not exist"
        case .flagWithoutReceipt: "flag \(key) is set, but the cloud store has no receipt of a copy"
        }
    }

    private func addLastRuns(to page: inout TextPage) {
        guard !lastRuns.isEmpty else {
            page.add(TextLine([], "No run is recorded in the stores.", .faint))
            page.addGap()
            return
        }
        page.add(TextLine([Painted("Last runs", .strong)]))
        let dates = lastRuns.map { times(page.style).phrase($0.startedAt) }
        for line in RunTable(runs: lastRuns, times: dates).lines(indent: 2) { page.add(line) }
        page.addGap()
    }
}

extension TextPage {
    /// Adds a labelled line of a status.
    fileprivate mutating func add(_ label: String, _ text: String, _ paint: Paint = .plain) {
        add(TextLine(indent: 2, [Painted(label, .strong, padded: 8)], text, paint))
    }

    /// Adds labelled lines, the label only on the first.
    fileprivate mutating func add(_ label: String, _ rows: [TextLine]) {
        for (index, row) in rows.enumerated() {
            var labelled = row
            labelled.indent = 2
            labelled.head.insert(Painted(index == 0 ? label : "", .strong, padded: 8), at: 0)
            add(labelled)
        }
    }
}

extension StatusReport.Store {
    /// File, version and age, counts.
    fileprivate func rows(_ times: TimeWords) -> [TextLine] {
        guard exists else { return [.path("\(file) (does not exist)")] }
        return [
            .path(file, .plain),
            TextLine([], facts(times).joined(separator: ", ")),
            TextLine([], counts.total == 0 ? "no records" : counts.listedByName),
        ]
    }

    /// Version, files to apply, age.
    func facts(_ times: TimeWords) -> [String] {
        var facts = [schemaVersion.map { "at \(RunReport.Schema.label($0))" } ?? "without schema history"]
        if pendingMigrations > 0 { facts.append("\(pendingMigrations.counted("schema file")) to apply") }
        if let modifiedAt { facts.append("changed \(times.phrase(modifiedAt))") }
        return facts
    }
}

extension StatusReport.Running {
    /// `copy: 120,000 of 1,100,000 records, began 12 seconds ago`, with the command first if the stage has another
    /// name.
    func phrase(_ times: TimeWords) -> String {
        let work = command == stage.rawValue ? command : "\(command), \(stage.rawValue)"
        let amount = total.map { "\(completed.grouped) of \($0.counted("record"))" } ?? completed.counted("record")
        let (age, overflow) = times.now.seconds.subtractingReportingOverflow(startedAt.seconds)
        let began = times.isAbsolute || overflow ? startedAt.iso8601 : "\(TimePhrase.age(seconds: age)) ago"
        return "\(work): \(amount), began \(began)"
    }
}
