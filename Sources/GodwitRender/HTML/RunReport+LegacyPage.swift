internal import GodwitModel

extension RunReport.Legacy {
    /// Lines listed of one bucket before the rest is only counted.
    private static let listed = 200

    /// The buckets as a bar, then each key: what needs a look first.
    func section(_ style: TextStyle) -> PageSection {
        let parts = RunReport.Legacy.KeyOutcome.allCases.map { bucket -> ShareBar.Part in
            (bucket.color, bucket.phrase, Int64(clamping: buckets[bucket.rawValue] ?? 0))
        }
        let order: [RunReport.Legacy.KeyOutcome] = [
            .conflict, .unsupported, .coerced, .unmapped, .migrated, .defaulted, .alreadyPresent, .localOnly,
        ]
        var rows: [[Markup]] = []
        var rest = 0
        let text = LedgerText(lines: [], style: style)
        for bucket in order {
            let lines = ledger.filter { $0.bucket == bucket }
            rows += lines.prefix(Self.listed).map { row($0, text) }
            rest += max(0, lines.count - Self.listed)
        }
        let table = PageTable(
            caption: "The outcome of each legacy key", width: "wide",
            columns: [.text("Key"), .text("Outcome"), .text("Stored in"), .text("Why")], rows: rows)
        let files = sources.filter { $0.format != nil }.map(\.path).joined(separator: ", ")
        return PageSection(
            "legacy", "Legacy keys",
            lead: files.isEmpty
                ? "No preferences file exists." : "Each key has exactly one outcome. Read from \(files).",
            ShareBar(caption: "Keys by outcome", parts: parts).markup + table.markup
                + Markup.rest(rest, "more key", "more keys"))
    }

    private func row(_ line: RunReport.Legacy.Key, _ text: LedgerText) -> [Markup] {
        let key = text.style.verbose ? line.key : line.key.escapingControls.shortened(to: 60)
        let into: Markup = line.into.map { "<code>\($0)</code>" } ?? "<span class=\"muted\">nowhere</span>"
        var bare = line
        bare.into = nil
        let reason = text.reason(bare)
        return [
            "<code>\(key)</code>",
            "<span class=\"chip\"><i class=\"p\(line.bucket.color)\"></i>\(line.bucket.phrase)</span>",
            into, "\(reason.isEmpty ? line.bucket.meaning : reason)",
        ]
    }
}

extension RunReport.Legacy.KeyOutcome {
    /// The part's color in a bar.
    fileprivate var color: Int {
        switch self {
        case .migrated: 1
        case .defaulted: 2
        case .coerced: 3
        case .localOnly: 4
        case .unsupported: 5
        case .conflict: 6
        case .alreadyPresent: 7
        case .unmapped: 8
        }
    }
}
