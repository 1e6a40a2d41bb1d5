internal import GodwitModel

/// A table that scrolls in its own box if it is wider than the page; on a phone each row is a block of named values.
///
/// Roles are explicit: without them, browsers do not treat a table with cells as blocks as a table. Source:
/// <https://www.w3.org/TR/html-aria/#docconformance>, and the behavior of Chromium and WebKit with `display: block`.
struct PageTable: Sendable {
    /// A column's heading and how its cells are set.
    struct Column: Sendable {
        var title: String
        var isNumber = false
        /// Whether the title is only for those who do not see the table.
        var isSilent = false

        static func text(_ title: String) -> Column { Column(title: title) }
        static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
        static func silent(_ title: String) -> Column { Column(title: title, isSilent: true) }
    }

    /// The description of the table for screen readers.
    var caption: String
    /// `wide` or `wider` if it needs space.
    var width: Markup = ""
    var columns: [Column]
    /// Cells; the first cell that is not a sign is the row's heading.
    var rows: [[Markup]]

    var markup: Markup {
        let heads = columns.map { column -> Markup in
            let start: Markup =
                column.isSilent
                ? "<th scope=\"col\" role=\"columnheader\" class=\"silent\">"
                : column.isNumber
                    ? "<th scope=\"col\" role=\"columnheader\" class=\"number\">"
                    : "<th scope=\"col\" role=\"columnheader\">"
            let title: Markup = column.isSilent ? "<span class=\"hidden\">\(column.title)</span>" : "\(column.title)"
            return start + title + "</th>"
        }
        let heading = columns.firstIndex { !$0.isSilent } ?? 0
        let lines = rows.map { cells -> Markup in
            let row = zip(columns, cells).enumerated().map { index, cell -> Markup in
                let (column, content) = cell
                if index == heading { return "<th scope=\"row\" role=\"rowheader\">\(content)</th>" }
                if column.isSilent { return "<td role=\"cell\" class=\"silent\">\(content)</td>" }
                let start: Markup =
                    column.isNumber
                    ? "<td role=\"cell\" class=\"\(content.text == "0" ? "number zero" : "number")\""
                    : "<td role=\"cell\""
                return "\(start) data-name=\"\(column.title)\">\(content)</td>"
            }
            return "<tr role=\"row\">\(row.joined())</tr>\n"
        }
        return """
            <div class="scroll" role="region" aria-label="\(caption)" tabindex="0">
            <table role="table" class="\(width)">
            <caption class="hidden">\(caption)</caption>
            <thead role="rowgroup"><tr role="row">\(heads.joined())</tr></thead>
            <tbody role="rowgroup">
            \(lines.joined())</tbody>
            </table>
            </div>

            """
    }
}

/// Parts of a whole as a bar, with a legend that has the numbers.
struct ShareBar: Sendable {
    /// A part: its color from 1 to 8, its name, how much of it.
    typealias Part = (color: Int, name: String, count: Int64)

    var caption: String
    var parts: [Part]

    /// Only the bar.
    var bar: Markup {
        let shown = parts.filter { $0.count > 0 }
        let total = shown.reduce(0) { $0 + Double($1.count) }
        guard total > 0 else { return "" }
        var markup: Markup = "<svg class=\"share\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" role=\"img\""
        markup +=
            " aria-label=\"\(caption): \(shown.map { "\($0.count.grouped) \($0.name)" }.joined(separator: ", "))\">"
        var before = 0.0
        for part in shown {
            let start = Int((before / total * 1000).rounded())
            before += Double(part.count)
            let end = Int((before / total * 1000).rounded())
            // However little there is of it, it can be seen.
            markup += "<rect class=\"p\(part.color)\" x=\"\(min(start, 996))\" y=\"0\""
            markup += " width=\"\(max(end - start - 2, 4))\" height=\"10\"/>"
        }
        return markup + "</svg>"
    }

    /// The bar, then its legend.
    var markup: Markup {
        let items = parts.filter { $0.count > 0 }.map { part -> Markup in
            "<li class=\"chip\"><i class=\"p\(part.color)\"></i>\(part.name) <b>\(part.count.grouped)</b></li>"
        }
        return "\(bar)\n<ul class=\"legend\">\n\(items.joined("\n"))\n</ul>\n"
    }
}

extension Markup {
    /// Signs and sentences as a list.
    static func notes(_ notes: [(symbol: Symbol, text: Markup)]) -> Markup {
        let items = notes.map { "<li>\($0.symbol.mark)<span>\($0.text)</span></li>\n" as Markup }
        return "<ul class=\"notes\">\n\(items.joined())</ul>\n"
    }

    /// `and 12 more groups`; nothing if all are shown.
    static func rest(_ count: Int, _ one: String, _ many: String) -> Markup {
        count > 0 ? "<p class=\"rest\">and \(count.counted(one, many)), not listed here</p>\n" : ""
    }

    /// An instant, readable by people and programs.
    static func date(_ instant: Instant?) -> Markup {
        guard let instant else { return "<span class=\"muted\">no date</span>" }
        return "<time class=\"date\" datetime=\"\(instant.iso8601)\">\(instant.readable)</time>"
    }
}
