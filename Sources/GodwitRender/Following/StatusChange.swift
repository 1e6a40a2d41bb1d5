package import GodwitModel

/// What a status says at one moment, in pieces that can be compared, for a log that has one line for each change.
package struct WatchedState: Sendable, Equatable {
    /// One piece.
    struct Fact: Sendable, Equatable {
        /// What it is about.
        let subject: String
        /// What the log says of it.
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

    /// What differs from an earlier state, in words; everything if there is none, nothing if nothing does.
    package func changes(since earlier: WatchedState?) -> [String] {
        guard let earlier else { return facts.map(\.words) }
        var changes = facts.filter { !earlier.facts.contains($0) }.map(\.words)
        let subjects = Set(facts.map(\.subject))
        changes += earlier.facts.filter { !subjects.contains($0.subject) }.map { "no \($0.subject) any more" }
        if changes.isEmpty, head != earlier.head { changes = ["now \(head)"] }
        return changes
    }

    /// A line of a log, without its end: time, summary, the user's status, then what changed; nil if nothing did.
    ///
    /// - Parameter message: what the user is shown, put behind where the user's status is another than before.
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
    /// `run at work: copy 40 %`, in steps of ten, so that a log does not fill with it.
    fileprivate var steps: String {
        let work = "run at work: \(stage.rawValue)"
        guard let total, total > 0 else { return work }
        return "\(work) \(Int(Double(max(0, min(completed, total))) / Double(total) * 10) * 10) %"
    }
}
