internal import GodwitModel

extension RunReport.Dedupe {
    /// Groups shown before the rest is only counted.
    private static let listed = 200

    /// Each group with the record that stays and why.
    func section(_ identifier: String, _ title: String, planned: Bool, _ style: TextStyle) -> PageSection {
        let shown = groups.prefix(Self.listed)
        let words = headline(Tense(planned: planned))
        let lead =
            words.prefix(1).uppercased() + words.dropFirst()
            + ". Nothing is deleted: the records that are set aside are in the table godwit_removed."
        return PageSection(
            identifier, title, lead: lead,
            "<ul class=\"groups\">\n\(shown.map(\.markup).joined())</ul>\n"
                + Markup.rest(max(groupCount, groups.count) - shown.count, "more group", "more groups"))
    }
}

extension RunReport.Dedupe.Group {
    /// Duplicates shown before the rest is only counted.
    private static let listed = 20

    fileprivate var markup: Markup {
        let why = reason.phrase(records: losers.count + 1) + (rekeyed ? ", under the fixed key" : "")
        let shown = losers.prefix(Self.listed)
        var items = [
            "<li class=\"kept\">\(Symbol.good.mark)<code>\(name(winner))</code>\(date(winner))</li>\n" as Markup
        ]
        items += shown.map { "<li>\(Symbol.aside)<code>\(name($0))</code>\(date($0))</li>\n" }
        let rest = losers.count - shown.count
        if rest > 0 { items.append("<li>\(Symbol.aside)<span>and \(rest.grouped) more</span></li>\n") }
        return """
            <li>
            <h3>\(entity) <code>\(key.escapingControls.shortened(to: 60))</code></h3>
            <p>\(why.prefix(1).uppercased() + why.dropFirst()).</p>
            <ul>
            \(items.joined())</ul>
            </li>

            """
    }

    private func name(_ contender: RunReport.Dedupe.Record) -> String {
        contender.key.escapingControls.shortened(to: 60)
    }

    private func date(_ contender: RunReport.Dedupe.Record) -> Markup {
        "<span class=\"when\">\(Markup.date(contender.modifiedAt))</span>"
    }
}

extension Symbol {
    /// Next to a record that was set aside.
    fileprivate static var aside: Markup {
        "<span class=\"sign item\" aria-hidden=\"true\">–</span><span class=\"hidden\">Set aside: </span>"
    }
}

extension RunReport.Undo {
    /// The restored records, store by store.
    func section(planned: Bool) -> PageSection {
        let tense = Tense(planned: planned)
        let notes = stores.map { store -> (symbol: Symbol, text: Markup) in
            let words = store.outcome.hasChanges ? store.summary(tense) : store.outcome.phrase
            return (
                store.outcome.symbol(planned: planned),
                "\(store.store.phrase): \(words) <code class=\"muted\">\(store.file)</code>"
            )
        }
        return PageSection("undo", "Put back", lead: headline(tense) + ".", Markup.notes(notes))
    }
}
