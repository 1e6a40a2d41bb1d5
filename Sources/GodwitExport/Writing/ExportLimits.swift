package import GodwitModel

/// Limits that detect a suspicious export: too few records, or a large loss since the last export.
///
/// They use only counts, before anything is written: an export of a store that was emptied by mistake must not replace
/// the last good one.
package struct ExportLimits: Sendable, Equatable {
    /// Minimum number of records in all entities together.
    package let minRecords: Int64?
    /// Maximum loss of records in percent.
    package let maxShrinkPercent: Int?

    /// An entity may always lose this number of records; in a table of three it is a large part.
    package static let unremarkableLoss: Int64 = 10

    package init(minRecords: Int64?, maxShrinkPercent: Int?) {
        (self.minRecords, self.maxShrinkPercent) = (minRecords, maxShrinkPercent)
    }

    /// Throws (65) if an export exceeds the limits.
    ///
    /// - Parameter earlier: the counts and name of an earlier export; nil if there is none.
    package func check(
        _ counts: [String: Int64], against earlier: (counts: [String: Int64], name: String)?
    ) throws(GodwitError) {
        let total = counts.values.reduce(0, +)
        if let minRecords, total < minRecords {
            throw Self.refusal(
                "\(Self.thereAre(total)), fewer than the \(minRecords.grouped) of \(name: .minRecords); nothing "
                    + "was written", "lower the number")
        }
        guard let percent = maxShrinkPercent, let earlier else { return }
        let before = earlier.counts.values.reduce(0, +)
        if Self.hasShrunk(from: before, to: total, by: percent) {
            throw Self.refusal(
                "\(Self.thereAre(total)), more than \(percent)% fewer than the \(before.grouped) of "
                    + "`\(earlier.name)`; nothing was written",
                "export without \(name: .maxShrink)")
        }
        for (name, before) in earlier.counts.sorted(by: { $0.key < $1.key }) {
            let now = counts[name] ?? 0
            guard before - now > Self.unremarkableLoss, Self.hasShrunk(from: before, to: now, by: percent) else {
                continue
            }
            throw Self.refusal(
                "\(Self.thereAre(now)) of \(name), more than \(percent)% fewer than the \(before.grouped) "
                    + "of `\(earlier.name)`; nothing was written", "export without \(name: .maxShrink)")
        }
    }

    /// Whether the loss exceeds the percentage; computed exactly, with integers.
    private static func hasShrunk(from before: Int64, to now: Int64, by percent: Int) -> Bool {
        guard now < before else { return false }
        let (lost, overflow) = (before - now).multipliedReportingOverflow(by: 100)
        let (allowed, _) = before.multipliedReportingOverflow(by: Int64(percent))
        return overflow || lost > allowed
    }

    private static func thereAre(_ count: Int64) -> String {
        "\(count.counted("record"))"
    }

    private static func refusal(_ message: String, _ otherwise: String) -> GodwitError {
        GodwitError(
            .export, .data, message,
            hint: "Check the store first; if it is correct, \(otherwise).")
    }
}
