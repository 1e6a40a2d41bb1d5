internal import GodwitModel

/// A command that reports stage by stage.
package enum Command: String, Sendable, CaseIterable {
    /// All stages in order: the main job.
    case run
    /// Schema and legacy stages into the active store.
    case migrate
    /// One row per singleton and key.
    case dedupe
    /// The one-shot local to cloud copy.
    case copy
    /// Proof that the promises hold; reads only.
    case verify

    /// Whether the command ever writes to the container.
    var writes: Bool { self != .verify }

    /// The files that the command may write to, in the order in which a rollback puts them back: the flag first, so that the
    /// app uses a store that was not put back yet, and never one that is gone.
    var writtenRoles: [RunReport.Backup.Role] {
        switch self {
        case .run: [.preferences, .cloud, .local]
        case .copy: [.preferences, .cloud]
        case .migrate, .dedupe: [.cloud, .local]
        case .verify: []
        }
    }

    var structuredStages: StructuredStep.Stages {
        .init(
            schema: self == .run || self == .migrate, legacy: self == .run || self == .migrate,
            dedupe: self == .run || self == .dedupe)
    }

    var copies: Bool { self == .run || self == .copy }

    var verifies: Bool { self == .run || self == .verify }

    /// What is to be proven after the stages before.
    func proof(after report: RunReport) -> VerifyStep.Proof {
        let hasCopied = report.copy.map { $0.outcome.hasChanges && $0.isWhole } ?? false
        if hasCopied { return .everything }
        if self == .verify { return .later }
        return report.overallOutcome.hasChanges ? .stores : .flag
    }
}
