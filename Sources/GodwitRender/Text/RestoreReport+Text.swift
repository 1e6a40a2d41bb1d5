package import GodwitModel

extension RestoreReport: ReadableReport {
    /// The restored records, the new store, the export, and the schema version.
    package func text(_ style: TextStyle) -> String {
        var page = TextPage(style)
        page.add(section(style).lines)
        page.addGap()
        page.add(warnings: warnings)
        page.trimGap()
        return page.text
    }

    private func section(_ style: TextStyle) -> OutlineSection {
        let records = counts.total == 0 ? "no records" : counts.filter { $0.value > 0 }.listedByName
        let hash = style.verbose || sha256.count <= 16 ? sha256 : "\(sha256.prefix(16))…"
        var lines = [
            .path(indent: 4, "into \(file ?? "a new store")"),
            .path(indent: 4, "from \(document.file ?? "standard input")"),
            TextLine(indent: 4, [], "exported \(document.exportedAt.readable) from \(document.app)\(kind)", .faint),
        ]
        if let increment {
            lines += [
                .path(indent: 4, "and what changed since, from \(increment.file ?? "standard input")"),
                TextLine(indent: 4, [], "exported \(increment.exportedAt.readable)", .faint),
            ]
        }
        lines += [
            TextLine(indent: 4, .item, schemaLine),
            TextLine(indent: 4, .good, "exported again, the store gives the same records: sha256 \(hash)"),
        ]
        if style.verbose {
            lines.append(TextLine(indent: 4, [], "export \(document.exportId), run \(runId)", .faint))
            lines.append(
                TextLine(
                    indent: 4, [],
                    "\(document.bytes.counted("byte")) read, \(bytes.counted("byte")) of store, "
                        + TimePhrase.duration(milliseconds: durationMilliseconds), .faint))
        }
        if let clock { lines.append(TextLine(indent: 4, .item, clock.phrase, .faint)) }
        if dryRun { lines.append(TextLine(indent: 4, [], "dry run, nothing was written", .pointer)) }
        return OutlineSection(
            .import, dryRun ? .pointer : .good, "\(dryRun ? "would restore " : "")\(records)", lines: lines)
    }

    private var kind: String {
        switch (document.layout, document.compressed) {
        case (.document, false): ""
        case (.document, true): ", packed"
        case (.lines, false): ", as JSON lines"
        case (.lines, true): ", as JSON lines, packed"
        }
    }

    private var schemaLine: String {
        guard !schema.applied.isEmpty else { return "schema at \(Self.title(schema.toVersion))" }
        let applied = schema.applied.map { Self.title($0.version) }.joined(separator: ", ")
        return "restored at schema \(Self.title(schema.fromVersion)), then \(applied) applied"
    }

    private static func title(_ version: Int) -> String {
        let digits = String(version)
        return "V" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
