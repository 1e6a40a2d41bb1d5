import GodwitModel

extension ExpectationReport {
    /// Lines shown before the rest is only counted.
    private static let shown = 400

    /// What differs from the committed expectation, as a difference of lines.
    func section(
        _ identifier: String = "expectation", _ title: String = "Compared with what is expected"
    ) -> PageSection {
        let words = headline
        return PageSection(
            identifier, title, lead: words.prefix(1).uppercased() + words.dropFirst() + ".", difference + skipped)
    }

    /// The lines alone; nothing where all is as expected.
    var difference: Markup {
        guard !differences.isEmpty else { return "" }
        var part: String?
        var lines: [Markup] = []
        for line in differences.prefix(Self.shown) {
            if line.part != part {
                part = line.part
                lines.append("<li class=\"part\">\(line.part.isEmpty ? "the whole" : line.part)</li>\n")
            }
            let kind: Markup = line.kind == .same ? "same" : line.kind == .expected ? "expected" : "found"
            lines.append("<li class=\"\(kind)\">\(line.spoken)\(line.sign) \(line.text)</li>\n")
        }
        let rest = omitted + differences.count - min(differences.count, Self.shown)
        return """
            <div class="scroll" role="region" aria-label="Lines that differ" tabindex="0">
            <ul class="diff code">
            \(lines.joined())</ul>
            </div>
            \(Markup.rest(rest, "more line", "more lines"))
            """
    }

    private var skipped: Markup {
        let notes: [(symbol: Symbol, text: Markup)] = notCompared.map {
            (.item, "<code>\($0)</code> is not compared: the import was done by an earlier run")
        }
        return notes.isEmpty ? "" : Markup.notes(notes)
    }
}

extension ExpectedLine {
    /// What the sign says to those who do not see it.
    fileprivate var spoken: Markup {
        switch kind {
        case .same: ""
        case .expected: "<span class=\"hidden\">expected: </span>"
        case .found: "<span class=\"hidden\">found: </span>"
        }
    }
}

extension FleetReport: PagedReport {
    /// Containers whose findings are shown one by one.
    private static let shown = 100

    /// All containers as a table, then each that is not as it should be.
    func page(_ setting: ReportSetting) -> Page {
        let bad = containers.filter { $0.verdict != .passed }
        var page = Page(
            command: "godwit \(command)", subject: app, place: folder, symbol: bad.isEmpty ? .good : .bad,
            verdict: "\(sums).")
        page.facts = [
            ("Began", startedAt.readable), ("Took", TimePhrase.duration(milliseconds: durationMilliseconds)),
            ("Godwit", godwitVersion),
        ]
        page.sections = [PageSection("containers", "Containers", table)]
        page.sections += bad.prefix(Self.shown).enumerated().map { number, entry in
            PageSection("container-\(number + 1)", entry.container.shortened(to: 60), lead: entry.words, entry.body)
        }
        return page
    }

    private var table: Markup {
        let rows = containers.prefix(1_000).map { entry -> [Markup] in
            [
                entry.symbol.mark, "<code>\(entry.container)</code>", "\(entry.passed.grouped)",
                "\(entry.failed.count.grouped)", "\(entry.words)",
            ]
        }
        let parts: [ShareBar.Part] = [
            (1, "passed", count(.passed)), (6, "failed", count(.failed)), (5, "can't be verified", count(.unreadable)),
        ]
        return ShareBar(caption: "Containers", parts: parts).markup
            + PageTable(
                caption: "Containers and what came of them", width: "wide",
                columns: [
                    .silent("Verdict"), .text("Container"), .number("Passed"), .number("Failed"), .text("In short"),
                ], rows: rows
            ).markup + Markup.rest(containers.count - rows.count, "more container", "more containers")
    }

    private func count(_ verdict: FleetVerdict) -> Int64 { Int64(clamping: counts[verdict.rawValue] ?? 0) }
}

extension FleetEntry {
    /// What is wrong with it.
    fileprivate var body: Markup {
        var notes: [(symbol: Symbol, text: Markup)] = failed.map {
            (.bad, "<code>\($0.name)</code> \($0.detail)")
        }
        if let error {
            let hint: Markup = error.hint.map { " <span class=\"muted\">\($0)</span>" } ?? ""
            notes.append((.caution, "\(error.message) (\(Int(error.code)))\(hint)"))
        }
        return (notes.isEmpty ? "" : Markup.notes(notes)) + (expectation?.difference ?? "")
    }
}
