import GodwitExport
import Testing

/// Sampled keys at even distances, up to a maximum number.
struct KeySamplesTests {
    /// Runs of records of one size with these keys.
    private static func samples(_ runs: [[UInt64]], size: Int64, spacing: Int64, limit: Int = 1000) -> KeySamples {
        var samples = KeySamples(spacing: spacing, limit: limit)
        for run in runs {
            samples.beginRun()
            for (index, key) in run.enumerated() { samples.note(key, upTo: Int64(index + 1) * size) }
        }
        return samples
    }

    @Test("one sample is taken for a number of bytes in each run, starting at the first", arguments: 1...9)
    func even(runs: Int) {
        let keys = (0..<runs).map { run in (0..<500).map { UInt64(run * 500 + $0) } }
        let samples = Self.samples(keys, size: 10, spacing: 200)
        #expect(samples.sorted(0..<1) == (0..<25).map { UInt64($0 * 20) })
        for run in 0..<runs {
            let taken = samples.sorted(run..<run + 1)
            #expect((24...25).contains(taken.count))
            #expect(taken.first.map { Int($0) - run * 500 < 20 } == true)
            #expect(zip(taken, taken.dropFirst()).allSatisfy { $1 - $0 == 20 })
        }
        #expect(samples.sorted(0..<0) == [])
    }

    @Test("samples of many runs have all distances from the starts, also after some were removed", arguments: 0...5)
    func staggered(times: Int) {
        let (runs, count) = (256, 64)
        // All runs have the same keys.
        let keys = [[UInt64]](repeating: (0..<UInt64(count * 64)).map(\.self), count: runs)
        let samples = Self.samples(keys, size: 1, spacing: 64, limit: runs * count >> times)
        let all = samples.sorted(0..<runs)
        #expect(samples.spacing == 64 << Int64(times) || samples.spacing == 128 << Int64(times))
        #expect(all.count >= runs * count / Int(samples.spacing / 64) / 2)
        // In all runs together, the distance between two samples is not much more than the minimum.
        let widest = zip(all, all.dropFirst()).map { $1 - $0 }.max() ?? .max
        #expect(Int(widest) * runs <= 16 * Int(samples.spacing))
    }

    @Test("a long record counts by its length")
    func longRecord() {
        var samples = KeySamples(spacing: 10)
        samples.beginRun()
        samples.note(1, upTo: 35)
        samples.note(2, upTo: 39)
        samples.note(3, upTo: 40)
        samples.note(4, upTo: 41)
        #expect(samples.sorted(0..<1) == [1, 1, 1, 1, 4])
    }

    @Test("above the limit, every other sample of each run is removed and fewer are taken", arguments: 1...40)
    func thinned(limit: Int) {
        let runs = (0..<5).map { run in (0..<100).map { UInt64($0 * 5 + run) } }
        let samples = Self.samples(runs, size: 8, spacing: 8, limit: limit)
        let all = samples.sorted(0..<5)
        #expect(all.count <= max(limit, 5))
        #expect(all.count >= limit / 4)
        #expect(samples.spacing > 8)
        for run in 0..<5 {
            let kept = samples.sorted(run..<run + 1)
            #expect(kept == kept.sorted())
            #expect(Set(kept).isSubset(of: runs[run]))
            let distances = Set(zip(kept, kept.dropFirst()).map { $1 - $0 })
            #expect(distances.isSubset(of: [UInt64(samples.spacing) / 8 * 5]))
        }
    }
}
