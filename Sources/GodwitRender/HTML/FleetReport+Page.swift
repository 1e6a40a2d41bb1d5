internal import GodwitModel

extension FleetReport: PagedReport {
    /// Maximum number of containers whose findings are shown one by one.
    private static let shown = 100
    /// Containers in the table.
    private static let rows = 1_000

    /// All containers as a table, those that are not as they should be first, then each of these on its own.
    func page(_ setting: ReportSetting) -> Page {
        let bad = containers.filter { !$0.verdict.isDone || $0.warnings != nil }
        var page = Page(
            command: title, subject: app, place: folder, symbol: symbol, verdict: "\(sums).")
        page.facts = [
            ("Began", startedAt.readable), ("Took", TimePhrase.duration(milliseconds: durationMilliseconds)),
            ("Godwit", godwitVersion),
        ]
        if let clock { page.facts.append(("Clock set to", clock.value)) }
        if let shard { page.facts.append(("Shard", "\(shard)")) }
        if let shards { page.facts.append(("Merged from", shards.counted("shard"))) }
        if let fleet { page.facts.append(("Fleet", fleet.containers.counted("container"))) }
        if doneEarlier > 0 { page.facts.append(("Done earlier", doneEarlier.grouped)) }
        page.sections = [PageSection("containers", "Containers", table)]
        if !timings.isEmpty { page.sections.append(PageSection("slowest", "Slowest", slowestTable)) }
        if !nextSteps.isEmpty {
            page.sections.append(
                PageSection("next", "Next", Markup.notes(nextSteps.map { (.pointer, "\($0)") })))
        }
        page.sections += bad.prefix(Self.shown).enumerated().map { number, entry in
            PageSection(
                "container-\(number + 1)", entry.container.shortened(to: 60), lead: words.headline(of: entry),
                entry.body)
        }
        return page
    }

    private var table: Markup {
        let isVerify = words.command == .verify
        // Where not all fit, what is wrong must.
        let all =
            containers.count <= Self.rows
            ? containers : containers.filter { !$0.isFine } + containers.filter(\.isFine)
        let rows = all.prefix(Self.rows).map { entry -> [Markup] in
            let start: [Markup] = [words.symbol(of: entry.verdict).mark, "<code>\(entry.container)</code>"]
            let checks: [Markup] = ["\(entry.passed.grouped)", "\(entry.failed.count.grouped)"]
            return start + (isVerify ? checks : []) + ["\(words.headline(of: entry))"]
        }
        let parts = FleetWords.order.map { verdict -> ShareBar.Part in
            (verdict.color, words.counted(verdict), Int64(clamping: counts[verdict.rawValue] ?? 0))
        }
        let columns: [PageTable.Column] = [.silent("Verdict"), .text("Container")]
        return ShareBar(caption: "Containers", parts: parts).markup
            + PageTable(
                caption: "Containers and their results", width: "wide",
                columns: columns + (isVerify ? [.number("Passed"), .number("Failed")] : []) + [.text("Result")],
                rows: rows
            ).markup + Markup.rest(containers.count - rows.count, "more container", "more containers")
    }

    private var slowestTable: Markup {
        PageTable(
            caption: "The containers that took longest", columns: [.text("Container"), .number("Took")],
            rows: timings.map {
                ["<code>\($0.container)</code>", "\(TimePhrase.duration(milliseconds: $0.durationMilliseconds))"]
            }
        ).markup
    }
}

extension FleetVerdict {
    /// Its color in the bar.
    fileprivate var color: Int {
        switch self {
        case .passed, .completed: 1
        case .unchanged: 2
        case .partial, .unreadable: 5
        case .failed: 6
        }
    }
}

extension FleetEntry {
    /// The problems of the container.
    fileprivate var body: Markup {
        var notes: [(symbol: Symbol, text: Markup)] = failed.map {
            (.bad, "<code>\($0.name)</code> \($0.detail)")
        }
        notes += (warnings ?? []).map { warning in
            let hint: Markup = warning.hint.map { " · <span class=\"muted\">\($0)</span>" } ?? ""
            return (.caution, "\(warning.positioned)\(hint)")
        }
        if let error {
            let hint: Markup = error.hint.map { " · <span class=\"muted\">\($0)</span>" } ?? ""
            notes.append((verdict == .failed ? .bad : .caution, "\(error.message) (\(Int(error.code)))\(hint)"))
        }
        return (notes.isEmpty ? "" : Markup.notes(notes)) + (expectation?.difference ?? "")
    }
}
