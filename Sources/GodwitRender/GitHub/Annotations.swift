internal import GodwitModel

/// The annotations of a report: items of one kind are one annotation, and there are at most ten of a level.
///
/// GitHub shows ten errors, ten warnings and ten notices of a step, and drops the rest without a message.
struct Annotations: Sendable {
    /// Annotations of one level that GitHub shows.
    static let maxOfLevel = 10
    /// Names in one annotation; more are only counted.
    private static let maxListed = 5

    let commands: [WorkflowCommand]

    init(_ outline: ReportOutline, in workspace: Workspace = Workspace()) {
        commands = WorkflowCommand.Level.allCases.flatMap { level in
            Self.fitted(Self.commands(outline, level) + Self.warnings(outline, level), level, outline)
        }.map { command in
            var located = command
            if let file = command.position?.file { located.position?.file = workspace.path(of: file) }
            return located
        }
    }

    /// One for the items that share section, kind and position; if these are too many, section and kind.
    private static func commands(_ outline: ReportOutline, _ level: WorkflowCommand.Level) -> [WorkflowCommand] {
        let found = outline.sections.flatMap { section in
            section.items.filter { $0.verdict.level == level }.map { (section: section.name, item: $0) }
        }
        let exact = grouped(found) { GroupKey(section: $0.section, kind: $0.item.kind, position: $0.item.position) }
        let groups =
            exact.count < maxOfLevel
            ? exact : grouped(found) { GroupKey(section: $0.section, kind: $0.item.kind, position: nil) }
        return groups.map { group in
            let first = group[0]
            // The section of the command as a whole has the name of the command.
            let isWhole = outline.title == "godwit \(first.section)"
            let title = isWhole ? outline.title : "\(outline.title): \(first.section)"
            let isAlone = isWhole && group.count == 1 && first.item.verdict.isFailure
            return WorkflowCommand(
                level: level, title: title,
                message: isAlone ? first.item.detail : message(group.map(\.item)),
                position: group.lazy.compactMap(\.item.position).first)
        }
    }

    private struct GroupKey: Hashable {
        var section: String
        var kind: String
        var position: GodwitError.Position?
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
    private static func message(_ items: [OutlineItem]) -> String {
        let first = items[0]
        guard items.count > 1 else {
            switch first.verdict {
            case .failed, .broken: return first.verdict == .broken ? first.detail : "\(first.name): \(first.detail)"
            default: return "\(first.name): \(first.kind); \(first.detail)"
            }
        }
        if first.verdict.isFailure {
            let lines = items.prefix(maxListed).map { "\($0.name.shortened(to: 60)): \($0.detail)" }
            let rest = items.total - min(items.count, maxListed)
            return (lines + (rest > 0 ? ["and \(rest.grouped) more"] : [])).joined(separator: "\n")
        }
        let names = items.prefix(maxListed).map { $0.name.shortened(to: 60) }.joined(separator: ", ")
        let rest = items.total - min(items.count, maxListed)
        return "\(items.total.grouped) \(first.kind): \(names)\(rest > 0 ? " and \(rest.grouped) more" : "")"
    }

    private static func warnings(_ outline: ReportOutline, _ level: WorkflowCommand.Level) -> [WorkflowCommand] {
        guard level == .warning else { return [] }
        return outline.warnings.map { warning in
            WorkflowCommand(
                level: level, title: "\(outline.title): \(warning.code)",
                message: [warning.message, warning.hint].compactMap(\.self).joined(separator: "\n"),
                position: warning.position)
        }
    }

    /// At most ten: of more, the first nine and the number of the others.
    private static func fitted(
        _ commands: [WorkflowCommand], _ level: WorkflowCommand.Level, _ outline: ReportOutline
    ) -> [WorkflowCommand] {
        guard commands.count > maxOfLevel else { return commands }
        let rest = commands.count - (maxOfLevel - 1)
        return commands.prefix(maxOfLevel - 1) + [
            WorkflowCommand(
                level: level, title: outline.title,
                message: "and \(rest.counted("more of this kind", "more of this kind")): see the log", position: nil)
        ]
    }
}

extension ItemVerdict {
    /// The level of its annotation; nil for none.
    fileprivate var level: WorkflowCommand.Level? {
        switch self {
        case .passed, .skipped: nil
        case .noticed: .notice
        case .doubtful: .warning
        case .failed, .broken: .error
        }
    }
}
