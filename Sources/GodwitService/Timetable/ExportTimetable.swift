/// Decides when the next export is due, from what was seen and how the last ones ended; pure.
///
/// All times are milliseconds of one clock that never goes back. Invariant: while exports fail, only time, the network
/// coming back or a reload leads to the next one; so a store that is written all the while can't wear out what fails.
package struct ExportTimetable: Sendable, Equatable {
    /// What the timetable goes by.
    package struct Rules: Sendable, Equatable {
        /// From the beginning of one export to that of the next.
        package var every: Int64
        /// How long the stores must have been quiet before a change is exported.
        package var debounce: Int64
        /// The delay after a first failure; each further one doubles it.
        package var firstRetry: Int64 = 5_000
        /// The longest delay after a failure; the interval, if that is shorter.
        package var longestRetry: Int64 = 900_000
        /// The longest delay where the interval is even shorter than this.
        package var shortestLimit: Int64 = 60_000
        /// Exports that changes lead to take at most one part in so many of the time.
        package var restShare: Int64 = 10

        package init(every: Int64, debounce: Int64) {
            (self.every, self.debounce) = (max(1, every), max(0, debounce))
        }
    }

    /// Why an export is due.
    package enum Cause: String, Sendable, Codable, CaseIterable {
        /// The service began.
        case start
        /// The interval is over.
        case interval
        /// Something was written, and it has been quiet since.
        case change
        /// The network came back.
        case network
        /// The last one failed.
        case retry
        /// The manifest was read anew.
        case reload
    }

    package var rules: Rules
    private var beganAt: Int64?
    private var endedAt: Int64?
    /// When something was last written that no export has begun after.
    private var changedAt: Int64?
    private var failures = 0
    private var retryAt: Int64?
    private var wanted: Cause? = .start

    /// The timetable of a service that begins.
    package init(rules: Rules) { self.rules = rules }

    /// Something was written.
    package mutating func noteChange(at now: Int64) { changedAt = now }

    /// The network can be reached again.
    package mutating func noteNetworkRegained() { ask(for: .network) }

    /// The manifest was read anew.
    package mutating func noteReload() { ask(for: .reload) }

    private mutating func ask(for cause: Cause) {
        if wanted == nil { wanted = cause }
    }

    /// An export begins: it will show whatever was written until now.
    package mutating func begin(at now: Int64) {
        (beganAt, changedAt, wanted, retryAt) = (now, nil, nil, nil)
    }

    /// The export that began last ended well.
    package mutating func succeed(at now: Int64) {
        (endedAt, failures) = (now, 0)
    }

    /// The export that began last failed.
    ///
    /// - Parameter jitter: from 0 to 1; half of the delay is left to it, so that many that failed together don't all come
    ///   back together: <https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/>, "equal jitter".
    /// - Returns: the delay until the next attempt.
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

    /// Why an export is due now; nil while none is.
    package func cause(at now: Int64) -> Cause? {
        if let wanted { return wanted }
        if let retryAt { return now >= retryAt ? .retry : nil }
        if let changeDue, now >= changeDue { return .change }
        guard let beganAt else { return .start }
        return now >= beganAt + rules.every ? .interval : nil
    }

    /// When the next export is due as far as is known; in the past where it is due already.
    package func due(at now: Int64) -> Int64 {
        if wanted != nil { return now }
        if let retryAt { return retryAt }
        let interval = beganAt.map { $0 + rules.every } ?? now
        return min(interval, changeDue ?? interval)
    }

    /// When what was written is quiet for long enough, and the last export long enough ago for its length.
    private var changeDue: Int64? {
        guard let changedAt else { return nil }
        var due = changedAt + rules.debounce
        if let beganAt, let endedAt { due = max(due, endedAt + (endedAt - beganAt) * (rules.restShare - 1)) }
        return due
    }
}
