internal import GodwitModel

/// The annotations of a report: findings of one kind are one annotation, and there are at most ten of a level.
///
/// GitHub shows ten errors, ten warnings and ten notices of a step, and drops the rest without a word.
struct Annotations: Sendable {
    /// What GitHub shows of each level.
    static let limit = 10
    /// Names in one annotation before the rest is only counted.
    private static let listed = 5

    let commands: [WorkflowCommand]

    init(_ findings: Findings, in workspace: Workspace = Workspace()) {
        commands = WorkflowCommand.Level.allCases.flatMap { level in
            Self.fitted(Self.commands(findings, level) + Self.warnings(findings, level), level, findings)
        }.map { command in
            var located = command
            if let file = command.place?.file { located.place?.file = workspace.path(of: file) }
            return located
        }
    }

    /// Findings that share suite, kind and place; where that makes too many, suite and kind.
    private static func commands(_ findings: Findings, _ level: WorkflowCommand.Level) -> [WorkflowCommand] {
        let found = findings.suites.flatMap { suite in
            suite.findings.filter { $0.verdict.level == level }.map { (suite: suite.name, finding: $0) }
        }
        let exact = grouped(found) { GroupKey(suite: $0.suite, kind: $0.finding.kind, place: $0.finding.place) }
        let groups =
            exact.count < limit
            ? exact : grouped(found) { GroupKey(suite: $0.suite, kind: $0.finding.kind, place: nil) }
        return groups.map { group in
            let first = group[0]
            // The suite of the command itself is called like it.
            let isWhole = findings.title == "godwit \(first.suite)"
            let title = isWhole ? findings.title : "\(findings.title): \(first.suite)"
            let isAlone = isWhole && group.count == 1 && first.finding.verdict.isFailure
            return WorkflowCommand(
                level: level, title: title,
                message: isAlone ? first.finding.detail : message(group.map(\.finding)),
                place: group.lazy.compactMap(\.finding.place).first)
        }
    }

    private struct GroupKey: Hashable {
        var suite: String
        var kind: String
        var place: FilePosition?
    }

    /// In the order in which their first member comes.
    private static func grouped<Element>(_ elements: [Element], by key: (Element) -> GroupKey) -> [[Element]] {
        var order: [GroupKey] = []
        var groups: [GroupKey: [Element]] = [:]
        for element in elements {
            let key = key(element)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(element)
        }
        return order.compactMap { groups[$0] }
    }

    /// `weightUnit: in conflict; not in the value map`, or `37 in conflict: a, b, c, d, e and 32 more`.
    private static func message(_ findings: [Finding]) -> String {
        let first = findings[0]
        guard findings.count > 1 else {
            switch first.verdict {
            case .failed, .broken: return first.verdict == .broken ? first.detail : "\(first.name): \(first.detail)"
            default: return "\(first.name): \(first.kind); \(first.detail)"
            }
        }
        if first.verdict.isFailure {
            let lines = findings.prefix(listed).map { "\($0.name.shortened(to: 60)): \($0.detail)" }
            let rest = findings.things - min(findings.count, listed)
            return (lines + (rest > 0 ? ["and \(rest.grouped) more"] : [])).joined(separator: "\n")
        }
        let names = findings.prefix(listed).map { $0.name.shortened(to: 60) }.joined(separator: ", ")
        let rest = findings.things - min(findings.count, listed)
        return "\(findings.things.grouped) \(first.kind): \(names)\(rest > 0 ? " and \(rest.grouped) more" : "")"
    }

    private static func warnings(_ findings: Findings, _ level: WorkflowCommand.Level) -> [WorkflowCommand] {
        guard level == .warning else { return [] }
        return findings.warnings.map { warning in
            WorkflowCommand(
                level: level, title: "\(findings.title): \(warning.code)",
                message: [warning.message, warning.hint].compactMap(\.self).joined(separator: "\n"),
                place: warning.place)
        }
    }

    /// The first nine and how many there are more, where there are more than ten.
    private static func fitted(
        _ commands: [WorkflowCommand], _ level: WorkflowCommand.Level, _ findings: Findings
    ) -> [WorkflowCommand] {
        guard commands.count > limit else { return commands }
        let rest = commands.count - (limit - 1)
        return commands.prefix(limit - 1) + [
            WorkflowCommand(
                level: level, title: findings.title,
                message: "and \(rest.counted("more of this kind", "more of this kind")): see the log", place: nil)
        ]
    }
}

extension FindingVerdict {
    /// How much it weighs; nil where nobody needs to be told.
    fileprivate var level: WorkflowCommand.Level? {
        switch self {
        case .passed, .skipped: nil
        case .noticed: .notice
        case .doubtful: .warning
        case .failed, .broken: .error
        }
    }
}
