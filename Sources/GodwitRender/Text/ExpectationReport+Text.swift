internal import GodwitModel

extension ExpectationReport {
    /// `as expected`, or each line that is not, under the part it belongs to.
    func lines(_ style: TextStyle) -> [TextLine] {
        let name = Painted("expect", .strong, padded: OutlineSection.nameColumns)
        var lines = [TextLine([symbol.painted, name], headline, verdict == .differs ? .bad : .plain)]
        lines += details
        for part in notCompared {
            lines.append(TextLine(indent: 4, .item, "\(part) is not compared: the import was done by an earlier run"))
        }
        return lines
    }

    var symbol: Symbol {
        switch verdict {
        case .met, .unchanged: .good
        case .differs: .bad
        case .written: .pointer
        }
    }

    var headline: String {
        switch verdict {
        case .met: "as \(file) says"
        case .unchanged: "\(file) says so already"
        case .written: "written to \(file): read what changed before you commit it"
        case .differs: "not as \(file) says; lines with - are expected, lines with + were found"
        }
    }

    /// The lines of the comparison, each part under its name; a reader can't see where lines in between are left out,
    /// so parts are the only landmarks.
    private var details: [TextLine] {
        var lines: [TextLine] = []
        var part: String?
        for line in differences {
            if line.part != part {
                part = line.part
                lines.append(TextLine(indent: 4, [Painted(line.part.isEmpty ? "whole file" : line.part, .strong)]))
            }
            lines.append(line.textLine)
        }
        if omitted > 0 { lines.append(TextLine(indent: 4, .item, "\(omitted.grouped) more lines differ")) }
        return lines
    }
}

extension ExpectedLine {
    fileprivate var textLine: TextLine {
        let (sign, paint): (String, Paint) =
            switch kind {
            case .same: (" ", .faint)
            case .expected: ("-", .bad)
            case .found: ("+", .good)
            }
        var line = TextLine(indent: 6, [], "\(sign) \(text)", paint)
        line.isWhole = true
        return line
    }
}
