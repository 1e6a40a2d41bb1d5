/// Dates that took part in a choice though they say little: counted, and shown as warnings.
public struct DateFindings: Sendable, Codable, Equatable {
    /// Records whose date is NULL or unreadable, by entity; they count as oldest.
    public var unreadable: [String: Int] = [:]
    /// Records dated later than now + 5 minutes, by entity; they take part all the same.
    public var future: [String: Int] = [:]

    /// Nothing found.
    public init() {}

    /// How far ahead of now a date may lie before it counts as wrong, in seconds.
    package static let toleratedSkewSeconds: Int64 = 300

    /// Looks at one date that takes part in a choice.
    package mutating func examine(_ date: Instant?, of entity: Entity, now: Instant) {
        guard entity.modified != nil else { return }
        guard let date else { return unreadable[entity.name, default: 0] += 1 }
        if date.isAhead(of: now) { future[entity.name, default: 0] += 1 }
    }

    /// What a person should know of them.
    package var warnings: [Warning] {
        let unreadable = unreadable.sorted { $0.key < $1.key }.map { entity, count in
            Warning(
                "unreadableDate",
                "\(count.grouped) \(entity) record\(count == 1 ? "" : "s") in doubt without a readable date.",
                hint: "They counted as oldest.")
        }
        let future = future.sorted { $0.key < $1.key }.map { entity, count in
            Warning(
                "clockSkew", "\(count.grouped) \(entity) record\(count == 1 ? "" : "s") dated in the future.",
                hint: "A device's clock was wrong; the dates took part as they are.")
        }
        return unreadable + future
    }
}

extension Instant {
    /// Whether it lies so far after now that some clock was or is wrong.
    package func isAhead(of now: Instant) -> Bool { self > now.advanced(bySeconds: DateFindings.toleratedSkewSeconds) }
}
