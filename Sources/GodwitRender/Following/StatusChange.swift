package import GodwitModel

/// The content of a status in comparable parts, for a log with one line for each change.
package struct WatchedState: Sendable, Equatable {
    /// One piece.
    struct Fact: Sendable, Equatable {
        /// The subject.
        let subject: String
        /// The text in the log.
        let words: String
    }

    /// The summary and the user's status, which each line begins with.
    let head: String
    let facts: [Fact]

    /// The state that a report shows.
    package init(_ report: StatusReport) {
        head = "\(report.sync.status.rawValue) \(report.userStatus.state)"
        var facts = [
            Fact(subject: "active", words: "active store \(report.activeStore?.rawValue ?? "none")"),
            Fact(subject: "copy", words: "copy \(report.copy.rawValue)"),
        ]
        facts += report.phases.map { phase in
            Fact(
                subject: phase.phase, words: "\(phase.phase) \(phase.phrase(TimeWords(now: .epoch, isAbsolute: true)))")
        }
        facts.append(Fact(subject: "pending", words: report.pendingWords))
        facts.append(Fact(subject: "account", words: "account \(report.sync.availability.phrase)"))
        facts.append(Fact(subject: "network", words: "network \(report.sync.network.rawValue)"))
        if let running = report.running { facts.append(Fact(subject: "run at work", words: running.steps)) }
        if let run = report.lastRuns.first {
            let words = "last run \(run.command) \(run.startedAt.iso8601) \(run.outcome.phrase)"
            facts.append(Fact(subject: "run", words: words))
        }
        if let notice = report.choice?.notice {
            facts.append(Fact(subject: "notice", words: "notice \(notice.rawValue)"))
        }
        for warning in report.warnings {
            facts.append(Fact(subject: "warning", words: "warning \(warning.code): \(warning.message)"))
        }
        self.facts = facts
    }

    /// The differences from an earlier state, in words; the whole state without an earlier one, empty without
    /// differences.
    package func changes(since earlier: WatchedState?) -> [String] {
        guard let earlier else { return facts.map(\.words) }
        var changes = facts.filter { !earlier.facts.contains($0) }.map(\.words)
        let subjects = Set(facts.map(\.subject))
        changes += earlier.facts.filter { !subjects.contains($0.subject) }.map { "no \($0.subject) any more" }
        if changes.isEmpty, head != earlier.head { changes = ["now \(head)"] }
        return changes
    }

    /// A line of a log, without its end: time, summary, the user's status, then the changes; nil if nothing changed.
    ///
    /// - Parameter message: the text for the user, which is added if the user's status changed.
    package func line(at time: Instant, since earlier: WatchedState?, message: String) -> String? {
        var changes = changes(since: earlier)
        guard !changes.isEmpty else { return nil }
        if head != earlier?.head { changes.append(message) }
        return "\(time.iso8601) \(head): \(changes.joined(separator: "; "))".escapingControls
    }

    /// A line of a log for a status that could not be read.
    package static func line(at time: Instant, failure: GodwitError) -> String {
        "\(time.iso8601) error \(failure.code.rawValue): \(failure.messageWithCause)".escapingControls
    }
}

extension StatusReport {
    fileprivate var pendingWords: String {
        guard let pendingChanges else { return "pending not known" }
        return pendingChanges.total == 0 ? "nothing pending" : "\(pendingChanges.total.grouped) pending"
    }
}

extension StatusReport.Running {
    /// `run at work: copy 40 %`, in steps of ten, so that a log stays short.
    fileprivate var steps: String {
        let work = "run at work: \(stage.rawValue)"
        guard let total, total > 0 else { return work }
        return "\(work) \(Int(Double(max(0, min(completed, total))) / Double(total) * 10) * 10) %"
    }
}
