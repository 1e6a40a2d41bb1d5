package import GodwitModel

/// What makes an export suspicious: too few records, or too many fewer than last time.
///
/// Decided from counts alone, before anything is written: the export of a store that was emptied by mistake must not take
/// the place of the last good one.
package struct ExportLimits: Sendable, Equatable {
    /// The fewest records all entities together must have.
    package let minRecords: Int64?
    /// By how many percent the records may have become fewer.
    package let maxShrinkPercent: Int?

    /// So few records may go from one entity whatever share they are of it; of a table of three that is most of it.
    package static let unremarkableLoss: Int64 = 10

    package init(minRecords: Int64?, maxShrinkPercent: Int?) {
        (self.minRecords, self.maxShrinkPercent) = (minRecords, maxShrinkPercent)
    }

    /// Throws (65) where an export is to be refused.
    ///
    /// - Parameters:
    ///   - counts: records by entity, now.
    ///   - earlier: those of an earlier export, and what that is called; nil where there is none.
    package func check(
        _ counts: [String: Int64], against earlier: (counts: [String: Int64], name: String)?
    ) throws(GodwitError) {
        let total = counts.values.reduce(0, +)
        if let minRecords, total < minRecords {
            throw Self.refusal(
                "\(Self.thereAre(total)), fewer than the \(minRecords.grouped) of --min-records.", "lower the number")
        }
        guard let percent = maxShrinkPercent, let earlier else { return }
        let before = earlier.counts.values.reduce(0, +)
        if Self.hasShrunk(from: before, to: total, by: percent) {
            throw Self.refusal(
                "\(Self.thereAre(total)), more than \(percent) % fewer than the \(before.grouped) of \(earlier.name).",
                "export without --max-shrink")
        }
        for (name, before) in earlier.counts.sorted(by: { $0.key < $1.key }) {
            let now = counts[name] ?? 0
            guard before - now > Self.unremarkableLoss, Self.hasShrunk(from: before, to: now, by: percent) else {
                continue
            }
            throw Self.refusal(
                "\(Self.thereAre(now)) of \(name), more than \(percent) % fewer than the \(before.grouped) of "
                    + "\(earlier.name).", "export without --max-shrink")
        }
    }

    /// Whether more than that share is gone; exact, without a fraction.
    private static func hasShrunk(from before: Int64, to now: Int64, by percent: Int) -> Bool {
        guard now < before else { return false }
        let (lost, overflow) = (before - now).multipliedReportingOverflow(by: 100)
        let (allowed, _) = before.multipliedReportingOverflow(by: Int64(percent))
        return overflow || lost > allowed
    }

    private static func thereAre(_ count: Int64) -> String {
        "There \(count == 1 ? "is" : "are") \(count.counted("record"))"
    }

    private static func refusal(_ message: String, _ otherwise: String) -> GodwitError {
        GodwitError(
            .export, .data, message,
            hint: "Nothing was written. Look at the store first; if it is as it should be, \(otherwise).")
    }
}
