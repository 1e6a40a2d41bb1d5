/// Unreliable dates that took part in choosing winners: counted, and reported as warnings.
package struct DateFindings: Sendable, Codable, Equatable {
    /// Records whose date is NULL or unreadable, by entity; they count as the oldest.
    package var unreadable: [String: Int] = [:]
    /// Records dated more than 5 minutes after now, by entity; they take part with that date.
    package var future: [String: Int] = [:]

    /// No findings.
    package init() {}

    package static let toleratedSkewSeconds: Int64 = 300

    /// Counts a date that takes part in choosing a winner, if it is unreliable.
    package mutating func examine(_ date: Instant?, of entity: Entity, now: Instant) {
        guard entity.modified != nil else { return }
        guard let date else { return unreadable[entity.name, default: 0] += 1 }
        if date.isAhead(of: now) { future[entity.name, default: 0] += 1 }
    }

    package var warnings: [Warning] {
        let unreadable = unreadable.sorted { $0.key < $1.key }.map { entity, count in
            Warning(
                "unreadableDate",
                "\(count.grouped) \(entity) record\(count == 1 ? "" : "s") in doubt without a readable "
                    + "date; Godwit treats such a date as the oldest",
                hint: "Check the column of the manifest that dates these records.")
        }
        let future = future.sorted { $0.key < $1.key }.map { entity, count in
            Warning(
                "clockSkew",
                "\(count.grouped) \(entity) record\(count == 1 ? "" : "s") dated in the future; Godwit "
                    + "compares these dates as they are",
                hint: "Check the clocks of the devices that wrote these records.")
        }
        return unreadable + future
    }
}

extension Instant {
    /// Whether it is so far after `now` that a clock was or is wrong.
    package func isAhead(of now: Instant) -> Bool { self > now.advanced(bySeconds: DateFindings.toleratedSkewSeconds) }
}
