package import GodwitModel

extension StatusReport: ReadableReport {
    /// Stores, copy, sync, pending changes and last runs at a glance, then what to do next.
    package func text(_ style: TextStyle) -> String {
        var page = TextPage(style)
        page.add(TextLine([symbol.painted, Painted("godwit status:", .strong)], "\(app) in \(container)"))
        page.addGap()
        page.add("active", activeStore?.phrase ?? "none: no store is there yet")
        page.add("copy", copyPhrase, copy == .done ? .plain : .caution)
        page.add("local", local.rows(asOf: asOf))
        page.add("cloud", cloud.rows(asOf: asOf))
        page.add("sync", syncRows)
        page.add("pending", pendingPhrase)
        page.addGap()
        addLastRuns(to: &page)
        page.add(warnings: warnings)
        page.add(nextSteps: nextSteps)
        page.trimGap()
        return page.text
    }

    /// The worst of what is shown.
    var symbol: Symbol {
        if sync.status.isBroken || lastRuns.first?.outcome == .failed { return .bad }
        let isCalm = copy == .done && pendingChanges?.total == 0 && warnings.isEmpty && sync.status == .succeeded
        return isCalm ? .good : .caution
    }

    var pendingPhrase: String {
        guard let pendingChanges else { return "what waits for the cloud can't be told" }
        return pendingChanges.total == 0 ? "no change waits for the cloud" : pendingChanges.listedByName
    }

    var copyPhrase: String {
        let key = flag.key
        return switch copy {
        case .notDone: "not done; flag \(key) is not set"
        case .interrupted: "interrupted: committed, but flag \(key) is not set yet; the next run sets it"
        case .done: "done; flag \(key) is set in \(flag.file)"
        case .flagWithoutReceipt: "flag \(key) is set, but the cloud store has no receipt of a copy"
        }
    }

    private var syncRows: [TextLine] {
        let sign: Symbol = sync.status.isBroken ? .bad : sync.status == .succeeded ? .good : .item
        var rows = [TextLine(sign, userStatus.message)]
        if let step = userStatus.nextStep { rows.append(TextLine(.pointer, step)) }
        for phase in phases {
            rows.append(TextLine([Symbol.item.painted, Painted(phase.phase, padded: 6)], phase.phrase(asOf: asOf)))
        }
        rows.append(TextLine(.item, "account \(sync.availability.phrase), network \(sync.network.rawValue)"))
        if let error = sync.lastError { rows.append(TextLine(.caution, "last error \(error)", .caution)) }
        return rows
    }

    private func addLastRuns(to page: inout TextPage) {
        guard !lastRuns.isEmpty else {
            page.add(TextLine([], "No run is recorded yet.", .faint))
            page.addGap()
            return
        }
        page.add(TextLine([Painted("Last runs", .strong)]))
        let times = lastRuns.map { TimePhrase.relative($0.startedAt, asOf: asOf) }
        for line in RunTable(runs: lastRuns, times: times).lines(indent: 2) { page.add(line) }
        page.addGap()
    }
}

extension TextPage {
    /// Adds a labelled line of a status.
    fileprivate mutating func add(_ label: String, _ text: String, _ paint: Paint = .plain) {
        add(TextLine(indent: 2, [Painted(label, .strong, padded: 8)], text, paint))
    }

    /// Adds labelled lines, the label on the first alone.
    fileprivate mutating func add(_ label: String, _ rows: [TextLine]) {
        for (index, row) in rows.enumerated() {
            var labelled = row
            labelled.indent = 2
            labelled.head.insert(Painted(index == 0 ? label : "", .strong, padded: 8), at: 0)
            add(labelled)
        }
    }
}

extension StoreStatus {
    /// File, version and age, counts.
    fileprivate func rows(asOf now: Instant) -> [TextLine] {
        guard exists else { return [.path("\(file) (not there)")] }
        return [
            .path(file, .plain),
            TextLine([], facts(asOf: now).joined(separator: ", ")),
            TextLine([], counts.total == 0 ? "no records" : counts.listedByName),
        ]
    }

    /// Version, files to apply, age.
    func facts(asOf now: Instant) -> [String] {
        var facts = [schemaVersion.map { "at \(SchemaReport.label($0))" } ?? "without schema history"]
        if pendingMigrations > 0 { facts.append("\(pendingMigrations.counted("schema file")) to apply") }
        if let modifiedAt { facts.append("changed \(TimePhrase.relative(modifiedAt, asOf: now))") }
        return facts
    }
}

extension SyncPhaseStatus {
    /// `succeeded 5 minutes ago`, `in progress since …`, `failed 2 hours ago (CKErrorDomain 9)`.
    func phrase(asOf now: Instant) -> String {
        let reason = error.map { " (\($0))" } ?? ""
        switch state {
        case "notStarted": return "not started"
        case "inProgress":
            return "in progress" + (startedAt.map { ", began \(TimePhrase.relative($0, asOf: now))" } ?? "") + reason
        default:
            return state + ((endedAt ?? startedAt).map { " \(TimePhrase.relative($0, asOf: now))" } ?? "") + reason
        }
    }
}

extension AccountAvailability {
    var phrase: String {
        switch self {
        case .available: "available"
        case .noAccount: "not signed in"
        case .restricted: "restricted"
        case .unknown: "unknown"
        }
    }
}
