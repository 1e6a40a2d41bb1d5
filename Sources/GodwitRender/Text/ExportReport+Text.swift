package import GodwitModel

extension ExportReport: ReadableReport {
    /// The written records and the file, then the freshness.
    package func text(_ style: TextStyle) -> String {
        var page = TextPage(style)
        page.add(section(style).lines)
        page.addGap()
        page.add(warnings: warnings)
        page.trimGap()
        return page.text
    }

    private func section(_ style: TextStyle) -> OutlineSection {
        let none = since == nil ? "no records" : "no changed records"
        let records = counts.total == 0 ? none : counts.filter { $0.value > 0 }.listedByName
        let target = file ?? "standard output"
        let verb = dryRun ? "would write " : ""
        if let unchangedSince {
            return OutlineSection(
                .export, .item, "unchanged, nothing was written",
                lines: [.path(indent: 4, "the same content as \(unchangedSince)")] + freshness.lines(indent: 4))
        }
        var lines = [
            .path(indent: 4, "from the \(store.phrase), \(source)"),
            TextLine(indent: 4, [], "\(bytes.counted("byte"))\(form), sha256 \(shortHash(style))", .faint),
        ]
        if let clock { lines.append(TextLine(indent: 4, .item, clock.phrase, .faint)) }
        if let since { lines += since.lines(restoredWith: file) }
        if let latest { lines.append(.path(indent: 4, "and the link \(latest) to it")) }
        if style.verbose { lines.append(TextLine(indent: 4, [], "content version \(contentVersion)", .faint)) }
        if dryRun { lines.append(TextLine(indent: 4, [], "dry run, nothing was written", .pointer)) }
        return OutlineSection(
            .export, dryRun ? .pointer : .good, "\(verb)\(records) → \(target)",
            lines: lines + freshness.lines(indent: 4))
    }

    /// The form of the bytes, if they are not plain JSON.
    private var form: String {
        switch (layout, compressed) {
        case (.document, false): ""
        case (.document, true): " of gzip"
        case (.lines, false): " of JSON lines"
        case (.lines, true): " of JSON lines in gzip"
        }
    }

    private func shortHash(_ style: TextStyle) -> String {
        style.verbose || sha256.count <= 16 ? sha256 : "\(sha256.prefix(16))…"
    }
}

extension Freshness {
    /// The verdict, then each reason, then the ages it was measured against.
    func lines(indent: Int) -> [TextLine] {
        var lines = [TextLine(indent: indent, status.symbol, verdict, status.paint)]
        for reason in reasons { lines.append(TextLine(indent: indent + 2, .item, reason.message)) }
        if reasons.count > 0 || status != .pass, let limits {
            lines.append(TextLine(indent: indent + 2, [], limits, .faint))
        }
        return lines
    }

    var verdict: String {
        let word =
            switch status {
            case .pass: mayBeStale ? "may be stale" : "fresh"
            case .warn: "may be stale"
            case .error: "stale"
            case .noData: "no data"
            case .notJudged: "not judged: no limit for its age"
            }
        guard let newestRecordAt else { return word }
        let age = ageSeconds.map { ", \(TimePhrase.age(seconds: $0)) old" } ?? ""
        return "\(word); newest record of \(newestRecordAt.readable)\(age)"
    }

    private var limits: String? {
        let parts = [
            criteria.warnAfter.map { "warning after \($0)" }, criteria.errorAfter.map { "error after \($0)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension Freshness.Status {
    var symbol: Symbol {
        switch self {
        case .pass: .good
        case .notJudged: .item
        case .warn, .noData: .caution
        case .error: .bad
        }
    }

    fileprivate var paint: Paint {
        switch self {
        case .pass, .notJudged: .plain
        case .warn, .noData: .caution
        case .error: .bad
        }
    }
}

extension ExportReport.Increment {
    /// The base of the increment, and the number of deleted records.
    fileprivate func lines(restoredWith increment: String?) -> [TextLine] {
        let keys = gone.total == 0 ? "none is gone" : "gone: \(gone.filter { $0.value > 0 }.listedByName)"
        return [
            .path(indent: 4, "only what changed since \(file), of \(exportedAt.readable)"),
            TextLine(indent: 4, [], keys, .faint),
        ]
            + (increment.map {
                [
                    TextLine(indent: 4, [], "`godwit import` needs both files, in this order:", .faint),
                    .path(indent: 6, file), .path(indent: 6, $0),
                ]
            } ?? [])
    }
}
