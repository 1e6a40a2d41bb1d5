/// First bytes of keys, taken at even distances in sorted runs: they tell where to cut all runs at once so that the parts
/// are of about one size.
///
/// Invariant: never more than `limit` of them; where there are more, every other one goes and the distance doubles.
package struct KeySamples: Sendable {
    /// Bytes between them, before any run.
    package private(set) var spacing: Int64
    private let limit: Int
    /// By run, in order.
    private var prefixes: [[UInt64]] = []
    private var count = 0
    /// Where in the current run the next one is taken.
    private var next: Int64 = 0

    package init(spacing: Int64, limit: Int = 1 << 16) { (self.spacing, self.limit) = (max(spacing, 1), max(limit, 1)) }

    package mutating func beginRun() {
        prefixes.append([])
        next = 0
    }

    /// Shows the next record of the current run: the first bytes that order it, and how many bytes come before it there.
    @inline(__always)
    package mutating func note(_ prefix: UInt64, at place: Int64) { if place >= next { take(prefix, at: place) } }

    private mutating func take(_ prefix: UInt64, at place: Int64) {
        // A long record before this one counts as often as it would have if it had been several.
        while place >= next {
            prefixes[prefixes.count - 1].append(prefix)
            count += 1
            next += spacing
            if count > limit, spacing < 1 << 40 { thin() }
        }
    }

    private mutating func thin() {
        spacing *= 2
        for run in prefixes.indices {
            prefixes[run] = stride(from: 0, to: prefixes[run].count, by: 2).map { prefixes[run][$0] }
        }
        count = prefixes.reduce(0) { $0 + $1.count }
    }

    /// Those of some runs, in order.
    package func sorted(_ runs: Range<Int>) -> [UInt64] { prefixes[runs].flatMap(\.self).sorted() }
}
