internal import GodwitModel

extension RunReport.Copy {
    /// The outcome of each local record, entity by entity.
    func section(planned: Bool) -> PageSection {
        let rows = entities.prefix(500).map { entity -> [Markup] in
            let bar = ShareBar(caption: entity.name, parts: entity.parts).bar
            return [
                "\(entity.name)\(bar)", number(entity.local), number(entity.inserted), number(entity.updated),
                number(entity.equal), number(entity.cloudKept), number(entity.duplicates), number(entity.cloudBefore),
                number(entity.cloudAfter),
            ]
        }
        let table = PageTable(
            caption: "Records compared between local and cloud store", width: "wider",
            columns: [
                .text("Entity"), .number("Local"), .number("Inserted"), .number("Updated"), .number("Equal"),
                .number("Cloud kept"), .number("Duplicate"), .number("Cloud before"), .number("Cloud after"),
            ], rows: rows)
        var notes: [(symbol: Symbol, text: Markup)] = orphans.sorted { $0.key < $1.key }.map { place, count in
            (.caution, "\(count.counted("reference")) in <code>\(place)</code> to a record that does not exist")
        }
        if let flag {
            let state = flag.isSet ? Tense(planned: planned && outcome.hasChanges).passive("set") : "not set"
            notes.append(
                (flag.isSet ? .good : .item, "Flag <code>\(flag.key)</code> \(state) in <code>\(flag.file)</code>"))
        }
        let whole = ShareBar(caption: "Local records by outcome", parts: total.parts).markup
        return PageSection(
            "records", "Records compared",
            lead: "Each local record is in exactly one of the five columns after Local.",
            whole + table.markup + Markup.rest(entities.count - rows.count, "more entity", "more entities")
                + (notes.isEmpty ? "" : Markup.notes(notes)))
    }

    private func number(_ count: Int64) -> Markup { "\(count.grouped)" }

    /// All entities together.
    private var total: RunReport.Copy.Entity {
        entities.reduce(into: RunReport.Copy.Entity(name: "")) { sum, entity in
            sum.inserted &+= entity.inserted
            sum.updated &+= entity.updated
            sum.equal &+= entity.equal
            sum.cloudKept &+= entity.cloudKept
            sum.duplicates &+= entity.duplicates
        }
    }
}

extension RunReport.Copy.Entity {
    /// The five buckets that local records fall into.
    fileprivate var parts: [ShareBar.Part] {
        [
            (1, "inserted", inserted), (3, "updated", updated), (4, "equal", equal), (2, "cloud kept", cloudKept),
            (5, "duplicate", duplicates),
        ]
    }
}

extension RunReport.Verify {
    /// Each check: those that failed first.
    var section: PageSection {
        let failed = checks.count { $0.verdict == .failed }
        let order: [RunReport.Verify.Verdict] = [.failed, .passed, .skipped]
        let sorted = order.flatMap { verdict in checks.filter { $0.verdict == verdict } }
        let rows = sorted.prefix(1_000).map { check -> [Markup] in
            [
                check.verdict.symbol.mark, "<code>\(check.name)</code>", "\(check.detail)",
                check.count.map { "\($0.grouped)" } ?? "",
            ]
        }
        let table = PageTable(
            caption: "Checks and their results", width: "wide",
            columns: [.silent("Verdict"), .text("Check"), .text("Result"), .number("Count")], rows: rows)
        let changes = changedInCloud.map { Markup.notes($0.map { (.item, "\($0.sentence)") }) } ?? ""
        let lead =
            failed == 0 || unmigrated != nil ? nil : "\(failed.grouped) of \(checks.count.counted("check")) failed."
        return PageSection(
            "checks", "Checks", lead: lead,
            table.markup + Markup.rest(sorted.count - rows.count, "more check", "more checks") + changes)
    }
}
