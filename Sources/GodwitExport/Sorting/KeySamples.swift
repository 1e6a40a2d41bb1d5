/// Prefixes of keys, sampled at equal distances in sorted runs; they show where to cut all runs into parts of equal
/// size.
///
/// The first sample of each run has a different distance from the start. With equal distances, no sample would be
/// between the first and the second ones of all runs, and that part might not fit into memory.
/// Invariant: at most `limit` samples; when there are more, every second one is removed and the distance doubles.
package struct KeySamples: Sendable {
    /// Distance in bytes, before any run.
    package private(set) var spacing: Int64
    private let limit: Int
    private var prefixes: [[UInt64]] = []
    private var count = 0
    /// Number of times that every second sample was removed.
    private var thinnings: UInt64 = 0
    /// Offset of the next sample in the current run.
    private var next: Int64 = 0

    package init(spacing: Int64, limit: Int = 1 << 16) { (self.spacing, self.limit) = (max(spacing, 1), max(limit, 1)) }

    package mutating func beginRun() {
        let lot = Self.lot(prefixes.count)
        prefixes.append([])
        next = Int64(truncatingIfNeeded: UInt64(spacing).multipliedFullWidth(by: lot).high)
    }

    /// A pseudorandom number of a run, not near that of the previous run: fractions of the golden ratio's multiples,
    /// times 2^64.
    private static func lot(_ run: Int) -> UInt64 { UInt64(run) &* 0x9E37_79B9_7F4A_7C15 }

    /// Processes the next record of the current run, by its prefix and the offset of its end.
    @inline(__always)
    package mutating func note(_ prefix: UInt64, upTo end: Int64) { if end > next { take(prefix, upTo: end) } }

    private mutating func take(_ prefix: UInt64, upTo end: Int64) {
        // A long record counts as several.
        while end > next {
            prefixes[prefixes.count - 1].append(prefix)
            count += 1
            next += spacing
            if count > limit, spacing < 1 << 40 { thin() }
        }
    }

    /// Each run's number decides which samples stay, so that they stay evenly distributed.
    private mutating func thin() {
        for run in prefixes.indices {
            let first = Int(Self.lot(run) >> (16 + thinnings) & 1)
            let taken = prefixes[run]
            prefixes[run] = stride(from: first, to: taken.count, by: 2).map { taken[$0] }
            // If the last sample stays, the next one would have been removed.
            if run == prefixes.count - 1, taken.count & 1 != first { next += spacing }
        }
        spacing *= 2
        thinnings = (thinnings + 1) % 32
        count = prefixes.reduce(0) { $0 + $1.count }
    }

    package func sorted(_ runs: Range<Int>) -> [UInt64] { prefixes[runs].flatMap(\.self).sorted() }
}
