internal import GodwitModel

extension FreshnessReport: ReadableReport {
    /// Each export with its three times and what was found; the sums at the end.
    package func text(_ style: TextStyle) -> String {
        var page = TextPage(style)
        for export in exports {
            for line in export.lines(asOf: asOf) { page.add(line) }
            page.addGap()
        }
        page.add(clock: clock, indent: 0)
        page.add(TextLine(symbol, conclusion, hasFailed ? .bad : .strong))
        return page.text
    }

    /// `3 exports: 1 fresh, 2 stale`.
    var conclusion: String {
        let missing = exports.filter(\.isMissing).count
        let empty = missing > 0 ? "no export in \(missing.counted("path"))" : ""
        guard missing < exports.count else { return "Nothing to judge: \(empty)." }
        let words: [(Freshness.Status, String)] = [
            (.pass, "fresh"), (.warn, "may be stale"), (.noData, "without data"), (.error, "stale"),
            (.notJudged, "not judged"),
        ]
        let parts = words.compactMap { status, words -> String? in
            let number = exports.filter { $0.status == status && !$0.isMissing }.count
            return number > 0 ? "\(number.grouped) \(words)" : nil
        }
        let rest = missing > 0 ? "; \(empty)" : ""
        let found = exports.count - missing
        return "\(found.counted("export")): \(parts.joined(separator: ", ")) as of \(asOf.readable)\(rest)."
    }

    var hasFailed: Bool { exports.contains { $0.status == .error } }

    var symbol: Symbol {
        if hasFailed { return .bad }
        if exports.contains(where: { $0.status == .warn || $0.status == .noData }) { return .caution }
        return exports.contains { $0.status == .notJudged } ? .item : .good
    }
}

extension ExportFreshness {
    /// Whether there is no export at the path at all.
    var isMissing: Bool { file == nil && app == nil && findings.contains { $0.code == .missing } }

    /// `fresh`, with what it is of.
    var verdict: String {
        if isMissing { return "no export" }
        let word =
            switch status {
            case .pass: "fresh"
            case .warn: "may be stale"
            case .error: "stale"
            case .noData: "no data"
            case .notJudged: "not judged: no limit for its age"
            }
        let parts = [app, selection.map { "only \($0.joined(separator: ", "))" }].compactMap(\.self)
        return parts.isEmpty ? word : "\(word); \(parts.joined(separator: ", "))"
    }

    func lines(asOf now: Instant) -> [TextLine] {
        var lines = [TextLine([status.symbol.painted, Painted((file ?? path) + ":", .strong)], verdict)]
        lines += times(asOf: now).map { TextLine(indent: 4, [], $0) }
        lines += findings.map { TextLine(indent: 4, $0.code.isError ? .bad : .caution, $0.message) }
        if !recorded.isEmpty {
            lines.append(TextLine(indent: 4, [], "When it was made:", .faint))
            lines += recorded.map { TextLine(indent: 6, .item, $0.message) }
        }
        let limits = [
            criteria.warnAfter.map { "warning after \($0)" }, criteria.errorAfter.map { "error after \($0)" },
        ].compactMap(\.self)
        if status != .pass, !limits.isEmpty {
            lines.append(TextLine(indent: 4, [], limits.joined(separator: ", "), .faint))
        }
        return lines
    }

    /// The three times, each with its age.
    func times(asOf now: Instant) -> [String] {
        func time(_ name: String, _ date: Instant?) -> String? {
            date.map { "\(name) \($0.readable), \(TimePhrase.relative($0, asOf: now))" }
        }
        var times = [time("newest record", newestRecordAt), time("exported", exportedAt)]
        if lastSuccessAt != exportedAt { times.append(time("last whole export", lastSuccessAt)) }
        if lastAttemptAt != lastSuccessAt { times.append(time("last tried", lastAttemptAt)) }
        return times.compactMap(\.self)
    }
}
