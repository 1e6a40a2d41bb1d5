internal import GodwitModel

extension LegacyReport {
    /// `8 keys: 4 migrated, 1 defaulted, 1 local only, 2 unmapped`, then each key that needs a look.
    func stageText(planned: Bool, _ style: TextStyle) -> StageText {
        let tense = Tense(planned: planned)
        return StageText(
            .legacy, outcome.symbol(planned: planned), headline(tense), details: details(tense, style))
    }

    func headline(_ tense: Tense) -> String {
        switch outcome {
        case .failed: StageText.failed
        case .alreadyDone: "already done by an earlier run; the legacy files stay as they are"
        case .nothingToDo where buckets.isEmpty: nothingFound
        case .nothingToDo: "nothing to move; \(tally(Tense(planned: false)))"
        case .healed: "\(tense.passive("healed")); \(tally(Tense(planned: false)))"
        case .done, .partial: tally(tense)
        }
    }

    private var nothingFound: String {
        sources.contains { $0.format != nil } ? "no legacy keys" : "no legacy file found"
    }

    /// Every key is in exactly one bucket, so the numbers add up to the first one.
    private func tally(_ tense: Tense) -> String {
        var parts: [String] = []
        for bucket in KeyOutcome.allCases {
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

/// Ledger lines of one file, in columns.
struct LedgerText: Sendable {
    let lines: [LedgerLine]
    let style: TextStyle

    /// Lines listed of one bucket before the rest is only counted.
    static let listedPerBucket = 3

    /// The file's name, then its keys; nothing for a file without keys worth a look.
    func lines(under source: LegacySource?) -> [TextLine] {
        guard !lines.isEmpty || (style.verbose && source != nil) else { return [] }
        var text: [TextLine] = []
        if let source {
            text.append(.path(indent: 4, style.verbose ? source.described : source.path))
        } else {
            text.append(TextLine(indent: 4, [], "in no file", .faint))
        }
        let bucketColumns = lines.map { $0.bucket.phrase.count }.max() ?? 0
        let keyColumns = min(28, lines.map { keyText($0).displayWidth }.max() ?? 0)
        for bucket in KeyOutcome.allCases {
            let ofBucket = lines.filter { $0.bucket == bucket }
            let limit = style.listed(Self.listedPerBucket, of: ofBucket.count)
            for line in ofBucket.prefix(limit) {
                text.append(self.line(line, bucketColumns: bucketColumns, keyColumns: keyColumns))
            }
            if ofBucket.count > limit {
                let rest = (ofBucket.count - limit).grouped
                text.append(TextLine(indent: 4, .item, "and \(rest) more \(bucket.phrase)"))
            }
        }
        return text
    }

    private func line(_ line: LedgerLine, bucketColumns: Int, keyColumns: Int) -> TextLine {
        let reason = self.reason(line)
        let bucket = Painted(
            line.bucket.phrase, line.bucket.symbol == .caution ? .caution : .plain, padded: bucketColumns)
        let key = keyText(line)
        let padding = reason.isEmpty ? 0 : keyColumns
        return TextLine(
            indent: 4,
            [line.bucket.symbol.painted, bucket, Painted(" " + key, padded: padding == 0 ? 0 : padding + 2)], reason)
    }

    private func keyText(_ line: LedgerLine) -> String {
        let key = line.key.escapingControls
        return style.verbose ? key : key.shortened(to: 40)
    }

    /// Where it went, from what to what, why, and what became of a list's items.
    func reason(_ line: LedgerLine) -> String {
        var parts: [String] = []
        if let into = line.into { parts.append("→ \(into)") }
        if let change = change(line) { parts.append(change) }
        if let note = line.note { parts.append(note) }
        if let items = line.items, !items.isEmpty {
            let names = KeyOutcome.allCases.map { ($0.rawValue, $0.phrase) } + Self.otherItems
            let counts = names.compactMap { name, phrase in items[name].map { "\($0.grouped) \(phrase)" } }
            parts.append("\(Int(items.total).counted("item")): \(counts.joined(separator: ", "))")
        }
        return parts.joined(separator: "; ")
    }

    /// What becomes of items only, with the words for it.
    private static let otherItems = [
        ("duplicate", "repeated"), ("notFavorite", "no favourite"), ("rejected", "not taken"), ("notTaken", "left"),
    ]

    /// `string 90 to integer 90`; unless verbose only for a coerced value, and then its types alone: `string to integer`.
    private func change(_ line: LedgerLine) -> String? {
        if style.verbose {
            let sides = [line.from, line.to].compactMap(\.self)
            return sides.isEmpty ? nil : sides.joined(separator: " to ")
        }
        guard line.bucket == .coerced, let from = line.from?.typeOfValue, let to = line.to?.typeOfValue else {
            return nil
        }
        return "\(from) to \(to)"
    }
}

extension String {
    private static let typeNames: Set = [
        "boolean", "integer", "real", "string", "text", "date", "data", "blob", "array", "dictionary", "null", "NULL",
    ]

    /// The type that a described value begins with, `integer` of `integer 90`; nil where it begins with none.
    fileprivate var typeOfValue: String? {
        guard let first = split(separator: " ").first.map(String.init) else { return nil }
        return Self.typeNames.contains(first) ? first : nil
    }
}

extension LegacySource {
    /// `Library/Preferences/x.plist (binary, 9 keys, 512 bytes)`.
    fileprivate var described: String {
        guard let format else { return "\(path) (missing)" }
        return "\(path) (\(format.rawValue), \(keyCount.counted("key")), \(size.counted("byte")))"
    }
}

extension LedgerLine {
    /// Whether a person should look at the line: its value, or an item of it, did not arrive as it was.
    var needsALook: Bool {
        bucket.needsALook || KeyOutcome.allCases.contains { $0.needsALook && (items?[$0.rawValue] ?? 0) > 0 }
    }
}

extension KeyOutcome {
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
    fileprivate var symbol: Symbol { self == .unsupported || self == .conflict ? .caution : .item }
}
