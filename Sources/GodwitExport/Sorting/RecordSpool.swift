internal import GodwitFiles
package import GodwitModel

/// Sorted runs of records in a private temporary file; deinit removes it.
///
/// Any thread may add runs, one at a time; reading starts after all are done.
package final class RecordSpool: @unchecked Sendable {
    package private(set) var runs: [Range<Int64>] = []
    private let monitor = Monitor()
    // Only one thread writes at a time; exclusivity checks would take longer than a sample.
    @exclusivity(unchecked) package private(set) var samples: KeySamples
    /// Number of repeated keys within runs, in all runs together.
    private(set) var repeatedKeys = 0
    /// The error of a writing thread; nothing is written after it.
    private var failure: GodwitError?
    private let file: NotesFile
    private let stage: GodwitError.Stage
    /// Runs that must not be read again.
    private var runsGivenBack: Set<Int> = []
    /// Whether the file system can free parts of a file.
    private var canGiveBack = true
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    @exclusivity(unchecked) private var buffered = 0

    package init(_ context: RunContext, stage: GodwitError.Stage, _ samples: KeySamples) throws(GodwitError) {
        file = try NotesFile("records", context, stage: stage) { folder in
            "Set TMPDIR to a folder with more space than \(folder), in which records are sorted: four "
                + "times the unpacked export is enough."
        }
        (self.stage, self.samples) = (stage, samples)
    }

    deinit { buffer.deallocate() }

    package func requireWritten() throws(GodwitError) { if let failure = monitor.locked({ failure }) { throw failure } }

    /// Sorts a chunk, which belongs to the calling thread, and adds it as a run.
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
                    let (header, offset) = chunk.header(index, bytes)
                    try add(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + header.wholeCount]))
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

    /// Call it before runs are read; after the last read they may be freed.
    func beginReading(_ runs: Range<Int>, isLast: Bool) throws(GodwitError) {
        guard runsGivenBack.isDisjoint(with: runs) else {
            throw GodwitError(stage, .bug, "sorted records are read again after they were released")
        }
        if isLast { runsGivenBack.formUnion(runs) }
    }

    /// Returns a range of the file to the file system: its cache can then hold the document, and bytes that were not
    /// flushed are never written.
    func giveBack(_ range: Range<Int64>) {
        guard canGiveBack else { return }
        canGiveBack = file.giveBack(range)
    }

    func read(_ space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(GodwitError) {
        try file.read(space, at: offset)
    }
}
