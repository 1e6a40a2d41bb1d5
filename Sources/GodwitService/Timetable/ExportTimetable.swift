/// Decides when the next export is due, from events and the results of the last exports; pure.
///
/// All times are milliseconds of one clock that never goes back. Invariant: after a failure, only time, the network or
/// a reload leads to the next export, so that a store with constant writes does not cause constant attempts.
package struct ExportTimetable: Sendable, Equatable {
    /// The rules of the timetable, in milliseconds.
    package struct Rules: Sendable, Equatable {
        /// From the start of one export to the start of the next.
        package var every: Int64
        /// Time without changes before a change is exported.
        package var debounce: Int64
        /// The delay after a first failure; each further failure doubles it.
        package var firstRetry: Int64 = 5_000
        /// The longest delay after a failure, unless the interval is shorter.
        package var longestRetry: Int64 = 900_000
        /// A lower bound of the longest delay, for short intervals.
        package var shortestLimit: Int64 = 60_000
        /// Exports caused by changes take at most one part in this many of the time.
        package var restShare: Int64 = 10

        package init(every: Int64, debounce: Int64) {
            (self.every, self.debounce) = (max(1, every), max(0, debounce))
        }
    }

    /// Why an export is due.
    package enum Cause: String, Sendable, Codable, CaseIterable {
        case start
        case interval
        /// A store was written, and no further write followed.
        case change
        case network
        case retry
        case reload
    }

    package var rules: Rules
    private var beganAt: Int64?
    private var endedAt: Int64?
    /// The last write after which no export has begun.
    private var changedAt: Int64?
    private var failures = 0
    private var retryAt: Int64?
    private var wanted: Cause? = .start

    package init(rules: Rules) { self.rules = rules }

    package mutating func noteChange(at now: Int64) { changedAt = now }

    package mutating func noteNetworkRegained() { ask(for: .network) }

    package mutating func noteReload() { ask(for: .reload) }

    private mutating func ask(for cause: Cause) {
        if wanted == nil { wanted = cause }
    }

    /// Records the start of an export, which includes all writes until now.
    package mutating func begin(at now: Int64) {
        (beganAt, changedAt, wanted, retryAt) = (now, nil, nil, nil)
    }

    package mutating func succeed(at now: Int64) {
        (endedAt, failures) = (now, 0)
    }

    /// Records that the last export failed.
    ///
    /// - Parameter jitter: From 0 to 1; it decides half of the delay, so that services that failed together do not
    ///   retry together: <https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/>, "equal jitter".
    /// - Returns: The delay until the next attempt.
    @discardableResult
    package mutating func fail(at now: Int64, jitter: Double) -> Int64 {
        failures += 1
        let longest = min(rules.longestRetry, max(rules.every, rules.shortestLimit))
        var delay = min(rules.firstRetry, rules.every)
        for _ in 1..<max(failures, 1) where delay < longest { delay = min(delay * 2, longest) }
        delay = delay / 2 + Int64(Double(delay - delay / 2) * min(max(jitter, 0), 1))
        (endedAt, retryAt) = (now, now + delay)
        return delay
    }

    /// Why an export is due now; nil if none is.
    package func cause(at now: Int64) -> Cause? {
        if let wanted { return wanted }
        if let retryAt { return now >= retryAt ? .retry : nil }
        if let changeDue, now >= changeDue { return .change }
        guard let beganAt else { return .start }
        return now >= beganAt + rules.every ? .interval : nil
    }

    /// When the next export is due; in the past if it is already due.
    package func due(at now: Int64) -> Int64 {
        if wanted != nil { return now }
        if let retryAt { return retryAt }
        let interval = beganAt.map { $0 + rules.every } ?? now
        return min(interval, changeDue ?? interval)
    }

    /// When a change is due: no write for the debounce time, and enough time since the last export for its duration.
    private var changeDue: Int64? {
        guard let changedAt else { return nil }
        var due = changedAt + rules.debounce
        if let beganAt, let endedAt { due = max(due, endedAt + (endedAt - beganAt) * (rules.restShare - 1)) }
        return due
    }
}
