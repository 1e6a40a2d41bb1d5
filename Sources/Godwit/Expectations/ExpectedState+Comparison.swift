package import GodwitModel

/// Decides what differs; a pure function of two documents.
extension ExpectedState {
    /// Lines that a comparison lists at most.
    package static let listed = 2000

    /// Compares what a file expects with what was found.
    ///
    /// A part that the file leaves out is not compared, nor is one that the container can't be asked for any more.
    package func compare(with found: ExpectedState, file: String) -> ExpectationReport {
        let (expected, rest, notCompared) = comparable(with: found)
        let lines = LineDifference.between(expected.lines, rest.lines)
        return ExpectationReport(
            file: file, verdict: lines.isEmpty ? .met : .differs, differences: Array(lines.prefix(Self.listed)),
            omitted: lines.dropFirst(Self.listed).count { $0.kind != .same }, notCompared: notCompared)
    }

    /// Both as far as both speak of the same.
    private func comparable(
        with found: ExpectedState
    ) -> (expected: ExpectedState, found: ExpectedState, notCompared: [String]) {
        var (expected, found) = (self, found)
        var notCompared: [String] = []
        found.members = found.members.filter { member in expected[member.key] != nil }
        // Only the run that imports knows the outcome of each key.
        if let wanted = expected.legacyMembers, let seen = found.legacyMembers {
            let isKnown = seen.contains { $0.hasKey("keys") }
            if !isKnown, wanted.contains(where: { $0.hasKey("keys") }) {
                expected.set("legacy", .dictionary(wanted.filter { !$0.hasKey("keys") }))
                notCompared.append("legacy.keys")
            }
            found.set("legacy", .dictionary(seen.filter { pair in wanted.contains { $0.hasKey(pair.key) } }))
        }
        return (expected, found, notCompared)
    }

    private var legacyMembers: [LegacyPair]? {
        guard case .dictionary(let pairs)? = self["legacy"] else { return nil }
        return pairs
    }

    /// Replaces a part that is there.
    private mutating func set(_ part: String, _ value: LegacyValue) {
        members = members.map { $0.hasKey(part) ? LegacyPair(key: part, value: value) : $0 }
    }

    /// The same with the parts that can't be asked for any more taken from what was there: `--update-expect` must not
    /// forget them.
    package func keeping(_ earlier: ExpectedState) -> ExpectedState {
        guard let seen = legacyMembers, !seen.contains(where: { $0.hasKey("keys") }),
            let keys = earlier.legacyMembers?.first(where: { $0.hasKey("keys") })
        else { return self }
        var kept = self
        kept.set("legacy", .dictionary(seen + [keys]))
        return kept
    }
}

/// Where two lists of lines differ.
package enum LineDifference {
    /// Lines around a difference that are shown for orientation.
    private static let context = 2
    /// Above this many comparisons, what differs is not matched line by line any more.
    private static let limit = 4_000_000

    /// The lines that only one of the two has, the expected ones first, with the lines around them; empty if both are equal.
    package static func between(_ expected: [ExpectedState.Line], _ found: [ExpectedState.Line]) -> [ExpectedLine] {
        let all = merged(expected, found)
        let changed = all.indices.filter { all[$0].kind != .same }
        guard !changed.isEmpty else { return [] }
        var shown: Set<Int> = []
        for index in changed {
            for near in max(0, index - context)...min(all.count - 1, index + context)
            where all[near].part == all[index].part || near == index { shown.insert(near) }
        }
        return shown.sorted().map { all[$0] }
    }

    /// Both lists as one.
    private static func merged(_ expected: [ExpectedState.Line], _ found: [ExpectedState.Line]) -> [ExpectedLine] {
        let (a, b) = (expected.map(Key.init), found.map(Key.init))
        let start = zip(a, b).prefix { $0 == $1 }.count
        let end = zip(a[start...].reversed(), b[start...].reversed()).prefix { $0 == $1 }.count
        let (mine, theirs) = (a[start..<(a.count - end)], b[start..<(b.count - end)])
        return a[..<start].map { $0.line(.same) } + changes(Array(mine), Array(theirs))
            + a[(a.count - end)...].map { $0.line(.same) }
    }

    private static func changes(_ a: [Key], _ b: [Key]) -> [ExpectedLine] {
        guard a.count * b.count <= limit else { return a.map { $0.line(.expected) } + b.map { $0.line(.found) } }
        var (gone, new): (Set<Int>, Set<Int>) = ([], [])
        for change in b.difference(from: a) {
            switch change {
            case .remove(let offset, _, _): gone.insert(offset)
            case .insert(let offset, _, _): new.insert(offset)
            }
        }
        var lines: [ExpectedLine] = []
        var (i, j) = (0, 0)
        while i < a.count || j < b.count {
            if i < a.count, gone.contains(i) {
                lines.append(a[i].line(.expected))
                i += 1
            } else if j < b.count, new.contains(j) {
                lines.append(b[j].line(.found))
                j += 1
            } else {
                lines.append(a[i].line(.same))
                (i, j) = (i + 1, j + 1)
            }
        }
        return lines
    }

    /// Two lines are equal if their bytes and their part are, with or without a comma at the end.
    private struct Key: Equatable {
        let part: String
        let text: String

        init(_ line: ExpectedState.Line) { (part, text) = (line.part, line.text) }

        static func == (a: Key, b: Key) -> Bool {
            a.part.utf8.elementsEqual(b.part.utf8) && a.text.utf8.elementsEqual(b.text.utf8)
        }

        func line(_ kind: ExpectedLineKind) -> ExpectedLine { ExpectedLine(kind, part: part, text) }
    }
}
