/// Which exports of a series are kept: the rules of `restic forget`, in UTC.
///
/// Each rule but `within` has a number: so many of the newest periods that have an export at all, and of each of them the
/// newest one. A rule that finds fewer periods than it may keep keeps the oldest export as well. What any rule keeps,
/// stays; a policy without a rule keeps all.
///
/// Source: <https://restic.readthedocs.io/en/stable/060_forget.html#removing-snapshots-according-to-a-policy>.
package struct RetentionPolicy: Sendable, Equatable {
    /// How many to keep by each rule; `Int.max` for all there are.
    package var counts: [RetentionRule: Int]
    /// Everything that is not older than this, counted back from the newest; nil where that is no rule.
    package var within: CalendarSpan?

    package init(counts: [RetentionRule: Int] = [:], within: CalendarSpan? = nil) {
        self.counts = counts.filter { $0.value > 0 }
        self.within = within
    }

    /// Whether there is no rule, so that nothing is ever removed.
    package var isEmpty: Bool { counts.isEmpty && within == nil }

    /// The rules as options: `--keep-daily 7`.
    package var words: [String] {
        var words = RetentionRule.allCases.compactMap { rule in
            counts[rule].map { "--keep-\(rule.rawValue) \($0 == .max ? "unlimited" : "\($0)")" }
        }
        if let within { words.append("--keep-within \(within)") }
        return words
    }

    /// Why each of these dates is kept; nothing where it is not.
    ///
    /// - Parameter dates: of one series, the newest first.
    /// - Returns: the reasons for each, in the same order.
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

/// A rule that keeps one export of each of so many periods.
package enum RetentionRule: String, Sendable, CaseIterable {
    case last, hourly, daily, weekly, monthly, yearly

    /// What it is called where it is the reason.
    var words: String { self == .last ? "last" : "\(rawValue) export" }

    /// Equal for two dates exactly if they lie in the same period, UTC; weeks are those of ISO 8601, from Monday on.
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
