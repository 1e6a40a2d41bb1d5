internal import GodwitModel

/// Ledger lines of one file, in columns.
struct LedgerText: Sendable {
    let lines: [RunReport.Legacy.Key]
    let style: TextStyle

    /// Lines listed of one outcome before the rest is only counted.
    static let listedPerOutcome = 3

    /// The file's name, then its keys; nothing for a file without keys worth a look.
    func lines(under source: RunReport.Legacy.Source?) -> [TextLine] {
        guard !lines.isEmpty || (style.verbose && source != nil) else { return [] }
        var text: [TextLine] = []
        if let source {
            text.append(.path(indent: 4, style.verbose ? source.described : source.path))
        } else {
            text.append(TextLine(indent: 4, [], "in no file", .faint))
        }
        let bucketColumns = lines.map { $0.bucket.phrase.count }.max() ?? 0
        let keyColumns = min(28, lines.map { keyText($0).displayWidth }.max() ?? 0)
        for bucket in RunReport.Legacy.KeyOutcome.allCases {
            let ofOutcome = lines.filter { $0.bucket == bucket }
            let limit = style.listed(Self.listedPerOutcome, of: ofOutcome.count)
            for line in ofOutcome.prefix(limit) {
                text.append(self.line(line, bucketColumns: bucketColumns, keyColumns: keyColumns))
            }
            if ofOutcome.count > limit {
                let rest = (ofOutcome.count - limit).grouped
                text.append(TextLine(indent: 4, .item, "and \(rest) more \(bucket.phrase)"))
            }
        }
        return text
    }

    private func line(_ line: RunReport.Legacy.Key, bucketColumns: Int, keyColumns: Int) -> TextLine {
        let reason = self.reason(line)
        let bucket = Painted(
            line.bucket.phrase, line.bucket.symbol == .caution ? .caution : .plain, padded: bucketColumns)
        let key = keyText(line)
        let padding = reason.isEmpty ? 0 : keyColumns
        return TextLine(
            indent: 4,
            [line.bucket.symbol.painted, bucket, Painted(" " + key, padded: padding == 0 ? 0 : padding + 2)], reason)
    }

    private func keyText(_ line: RunReport.Legacy.Key) -> String {
        let key = line.key.escapingControls
        return style.verbose ? key : key.shortened(to: 40)
    }

    /// The target, the values before and after, the reason, and the outcomes of a list's items.
    func reason(_ line: RunReport.Legacy.Key) -> String {
        var parts: [String] = []
        if let into = line.into { parts.append("→ \(into)") }
        if let change = change(line) { parts.append(change) }
        if let note = line.note { parts.append(note) }
        if let items = line.items, !items.isEmpty {
            let names = RunReport.Legacy.KeyOutcome.allCases.map { ($0.rawValue, $0.phrase) } + Self.otherItems
            let counts = names.compactMap { name, phrase in items[name].map { "\($0.grouped) \(phrase)" } }
            parts.append("\(Int(items.total).counted("item")): \(counts.joined(separator: ", "))")
        }
        return parts.joined(separator: "; ")
    }

    /// The outcomes that only items have, with their words.
    private static let otherItems = [
        ("duplicate", "repeated"), ("notFavorite", "not a favorite"), ("rejected", "rejected"),
        ("notTaken", "not taken"),
    ]

    /// `string 90 to integer 90`; unless verbose, only for a coerced value and only its types: `string to integer`.
    private func change(_ line: RunReport.Legacy.Key) -> String? {
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

    /// The type that a described value begins with, `integer` of `integer 90`; nil if it begins with none.
    fileprivate var typeOfValue: String? {
        guard let first = split(separator: " ").first.map(String.init) else { return nil }
        return Self.typeNames.contains(first) ? first : nil
    }
}

extension RunReport.Legacy.Source {
    /// `Library/Preferences/x.plist (binary, 9 keys, 512 bytes)`.
    fileprivate var described: String {
        guard let format else { return "\(path) (missing)" }
        return "\(path) (\(format.rawValue), \(keyCount.counted("key")), \(size.counted("byte")))"
    }
}
