/// First bytes of keys, taken at even distances in sorted runs: they tell where to cut all runs at once so that the parts
/// are of about one size.
///
/// Each run has its first at another distance from its beginning. If all had it there, none at all would lie between the
/// first of all runs and the first of the second ones, and what lies between them need not fit into memory.
///
/// Invariant: never more than `limit` of them; where there are more, every other one goes and the distance doubles.
package struct KeySamples: Sendable {
    /// Bytes between them, before any run.
    package private(set) var spacing: Int64
    private let limit: Int
    /// By run, in order.
    private var prefixes: [[UInt64]] = []
    private var count = 0
    /// How often every other one went.
    private var thinnings: UInt64 = 0
    /// Where in the current run the next one is taken.
    private var next: Int64 = 0

    package init(spacing: Int64, limit: Int = 1 << 16) { (self.spacing, self.limit) = (max(spacing, 1), max(limit, 1)) }

    package mutating func beginRun() {
        let lot = Self.lot(prefixes.count)
        prefixes.append([])
        next = Int64(truncatingIfNeeded: UInt64(spacing).multipliedFullWidth(by: lot).high)
    }

    /// A number of a run's own, no two in a row near each other: the fractions of the golden ratio's multiples, by 2^64.
    private static func lot(_ run: Int) -> UInt64 { UInt64(run) &* 0x9E37_79B9_7F4A_7C15 }

    /// Shows the next record of the current run: the first bytes that order it, and how many bytes there are up to its end.
    @inline(__always)
    package mutating func note(_ prefix: UInt64, upTo end: Int64) { if end > next { take(prefix, upTo: end) } }

    private mutating func take(_ prefix: UInt64, upTo end: Int64) {
        // A long record counts as often as it would if it were several.
        while end > next {
            prefixes[prefixes.count - 1].append(prefix)
            count += 1
            next += spacing
            if count > limit, spacing < 1 << 40 { thin() }
        }
    }

    /// Which ones go is another bit of each run's lot, so that what stays is spread as evenly.
    private mutating func thin() {
        for run in prefixes.indices {
            let first = Int(Self.lot(run) >> (16 + thinnings) & 1)
            let taken = prefixes[run]
            prefixes[run] = stride(from: first, to: taken.count, by: 2).map { taken[$0] }
            // After one that stays the next one would go.
            if run == prefixes.count - 1, taken.count & 1 != first { next += spacing }
        }
        spacing *= 2
        thinnings = (thinnings + 1) % 32
        count = prefixes.reduce(0) { $0 + $1.count }
    }

    /// Those of some runs, in order.
    package func sorted(_ runs: Range<Int>) -> [UInt64] { prefixes[runs].flatMap(\.self).sorted() }
}
