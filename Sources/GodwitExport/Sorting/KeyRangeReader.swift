package import GodwitModel

/// Reads sorted runs by ranges of keys: all records of a range, from every run, into one chunk, where they are sorted once
/// more.
///
/// A merge would ask for each record which run it is in, and with many runs reads a little here and a little there. What
/// fits into memory is put in order there at once, in a thread of its own, while the range before it is written.
///
/// Ranges are made by samples of the keys. Where a range turns out too large to fit, it is halved; where that can't be done,
/// because so many keys begin with the same eight bytes, or one record is as large, what is left is for a merge.
///
/// Invariant: in each run what comes before its `place` has been loaded, and that is what comes before `reached`.
package final class KeyRangeReader: @unchecked Sendable {
    // Only one thread has the reader at a time.
    private let spool: RecordSpool
    private var runs: [Place]
    private let samples: [UInt64]
    private let samplesPerRange: Int
    /// The first sample that was not made a limit yet.
    private var next = 0
    private var reached: UInt64
    private let memory: SortMemory
    /// Bytes of a run that are read at a time.
    private let window: Int
    private let isLast: Bool
    private var failure: GodwitError?
    /// Whether what is left can't be loaded by ranges.
    package private(set) var isTooDense = false

    private struct Place {
        /// Where the next record is in the spool, and where the run ends.
        var place: Int64
        let end: Int64
        /// No more than the first bytes that order the next record.
        var prefix: UInt64 = 0
        /// Up to where the file was given back.
        var givenBack: Int64
    }

    /// - Parameters:
    ///   - numbers: which runs of the spool.
    ///   - isLast: whether nobody reads the runs afterwards: what was read is given back.
    package init(_ spool: RecordSpool, _ numbers: Range<Int>, _ memory: SortMemory, isLast: Bool) {
        (self.spool, self.memory, self.isLast) = (spool, memory, isLast)
        runs = spool.runs[numbers].map {
            Place(place: $0.lowerBound, end: $0.upperBound, givenBack: RunReader.firstWholeBlock(from: $0.lowerBound))
        }
        samples = spool.samples.sorted(numbers)
        samplesPerRange = max(Int(Int64(memory.range) / spool.samples.spacing), 1)
        reached = 0
        // A little more than what a range has of each, if all have the same.
        window = max(memory.range / max(numbers.count, 1) * 5 / 4, memory.smallestRead)
    }

    /// What no range was made of yet.
    package var rest: [Range<Int64>] { runs.filter { $0.place < $0.end }.map { $0.place..<$0.end } }

    /// Throws what the loading thread met.
    package func requireLoaded() throws(GodwitError) { if let failure { throw failure } }

    /// Makes a chunk for `load`.
    package func makeChunk() -> RecordChunk { RecordChunk(capacity: memory.longestRange) }

    /// Loads and sorts the records of the next range; leaves the chunk empty where there are none, or none that can be loaded.
    package func load(_ chunk: RecordChunk) {
        var count = samplesPerRange
        while count > 0, failure == nil {
            chunk.removeAll()
            let (limit, end) = nextLimit(count)
            do throws(GodwitError) {
                if let after = try fill(chunk, below: limit) {
                    (runs, next, reached) = (after, end, limit ?? .max)
                    // What comes before the first sample may be nothing.
                    if chunk.count == 0, limit != nil {
                        count = samplesPerRange
                        continue
                    }
                    chunk.sort()
                    if isLast { giveBack() }
                    return
                }
            } catch {
                failure = error
            }
            count = min(count, end - next) / 2
        }
        chunk.removeAll()
        isTooDense = failure == nil
    }

    /// The sample so many further on, or the first one behind it that is another key's; nil, and their count, for the end.
    private func nextLimit(_ count: Int) -> (prefix: UInt64?, index: Int) {
        var index = next + min(count, samples.count - next)
        while index < samples.count, samples[index] <= reached { index += 1 }
        return (index < samples.count ? samples[index] : nil, index)
    }

    /// Loads what comes before a limit; the places behind it, or nil where that is too much.
    private func fill(_ chunk: RecordChunk, below limit: UInt64?) throws(GodwitError) -> [Place]? {
        var runs = runs
        for index in runs.indices where runs[index].place < runs[index].end {
            if let limit, runs[index].prefix >= limit { continue }
            guard try fill(chunk, from: &runs[index], below: limit) else { return nil }
        }
        return runs
    }

    /// The same of one run; false where that is too much.
    private func fill(_ chunk: RecordChunk, from run: inout Place, below limit: UInt64?) throws(GodwitError) -> Bool {
        let before = chunk.size
        var (read, missing) = (run.place, 0)
        while read < run.end {
            let count = Int(min(Int64(max(window, missing)), run.end - read))
            guard chunk.size + count <= memory.longestRange else { return false }
            let loaded = try chunk.load(count, below: limit) { space throws(GodwitError) in
                try spool.read(space, at: read)
            }
            read += Int64(count)
            switch loaded {
            case .limit(let prefix):
                run.prefix = prefix
                run.place += Int64(chunk.size - before)
                return true
            case .end(let more): missing = more
            }
        }
        guard missing == 0 else { throw GodwitError(.export, .bug, "A run of sorted records ends too early.") }
        run.place = run.end
        return true
    }

    /// Gives the system back what was loaded, where that is so much of a run.
    private func giveBack() {
        for index in runs.indices {
            let end = RunReader.lastWholeBlock(before: runs[index].place)
            guard end - runs[index].givenBack >= max(memory.givenBack, 1) else { continue }
            spool.giveBack(runs[index].givenBack..<end)
            runs[index].givenBack = end
        }
    }
}
