internal import GodwitModel

extension ExpectationReport {
    /// Lines shown before the rest is only counted.
    private static let shown = 400

    /// The differences from the committed expectation, as lines.
    func section(
        _ identifier: String = "expectation", _ title: String = "Compared with what is expected"
    ) -> PageSection {
        let words = headline
        return PageSection(
            identifier, title, lead: words.prefix(1).uppercased() + words.dropFirst() + ".", difference + skipped)
    }

    /// Only the lines; nothing if all is as expected.
    var difference: Markup {
        guard !differences.isEmpty else { return "" }
        var part: String?
        var lines: [Markup] = []
        for line in differences.prefix(Self.shown) {
            if line.part != part {
                part = line.part
                lines.append("<li class=\"part\">\(line.part.isEmpty ? "whole file" : line.part)</li>\n")
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
    /// The text of the sign for screen readers.
    fileprivate var spoken: Markup {
        switch kind {
        case .same: ""
        case .expected: "<span class=\"hidden\">expected: </span>"
        case .found: "<span class=\"hidden\">found: </span>"
        }
    }
}
