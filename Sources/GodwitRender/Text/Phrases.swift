package import GodwitModel

/// Words for numbers, spans and instants. Counts of entities are shown with the entity's own name, never a plural of it.
extension Dictionary where Key == String, Value: BinaryInteger {
    /// `600 ExerciseSet, 40 Workout`: by name, as a dictionary does not keep the manifest's order.
    var listedByName: String {
        sorted { $0.key < $1.key }.map { "\($0.value.grouped) \($0.key)" }.joined(separator: ", ")
    }

    /// The sum of all values; a number beyond all numbers counts as the largest.
    var total: Int64 {
        values.reduce(0) { sum, value in
            let (more, overflow) = sum.addingReportingOverflow(Int64(clamping: value))
            return overflow ? .max : more
        }
    }
}

/// Spans of time.
package enum TimePhrase {
    /// `412 ms`, `1.2 s`, `2 min 5 s`, `1 h 3 min`.
    package static func duration(milliseconds: Int64) -> String {
        let whole = max(0, milliseconds)
        switch whole {
        case ..<1000: return "\(whole) ms"
        case ..<60_000: return "\(whole / 1000).\(whole % 1000 / 100) s"
        case ..<3_600_000: return "\(whole / 60_000) min \(whole / 1000 % 60) s"
        default: return "\((whole / 3_600_000).grouped) h \(whole / 60_000 % 60) min"
        }
    }

    /// `1 minute`, `5 hours`, `12 days`: only the largest unit.
    package static func age(seconds: Int64) -> String {
        switch seconds {
        case ..<60: max(0, seconds).counted("second")
        case ..<3600: (seconds / 60).counted("minute")
        case ..<86_400: (seconds / 3600).counted("hour")
        default: (seconds / 86_400).counted("day")
        }
    }

    /// `just now`, `5 minutes ago`, `in 2 hours`; from 30 days on the date.
    package static func relative(_ instant: Instant, asOf now: Instant) -> String {
        let (distance, overflow) = now.seconds.subtractingReportingOverflow(instant.seconds)
        guard !overflow, distance.magnitude < 30 * 86_400 else {
            return String(instant.iso8601.prefix(10))
        }
        if distance.magnitude < 60 { return "just now" }
        return distance > 0 ? "\(age(seconds: distance)) ago" : "in \(age(seconds: -distance))"
    }
}

/// How a report says when something was.
struct TimeWords: Sendable {
    /// The time the report speaks of.
    let now: Instant
    /// Whether times are shown as ISO 8601 instead of ages.
    var isAbsolute = false

    /// `5 minutes ago`, or `2026-03-01T07:15:00.000Z`.
    func phrase(_ instant: Instant) -> String {
        isAbsolute ? instant.iso8601 : TimePhrase.relative(instant, asOf: now)
    }
}

extension Instant {
    /// `2026-03-01 07:15:00 UTC`, with milliseconds only if they are not 0.
    package var readable: String {
        let text = iso8601
        let fraction = text.dropFirst(19).dropLast()
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))\(fraction == ".000" ? "" : fraction) UTC"
    }
}

extension StoreRole {
    /// `cloud store`.
    var phrase: String { "\(rawValue) store" }
}

extension Outcome {
    /// The sign for the outcome; what a dry run would change gets an arrow.
    func symbol(planned: Bool) -> Symbol {
        switch self {
        case .done, .healed: planned ? .pointer : .good
        case .alreadyDone: .good
        case .nothingToDo: .item
        case .partial: .caution
        case .failed: .bad
        }
    }

    /// One or two words.
    var phrase: String {
        switch self {
        case .done: "done"
        case .alreadyDone: "already done"
        case .healed: "completed"
        case .nothingToDo: "nothing to do"
        case .partial: "partly done"
        case .failed: "failed"
        }
    }
}

/// The verb forms of a run and of a plan: `adopted`, `would be adopted`.
struct Tense: Sendable {
    let planned: Bool

    /// The participle, after `would be` in a plan.
    func passive(_ participle: String) -> String { planned ? "would be \(participle)" : participle }
}
