import GodwitModel

extension FleetReport: ReadableReport {
    /// A line for each container, with what is wrong below it, and the sums at the end.
    package func text(_ style: TextStyle) -> String {
        var page = TextPage(style)
        page.add(TextLine([Painted("godwit \(command):", .strong)], "\(app), all containers below \(folder)"))
        page.addGap()
        let columns = min(40, containers.map { $0.container.escapingControls.displayWidth }.max() ?? 0)
        for entry in containers { for line in entry.lines(style, columns) { page.add(line) } }
        page.addGap()
        let bad = containers.count { $0.verdict != .passed }
        let time = TimePhrase.duration(milliseconds: durationMilliseconds)
        page.add(TextLine(bad == 0 ? .good : .bad, "\(sums) in \(time).", bad == 0 ? .strong : .bad))
        return page.text
    }

    /// `3 containers: 2 passed, 1 failed`.
    var sums: String {
        let all = containers.count.counted("container")
        let parts: [(FleetVerdict, String)] = [
            (.passed, "passed"), (.failed, "failed"), (.unreadable, "can't be verified"),
        ]
        let shown = parts.compactMap { verdict, words -> String? in
            let number = counts[verdict.rawValue] ?? 0
            return number > 0 ? "\(number.grouped) \(words)" : nil
        }
        return "\(all): \(shown.joined(separator: ", "))"
    }
}

extension FleetEntry {
    /// The sign of its verdict.
    var symbol: Symbol {
        switch verdict {
        case .passed, .completed, .unchanged: .good
        case .partial: .caution
        case .failed: .bad
        case .unreadable: .caution
        }
    }

    /// What came of it, in a few words.
    var words: String {
        switch verdict {
        case .passed: "\(passed.counted("check")) passed\(expected)"
        case .failed where failed.isEmpty: "\(passed.counted("check")) passed\(expected)"
        case .failed: "\(failed.count.grouped) of \((passed + failed.count).counted("check")) failed\(expected)"
        case .unreadable: "can't be verified"
        default: verdict.rawValue
        }
    }

    /// The container, and below it what is wrong with it.
    func lines(_ style: TextStyle, _ columns: Int) -> [TextLine] {
        var lines = [TextLine([symbol.painted, Painted(container + ":", .strong, padded: columns + 1)], words)]
        for check in failed {
            lines.append(TextLine(indent: 4, [Symbol.bad.painted, Painted(check.name, .strong)], check.detail))
        }
        if let expectation, expectation.verdict == .differs {
            lines += expectation.lines(style).map { line in
                var line = line
                line.indent += 4
                return line
            }
        }
        if let error {
            lines.append(TextLine(indent: 4, [], "\(error.message) (\(error.code))", .caution))
            if let hint = error.hint { lines.append(TextLine(indent: 4, .pointer, hint)) }
        }
        return lines
    }

    private var expected: String {
        switch expectation?.verdict {
        case nil: ""
        case .met: ", as expected"
        case .differs: ", not as expected"
        case .written: ", expectation written"
        case .unchanged: ", expectation unchanged"
        }
    }
}
