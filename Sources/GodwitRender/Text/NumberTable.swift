internal import GodwitModel

/// A table of numbers under a stage: a name, then columns that line up.
struct NumberTable: Sendable {
    var columns: [String]
    var rows: [(name: String, numbers: [Int64])]

    /// The table without columns that have only zeros, except the named ones.
    func withoutEmptyColumns(except kept: Set<String>) -> NumberTable {
        let shown = columns.indices.filter { index in
            kept.contains(columns[index]) || rows.contains { $0.numbers[index] != 0 }
        }
        return NumberTable(
            columns: shown.map { columns[$0] },
            rows: rows.map { row in (row.name, shown.map { row.numbers[$0] }) })
    }

    /// A line of headings, then a line for each row; if that is too wide, a sentence for each row.
    func lines(indent: Int, _ style: TextStyle) -> [TextLine] {
        let table = lines(indent: indent)
        if table.allSatisfy({ $0.headColumns <= style.width + 1 }) { return table }
        return rows.map { row in
            let numbers = zip(columns, row.numbers).map { "\($1.grouped) \($0)" }
            return TextLine(indent: indent, .item, "\(row.name): \(numbers.joined(separator: ", "))")
        }
    }

    private func lines(indent: Int) -> [TextLine] {
        let names = rows.map { $0.name.escapingControls.shortened(to: 30) }
        let nameWidth = names.map(\.displayWidth).max() ?? 0
        let widths = columns.indices.map { index in
            rows.map { $0.numbers[index].grouped.displayWidth }.reduce(columns[index].displayWidth, max)
        }
        let headings = zip(columns, widths).map { Painted(" " + $0.aligned(right: $1), .faint) }
        let heading = TextLine(indent: indent, [Painted("", padded: nameWidth)] + headings)
        return [heading]
            + zip(names, rows).map { name, row in
                let numbers = zip(row.numbers, widths).map { Painted(" " + $0.grouped.aligned(right: $1)) }
                return TextLine(indent: indent, [Painted(name, padded: nameWidth)] + numbers)
            }
    }
}
