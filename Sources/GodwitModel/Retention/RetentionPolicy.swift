/// The rules that decide which exports of a series are kept: those of `restic forget`, in UTC.
///
/// Each rule except `within` has a number: it keeps the newest export of each of the N newest periods that have an
/// export. A rule that finds fewer periods also keeps the oldest export. An export stays if any rule keeps it; a policy
/// without rules keeps all.
///
/// Source: <https://restic.readthedocs.io/en/stable/060_forget.html#removing-snapshots-according-to-a-policy>.
package struct RetentionPolicy: Sendable, Equatable {
    /// Number to keep by each rule; `Int.max` for all.
    package var counts: [RetentionRule: Int]
    /// Keeps every export not older than this, counted back from the newest one; nil for no such rule.
    package var within: CalendarSpan?

    package init(counts: [RetentionRule: Int] = [:], within: CalendarSpan? = nil) {
        self.counts = counts.filter { $0.value > 0 }
        self.within = within
    }

    /// Whether there is no rule, so that nothing is removed.
    package var isEmpty: Bool { counts.isEmpty && within == nil }

    /// The rules as options: `--keep-daily 7`.
    package var words: [String] {
        var words = RetentionRule.allCases.compactMap { rule in
            counts[rule].map { "--keep-\(rule.rawValue) \($0 == .max ? "unlimited" : "\($0)")" }
        }
        if let within { words.append("--keep-within \(within)") }
        return words
    }

    /// The reasons to keep each export; an empty list for one that is not kept.
    ///
    /// - Parameter dates: The dates of one series, newest first.
    /// - Returns: The reasons for each date, in the same order.
    package func reasons(for dates: [Instant]) -> [[String]] {
        var reasons: [[String]] = Array(repeating: [], count: dates.count)
        guard !isEmpty else { return dates.map { _ in ["there is no policy"] } }
        for rule in RetentionRule.allCases {
            guard var left = counts[rule] else { continue }
            var last: Int64?
            for (number, date) in dates.enumerated() where left > 0 {
                let period = rule.period(of: date, number)
                let isOldest = number == dates.count - 1
                guard period != last || isOldest else { continue }
                reasons[number].append(period == last ? "oldest \(rule.words)" : rule.words)
                last = period
                if left < .max { left -= 1 }
            }
        }
        if let within, let newest = dates.first {
            let limit = within.before(newest)
            for (number, date) in dates.enumerated() where date > limit { reasons[number].append("within \(within)") }
        }
        return reasons
    }
}

/// A rule that keeps one export of each period.
package enum RetentionRule: String, Sendable, CaseIterable {
    case last, hourly, daily, weekly, monthly, yearly

    /// The rule's name in a reason.
    var words: String { self == .last ? "last" : "\(rawValue) export" }

    /// A number that is equal for two dates in the same UTC period; weeks follow ISO 8601 and begin on Monday.
    func period(of date: Instant, _ number: Int) -> Int64 {
        let days = date.seconds.flooredDivision(by: 86_400)
        switch self {
        case .last: return Int64(number)
        case .hourly: return date.seconds.flooredDivision(by: 3600)
        case .daily: return days
        // 1970-01-01 was a Thursday.
        case .weekly: return (days + 3).flooredDivision(by: 7)
        case .monthly:
            let (year, month, _) = Instant.civil(days: days)
            return year * 12 + month
        case .yearly: return Instant.civil(days: days).year
        }
    }
}
