internal import GodwitFiles
package import GodwitModel

/// Sorted runs of records in a private temporary file, gone when its owner goes.
///
/// Any thread adds runs, one at a time; only when all are through is anything read.
package final class RecordSpool: @unchecked Sendable {
    /// Where each run lies in the file.
    package private(set) var runs: [Range<Int64>] = []
    private let monitor = Monitor()
    // Only one thread writes at a time, and asking for each record whether that is so takes longer than to note it.
    /// What their keys are like.
    @exclusivity(unchecked) package private(set) var samples: KeySamples
    /// Keys that came more than once inside one run, in all runs together.
    private(set) var repeatedKeys = 0
    /// What a writing thread met; nothing is written after it.
    private var failure: GodwitError?
    private let file: NotesFile
    private let stage: Stage
    /// Runs that nobody may read again.
    private var runsGivenBack: Set<Int> = []
    /// Whether the file system can take back parts of a file.
    private var canGiveBack = true
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    @exclusivity(unchecked) private var buffered = 0

    package init(_ context: RunContext, stage: Stage, _ samples: KeySamples) throws(GodwitError) {
        file = try NotesFile("records", context, stage: stage) { folder in
            "Records are put in order in \(folder); set TMPDIR to a folder with more room: "
                + "for them, four times what the export has unpacked is always enough."
        }
        (self.stage, self.samples) = (stage, samples)
    }

    deinit { buffer.deallocate() }

    /// Throws what a writing thread met.
    package func requireWritten() throws(GodwitError) { if let failure = monitor.locked({ failure }) { throw failure } }

    /// Sorts a chunk, which is the calling thread's own, and adds it as a run.
    package func write(_ chunk: RecordChunk) {
        chunk.sort()
        monitor.locked { addRun(chunk) }
    }

    private func addRun(_ chunk: RecordChunk) {
        guard failure == nil else { return }
        repeatedKeys += chunk.repeatedKeys
        let start = runs.last?.upperBound ?? 0
        var end = start
        samples.beginRun()
        do throws(GodwitError) {
            try chunk.withBytes { bytes throws(GodwitError) in
                for index in 0..<chunk.count {
                    chunk.prefetch(after: index, bytes)
                    let (header, place) = chunk.header(index, bytes)
                    try add(UnsafeRawBufferPointer(rebasing: bytes[place..<place + header.wholeCount]))
                    end += Int64(header.wholeCount)
                    samples.note(chunk.prefix(index), upTo: end - start)
                }
            }
            try flush()
            runs.append(start..<end)
        } catch {
            failure = error
        }
    }

    private func add(_ bytes: UnsafeRawBufferPointer) throws(GodwitError) {
        if buffered + bytes.count > buffer.count { try flush() }
        guard bytes.count <= buffer.count else { return try file.write(bytes) }
        UnsafeMutableRawBufferPointer(rebasing: buffer[buffered...]).copyMemory(from: bytes)
        buffered += bytes.count
    }

    private func flush() throws(GodwitError) {
        try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<buffered]))
        buffered = 0
    }

    /// To be called before runs are read, which may then be given back, if it is for the last time.
    func beginReading(_ runs: Range<Int>, isLast: Bool) throws(GodwitError) {
        guard runsGivenBack.isDisjoint(with: runs) else {
            throw GodwitError(stage, .bug, "Sorted records are read once more, after they were given back.")
        }
        if isLast { runsGivenBack.formUnion(runs) }
    }

    /// Gives a range of the file back to the system: its memory can then hold the document instead, and what was not yet on
    /// the disk is never written there.
    func giveBack(_ range: Range<Int64>) {
        guard canGiveBack else { return }
        canGiveBack = file.giveBack(range)
    }

    /// Fills a buffer with what lies at a place of the file.
    func read(_ space: UnsafeMutableRawBufferPointer, at place: Int64) throws(GodwitError) {
        try file.read(space, at: place)
    }
}
