internal import GodwitModel

extension RunReport.Legacy {
    /// `8 keys: 4 migrated, 1 defaulted, 1 local only, 2 unmapped`, then each key that needs a look.
    func section(_ tense: Tense, _ setting: ReportSetting) -> OutlineSection {
        let outcomes = NumberTable(
            columns: ["keys"],
            rows: RunReport.Legacy.KeyOutcome.allCases.compactMap { bucket in
                buckets[bucket.rawValue].map { (bucket.phrase, [Int64(clamping: $0)]) }
            })
        return OutlineSection(
            .legacy, outcome.symbol(planned: tense.planned), headline(tense), lines: details(tense, setting.style),
            items: items(tense, setting), table: OutlineTable("Legacy keys", "Outcome", outcomes))
    }

    /// Each key, by outcome; a value left behind fails if every value must arrive.
    private func items(_ tense: Tense, _ setting: ReportSetting) -> [OutlineItem] {
        let text = LedgerText(lines: [], style: setting.style)
        let isStrict = setting.demands.contains(.everyValue)
        let items = RunReport.Legacy.KeyOutcome.allCases.flatMap { bucket -> [OutlineItem] in
            let lines = ledger.filter { $0.bucket == bucket }
            let listed = lines.prefix(OutlineItem.maxListed).map { line in
                OutlineItem(
                    bucket.phrase, line.key, line.verdict(isStrict: isStrict),
                    text.reason(line).isEmpty ? bucket.meaning : text.reason(line),
                    at: setting.positions.position(ofLegacyKey: line.key))
            }
            return listed
                + OutlineItem.rest(
                    bucket.phrase, lines.count - listed.count, bucket.verdict(isStrict: isStrict),
                    at: setting.positions.positionOfLegacyRules)
        }
        return items.isEmpty ? [OutlineItem("legacy", headline(tense), .passed, outcome.phrase)] : items
    }

    func headline(_ tense: Tense) -> String {
        switch outcome {
        case .failed: OutlineSection.failed
        case .alreadyDone: doneBefore
        case .nothingToDo where buckets.isEmpty: nothingFound
        case .nothingToDo: "nothing to move; \(tally(Tense(planned: false)))"
        case .healed: "\(tense.passive("completed")); \(tally(Tense(planned: false)))"
        case .done, .partial: tally(tense)
        }
    }

    /// That an earlier import is complete, and how many values it left behind: no later run imports them.
    private var doneBefore: String {
        "already imported; \(earlier?.lostWords ?? "the preferences files stay unchanged")"
    }

    private var nothingFound: String {
        sources.contains { $0.format != nil } ? "no legacy keys" : "no preferences file found"
    }

    /// Every key has exactly one outcome, so the numbers add up to the first one.
    private func tally(_ tense: Tense) -> String {
        var parts: [String] = []
        for bucket in RunReport.Legacy.KeyOutcome.allCases {
            guard let count = buckets[bucket.rawValue], count > 0 else { continue }
            let phrase = parts.isEmpty && bucket.isWritten ? tense.passive(bucket.phrase) : bucket.phrase
            parts.append("\(count.grouped) \(phrase)")
        }
        let keys = Int(buckets.total).counted("key")
        return parts.isEmpty ? keys : "\(keys): \(parts.joined(separator: ", "))"
    }

    private func details(_ tense: Tense, _ style: TextStyle) -> [TextLine] {
        let shown = ledger.filter { style.verbose || $0.needsALook }
        var lines = sources.flatMap { source in
            LedgerText(lines: shown.filter { $0.source == source.path }, style: style).lines(under: source)
        }
        let paths = Set(sources.map(\.path))
        let others = shown.filter { line in line.source.map { !paths.contains($0) } ?? true }
        lines += LedgerText(lines: others, style: style).lines(under: nil)
        if outcome.hasChanges, inserted.total > 0 {
            lines.append(TextLine(indent: 4, .pointer, "\(inserted.listedByName) \(tense.passive("inserted"))"))
        }
        return lines
    }
}

extension RunReport.Legacy.Key {
    /// That of its outcome, or that of an item that was rejected.
    fileprivate func verdict(isStrict: Bool) -> ItemVerdict {
        max(bucket.verdict(isStrict: isStrict), (items?["rejected"] ?? 0) > 0 ? .doubtful : .passed)
    }

    /// Whether a person should look at the line: its value, or an item of it, did not arrive as it was.
    var needsALook: Bool {
        bucket.needsALook
            || RunReport.Legacy.KeyOutcome.allCases.contains { $0.needsALook && (items?[$0.rawValue] ?? 0) > 0 }
    }
}

extension RunReport.Legacy.KeyOutcome {
    /// The words for it.
    var phrase: String {
        switch self {
        case .migrated: "migrated"
        case .defaulted: "defaulted"
        case .coerced: "coerced"
        case .alreadyPresent: "already present"
        case .localOnly: "local only"
        case .unsupported: "unsupported"
        case .conflict: "in conflict"
        case .unmapped: "unmapped"
        }
    }

    /// Whether something of it is in the structured store now.
    fileprivate var isWritten: Bool { self == .migrated || self == .defaulted || self == .coerced }

    /// Whether each of its lines is listed.
    fileprivate var needsALook: Bool {
        self == .coerced || self == .unsupported || self == .conflict || self == .unmapped
    }

    /// Values that were left behind get a sign of their own.
    var symbol: Symbol { self == .unsupported || self == .conflict ? .caution : .item }

    /// The verdict on a key that ends in it.
    fileprivate func verdict(isStrict: Bool) -> ItemVerdict {
        switch self {
        case .migrated, .defaulted, .coerced, .alreadyPresent, .localOnly: .passed
        case .unmapped: .noticed
        case .unsupported, .conflict: isStrict ? .failed : .doubtful
        }
    }

    /// Its meaning, for a key without a note.
    var meaning: String {
        switch self {
        case .migrated: "stored unchanged"
        case .defaulted: "no file has it; the default is stored"
        case .coerced: "stored in another type or spelling"
        case .alreadyPresent: "the store had a record already"
        case .localOnly: "stays in the preferences, by intent"
        case .unsupported: "its type can't be stored where it should go"
        case .conflict: "its value is not in the value map, or contradicts something"
        case .unmapped: "no rule of the manifest maps it"
        }
    }
}
