import GodwitExport
import Testing

/// Keys noted at even distances, never too many of them.
struct KeySamplesTests {
    /// Runs of records of one size, their keys given.
    private static func samples(_ runs: [[UInt64]], size: Int64, spacing: Int64, limit: Int = 1000) -> KeySamples {
        var samples = KeySamples(spacing: spacing, limit: limit)
        for run in runs {
            samples.beginRun()
            for (index, key) in run.enumerated() { samples.note(key, at: Int64(index) * size) }
        }
        return samples
    }

    @Test("one is taken in each so many bytes, and the first of each run")
    func even() {
        let samples = Self.samples([[1, 4, 7, 10, 13], [2, 5]], size: 10, spacing: 20)
        #expect(samples.sorted(0..<2) == [1, 2, 7, 13])
        #expect(samples.sorted(0..<1) == [1, 7, 13])
        #expect(samples.sorted(1..<2) == [2])
        #expect(samples.sorted(0..<0) == [])
    }

    @Test("what comes behind a long record counts as often as that one is long")
    func longRecord() {
        var samples = KeySamples(spacing: 10)
        samples.beginRun()
        samples.note(1, at: 0)
        samples.note(2, at: 35)
        samples.note(3, at: 39)
        samples.note(4, at: 40)
        #expect(samples.sorted(0..<1) == [1, 2, 2, 2, 4])
    }

    @Test("with more than there may be every other one goes, in each run, and fewer are taken", arguments: 1...40)
    func thinned(limit: Int) {
        let runs = (0..<5).map { run in (0..<100).map { UInt64($0 * 5 + run) } }
        let samples = Self.samples(runs, size: 8, spacing: 8, limit: limit)
        let all = samples.sorted(0..<5)
        // The first of each run stays, whatever the limit.
        #expect(all.count <= max(limit, 5))
        #expect(all.count >= limit / 4)
        #expect(samples.spacing > 8)
        for run in 0..<5 {
            let kept = samples.sorted(run..<run + 1)
            #expect(kept.first == UInt64(run))
            #expect(kept == kept.sorted())
            #expect(Set(kept).isSubset(of: runs[run]))
        }
    }
}
