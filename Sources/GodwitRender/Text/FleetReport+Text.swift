internal import GodwitModel

extension FleetReport: ReadableReport {
    /// Containers listed one by one before those that are fine are only counted.
    private static let listed = 40
    /// With more containers than this, the report shows which took longest.
    private static let timed = 10

    /// A line for each container, with what is wrong below it, and the sums at the end.
    package func text(_ style: TextStyle) -> String {
        var page = TextPage(style)
        page.add(TextLine([Painted("\(title):", .strong)], "\(app), \(whole)"))
        for note in notes { page.add(TextLine(indent: 2, .item, "\(note).")) }
        page.addGap()
        let shown =
            containers.count <= Self.listed || style.verbose ? containers : containers.filter { !$0.isFine }
        let columns = min(40, shown.map { $0.container.escapingControls.displayWidth }.max() ?? 0)
        for entry in shown { for line in entry.lines(style, columns, words) { page.add(line) } }
        page.addGap()
        if containers.count > Self.timed || style.verbose {
            for line in slowestLines { page.add(line) }
            page.addGap()
        }
        if let absentKeys {
            let shown = absentKeys.prefix(style.listed(3, of: absentKeys.count)).map { "'\($0)'" }.joined(
                separator: ", ")
            let rest = absentKeys.count - absentKeys.prefix(style.listed(3, of: absentKeys.count)).count
            let more = rest > 0 ? " and \(rest.grouped) more" : ""
            page.add(
                TextLine(
                    .item,
                    "No container has \(absentKeys.count == 1 ? "the mapped key" : "the mapped keys") \(shown)\(more).")
            )
            page.add(TextLine(indent: 2, .pointer, "Check the spelling in the manifest."))
            page.addGap()
        }
        page.add(nextSteps: nextSteps)
        let time = TimePhrase.duration(milliseconds: durationMilliseconds)
        page.add(TextLine(symbol, "\(sums) in \(time).", symbol == .bad ? .bad : .strong))
        return page.text
    }

    /// `godwit run --dry-run`.
    var title: String { "godwit \(command)\(dryRun ? " --dry-run" : "")" }

    /// The words of the command.
    var words: FleetWords { FleetWords(command: FleetCommand(rawValue: command) ?? .verify, isDryRun: dryRun) }

    /// Where the containers are; `-` is what the command calls standard input.
    var whole: String { folder == "-" ? "all containers listed on standard input" : "all containers of \(folder)" }

    /// The sign of the whole: that of the worst.
    var symbol: Symbol {
        if containers.contains(where: { $0.verdict == .failed || $0.verdict == .unreadable }) { return .bad }
        return containers.contains { $0.verdict == .partial || $0.warnings != nil } ? .caution : .good
    }

    /// The shard, the merged reports, and the containers that were done before.
    var notes: [String] {
        var notes: [String] = []
        if let shard {
            let size = fleet.map { " of a fleet of \($0.containers.counted("container"))" } ?? ""
            notes.append("shard \(shard)\(size)")
        }
        if let clock { notes.append(clock.phrase) }
        if let shards { notes.append("merged from \(shards.counted("shard"))") }
        if doneEarlier > 0 {
            notes.append("\(doneEarlier.grouped) \(doneEarlier == 1 ? "was" : "were") done earlier, by the journal")
        }
        return notes
    }

    /// How to go back with one of the containers that have a backup: the first that did not end well, else the first.
    var nextSteps: [String] {
        let backed = containers.filter { $0.backup?.rollback != nil }
        guard let entry = backed.first(where: { !$0.isFine }) ?? backed.first, let backup = entry.backup?.rollback
        else { return [] }
        let name = entry.container.escapingControls.replacing(": ", with: ":")
        return [
            "To go back to the state of \(name) before this run (JSON has the command of each container): \(backup)"
        ]
    }

    /// `3 containers: 1 passed, 2 failed`.
    var sums: String {
        var parts = FleetWords.order.compactMap { verdict -> String? in
            let number = counts[verdict.rawValue] ?? 0
            return number > 0 ? "\(number.grouped) \(words.counted(verdict))" : nil
        }
        let warned = containers.count { $0.warnings != nil }
        if warned > 0 { parts.append("\(warned.grouped) with warnings") }
        let all = containers.count.counted("container")
        return parts.isEmpty ? all : "\(all): \(parts.joined(separator: ", "))"
    }

    /// The slowest containers with their durations; empty if there are few containers.
    var timings: [FleetTiming] { containers.count > Self.timed ? slowest : [] }

    private var slowestLines: [TextLine] {
        guard !slowest.isEmpty else { return [] }
        let times = slowest.map { TimePhrase.duration(milliseconds: $0.durationMilliseconds) }
        let width = times.map(\.displayWidth).max() ?? 0
        return [TextLine([Painted("Slowest", .strong)])]
            + zip(times, slowest).map { TextLine(indent: 2, [Painted($0.aligned(right: width))], $1.container) }
    }
}

extension FleetEntry {
    /// The container, and below it what is wrong with it.
    func lines(_ style: TextStyle, _ columns: Int, _ words: FleetWords) -> [TextLine] {
        let symbol = words.symbol(of: verdict)
        var lines = [
            TextLine(
                [symbol.painted, Painted(container + ":", .strong, padded: columns + 1)], words.headline(of: self))
        ]
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
        for warning in warnings ?? [] {
            lines.append(TextLine(indent: 4, [Symbol.caution.painted], warning.message, .caution))
            if let hint = warning.hint { lines.append(TextLine(indent: 6, .pointer, hint)) }
        }
        if let error {
            let paint: Paint = verdict == .failed ? .bad : .caution
            lines.append(TextLine(indent: 4, [], "\(error.message) (\(error.code))", paint))
            if let hint = error.hint { lines.append(TextLine(indent: 4, .pointer, hint)) }
        }
        return lines
    }
}
