internal import GodwitModel

extension ForgetReport: ReadableReport {
    /// The exports by series, each with the reason why it stays or is removed; the sums at the end.
    package func text(_ style: TextStyle) -> String {
        var page = TextPage(style)
        page.add(TextLine([Painted("godwit forget:", .strong)], folder))
        page.add(
            TextLine([], policy.isEmpty ? "no policy, so everything stays" : policy.joined(separator: " "), .faint))
        page.add(clock: clock, indent: 0)
        for series in series {
            page.addGap()
            page.add(TextLine([Painted(series.title + ":", .strong)], series.exports.count.counted("export")))
            let rest = style.verbose ? [] : series.exports.dropFirst(Self.listedExports)
            for entry in series.exports.dropLast(rest.count) { page.add(line(entry)) }
            if !rest.isEmpty { page.add(TextLine(indent: 2, .item, summary(of: rest), .faint)) }
        }
        if !leftAlone.isEmpty {
            page.addGap()
            page.add(TextLine(.caution, "Not complete, or changed during the run, so they stay:", .caution))
            for name in leftAlone { page.add(.path(indent: 4, name)) }
        }
        page.addGap()
        page.add(TextLine(isWithoutExports ? .caution : dryRun ? .pointer : .good, conclusion, .strong))
        return page.text
    }

    /// Of more exports of one kind, the newest are listed: a folder of a year of days fits one screen.
    private static let listedExports = 20

    private func summary(of rest: ArraySlice<RetainedExport>) -> String {
        let removed = rest.count { $0.reasons.isEmpty }
        let words = [
            rest.count > removed ? "\((rest.count - removed).grouped) kept" : nil,
            removed > 0 ? "\(removed.grouped) \(dryRun ? "would be removed" : "removed")" : nil,
        ]
        return
            "\(rest.count.counted("older export")): \(words.compactMap(\.self).joined(separator: ", ")) (--verbose lists them)"
    }

    /// `3 exports removed (1,204 bytes), 5 kept`, as a sentence.
    var conclusion: String {
        if isWithoutExports { return "There is no export in \(folder)." }
        let bytes = removed.reduce(Int64(0)) { $0 + $1.bytes }
        let kept = "\(self.kept.count.grouped) kept"
        guard !removed.isEmpty else { return "Nothing \(dryRun ? "would be" : "was") removed, \(kept)." }
        let verb = dryRun ? "would be removed" : "removed"
        return "\(removed.count.counted("export")) \(verb) (\(bytes.counted("byte"))), \(kept)."
    }

    private var isWithoutExports: Bool { kept.isEmpty && removed.isEmpty && leftAlone.isEmpty }

    private func line(_ entry: RetainedExport) -> TextLine {
        let isKept = !entry.reasons.isEmpty
        let words =
            isKept ? "kept: \(entry.reasons.joined(separator: ", "))" : dryRun ? "would be removed" : "removed"
        return TextLine(
            indent: 2,
            [
                isKept ? Symbol.good.painted : Symbol.item.painted, Painted(entry.exportedAt.readable, .plain),
                Painted(entry.file, .strong),
            ], words, isKept ? .plain : .caution)
    }

    /// All exports of each series, kept and removed: the newest first.
    private var series: [(title: String, exports: [RetainedExport])] {
        var found: [(title: String, exports: [RetainedExport])] = []
        for entry in kept + removed {
            let parts = [
                entry.app, entry.selection.map { "only \($0.joined(separator: ", "))" },
                entry.isIncrement ? "increments" : nil,
            ]
            let title = parts.compactMap(\.self).joined(separator: ", ")
            if let place = found.firstIndex(where: { $0.title == title }) {
                found[place].exports.append(entry)
            } else {
                found.append((title, [entry]))
            }
        }
        return found.sorted { $0.title < $1.title }.map { title, exports in
            (title, exports.sorted { ($0.exportedAt, $0.file) > ($1.exportedAt, $1.file) })
        }
    }
}
