package import GodwitModel

/// Reads sorted runs by ranges of keys: all records of a range, from every run, are loaded into one chunk and sorted.
///
/// A merge would compare runs for each record and, with many runs, read small parts in random order. Here a thread
/// loads and sorts a range in memory while the previous range is written.
/// Samples of the keys define the ranges. A range that does not fit is halved. If that is impossible, because very many
/// keys begin with the same eight bytes or because one record is too large, the rest needs a merge.
/// Invariant: in each run, everything before `offset` is loaded, which is everything before `reached`.
package final class KeyRangeReader: @unchecked Sendable {
    // Invariant for `@unchecked Sendable`: only one thread uses the reader at a time.
    private let spool: RecordSpool
    private var runs: [RunPosition]
    private let samples: [UInt64]
    private let samplesPerRange: Int
    /// The first sample that is not a limit yet.
    private var next = 0
    private var reached: UInt64
    private let memory: SortMemory
    /// Bytes of a run that are read at a time.
    private let window: Int
    private let isLast: Bool
    private var failure: GodwitError?
    /// Whether the rest cannot be loaded by ranges.
    package private(set) var isTooDense = false

    private struct RunPosition {
        /// The next record in the spool, and the end of the run.
        var offset: Int64
        let end: Int64
        /// A lower bound for the prefix of the next record.
        var prefix: UInt64 = 0
        /// End of the part that was returned to the file system.
        var givenBack: Int64
    }

    /// - Parameter isLast: whether this is the last read; then parts are returned to the file system.
    package init(_ spool: RecordSpool, _ numbers: Range<Int>, _ memory: SortMemory, isLast: Bool) {
        (self.spool, self.memory, self.isLast) = (spool, memory, isLast)
        runs = spool.runs[numbers].map {
            RunPosition(
                offset: $0.lowerBound, end: $0.upperBound, givenBack: RunReader.firstWholeBlock(from: $0.lowerBound))
        }
        samples = spool.samples.sorted(numbers)
        samplesPerRange = max(Int(Int64(memory.range) / spool.samples.spacing), 1)
        reached = 0
        // Slightly more than an equal part of a range for each run.
        window = max(memory.range / max(numbers.count, 1) * 5 / 4, memory.smallestRead)
    }

    /// The parts that were not loaded by ranges.
    package var rest: [Range<Int64>] { runs.filter { $0.offset < $0.end }.map { $0.offset..<$0.end } }

    package func requireLoaded() throws(GodwitError) { if let failure { throw failure } }

    package func makeChunk() -> RecordChunk { RecordChunk(capacity: memory.longestRange) }

    /// Loads and sorts the records of the next range; the chunk is empty if none are left or none can be loaded.
    package func load(_ chunk: RecordChunk) {
        var count = samplesPerRange
        while count > 0, failure == nil {
            chunk.removeAll()
            let (limit, end) = nextLimit(count)
            do throws(GodwitError) {
                if let after = try fill(chunk, below: limit) {
                    (runs, next, reached) = (after, end, limit ?? .max)
                    // There may be no records before the first sample.
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

    /// The sample after this number of others, or the next one with a larger prefix; nil at the end.
    private func nextLimit(_ count: Int) -> (prefix: UInt64?, index: Int) {
        var index = next + min(count, samples.count - next)
        while index < samples.count, samples[index] <= reached { index += 1 }
        return (index < samples.count ? samples[index] : nil, index)
    }

    /// Loads the records before a limit; returns the new positions, or nil if they do not fit.
    private func fill(_ chunk: RecordChunk, below limit: UInt64?) throws(GodwitError) -> [RunPosition]? {
        var runs = runs
        for index in runs.indices where runs[index].offset < runs[index].end {
            if let limit, runs[index].prefix >= limit { continue }
            guard try fill(chunk, from: &runs[index], below: limit) else { return nil }
        }
        return runs
    }

    /// The same for one run; false if the records do not fit.
    private func fill(
        _ chunk: RecordChunk, from run: inout RunPosition, below limit: UInt64?
    ) throws(GodwitError) -> Bool {
        let before = chunk.size
        var (read, missing) = (run.offset, 0)
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
                run.offset += Int64(chunk.size - before)
                return true
            case .end(let more): missing = more
            }
        }
        guard missing == 0 else { throw GodwitError(.export, .bug, "a run of sorted records ends too early") }
        run.offset = run.end
        return true
    }

    /// Returns loaded parts to the file system, if they are large enough.
    private func giveBack() {
        for index in runs.indices {
            let end = RunReader.lastWholeBlock(before: runs[index].offset)
            guard end - runs[index].givenBack >= max(memory.givenBack, 1) else { continue }
            spool.giveBack(runs[index].givenBack..<end)
            runs[index].givenBack = end
        }
    }
}
