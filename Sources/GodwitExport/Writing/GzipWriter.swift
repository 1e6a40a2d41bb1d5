package import GodwitFiles
package import GodwitModel
internal import CZlib

/// One gzip member (RFC 1952), packed on all cores, with a hole in it that is filled at the end.
///
/// As pigz does (<https://zlib.net/pigz/>), the content is cut into blocks of one size, each packed by itself, with the
/// 32 KiB before it to refer to; the check value is joined from those of the blocks. Any gunzip reads it as one stream.
///
/// The content version stands in the header and is known only when all records have been written. Its place is a stored
/// block of its own (RFC 1951, section 3.2.4), and what comes after it refers to nothing before, so that its bytes can be
/// set afterwards without packing anything again.
///
/// Invariant: the bytes of the member depend on content and level alone, never on the number of cores, on timing, or on
/// how the content was cut when it was written. The file is written by the calling thread alone, a block at a time, in
/// order.
package struct GzipWriter: ~Copyable {
    private let workers: GzipWorkers
    /// What is being filled: a full block waits for one byte more, since the last one ends otherwise.
    private var block: GzipBlock
    /// Bytes in the file so far, this member's alone.
    private var written: Int64 = 0
    private var unpacked: Int64 = 0
    private var check: uLong = 0
    /// Of what came before the hole.
    private var checkBefore: uLong = 0
    /// Where the hole's bytes are in the file, how many they are, and how many unpacked bytes there were behind them.
    private var hole: (place: Int64, count: Int, end: Int64)?
    /// Blocks that were written, since the hole if there is one.
    private var blocksWritten: Int64 = 0
    private let blocksPerUnit: Int64
    /// Where unpacking may begin, by how many units came before.
    private var starts: SparseNotes<PackedStart>

    /// - Parameters:
    ///   - level: from 1, the quickest, to 9, the smallest.
    ///   - cores: how many threads may pack at a time, the calling one included; above 16 is 16. With one core, and for a
    ///     document of one block, no thread is started.
    ///   - spacing: how far apart the places are where unpacking may begin.
    ///   - startThread: where it starts none, the calling thread packs everything.
    package init(
        level: Int, cores: Int = Processors.count, spacing: NoteSpacing = .init(),
        startThread: @escaping WorkerThread.Start = { WorkerThread($0) }
    ) throws(GodwitError) {
        blocksPerUnit = max(spacing.unit / Int64(GzipBlock.size), 1)
        starts = SparseNotes(limit: spacing.limit)
        workers = try GzipWorkers(level: level, cores: cores, startThread: startThread)
        block = workers.beginBlock(after: nil)
    }

    deinit { workers.end() }

    /// How many blocks, packed or to be packed, are in memory: at most 16 and one for each core.
    package var blockCount: Int { workers.blockCount }

    /// Packs bytes into the file.
    package mutating func write(
        _ bytes: UnsafeRawBufferPointer, to file: borrowing AtomicFile
    ) throws(GodwitError) {
        try beginFile(file)
        unpacked += Int64(bytes.count)
        var rest = bytes
        while !rest.isEmpty {
            if block.isFull {
                workers.queue(block)
                while workers.isFull { try writeOldest(file) }
                block = workers.beginBlock(after: block)
            }
            rest = block.fill(from: rest)
        }
    }

    /// Leaves a hole of so many bytes, at most 65,535; a member has one at most.
    package mutating func writeHole(_ count: Int, to file: borrowing AtomicFile) throws(GodwitError) {
        guard hole == nil, let size = UInt16(exactly: count) else {
            throw GodwitError(.export, .bug, "The document can't have such a hole.")
        }
        try beginFile(file)
        if !block.isEmpty { workers.queue(block) }
        try writeAll(file)
        block = workers.beginBlock(after: nil)
        try put(
            [0, UInt8(size & 0xFF), UInt8(size >> 8), UInt8(~size & 0xFF), UInt8(~size >> 8)]
                + [UInt8](repeating: 0x30, count: count), file)
        checkBefore = check
        check = 0
        unpacked += Int64(count)
        hole = (written - Int64(count), count, unpacked)
        blocksWritten = 0
        starts.removeAll()
    }

    /// Ends the member, after which nothing may be written to it.
    ///
    /// - Parameter filling: what goes into the hole: as many bytes as it has.
    package mutating func finish(filling: [UInt8], in file: borrowing AtomicFile) throws(GodwitError) {
        guard filling.count == hole?.count ?? 0 else {
            throw GodwitError(.export, .bug, "What goes into the document's hole does not fit.")
        }
        try beginFile(file)
        block.endDocument()
        workers.queue(block)
        try writeAll(file)
        if let hole {
            try file.overwrite(filling, at: hole.place)
            let before = crc32_combine(checkBefore, filling.withUnsafeBytes(checkValue), .init(hole.count))
            check = crc32_combine(before, check, .init(unpacked - hole.end))
        }
        try put(GzipFrame(check: check, count: unpacked).tail, file)
    }

    /// What whoever unpacks parts of a finished member has to know.
    var outline: WrittenOutline.Packed { .init(starts: starts, check: check) }

    private mutating func beginFile(_ file: borrowing AtomicFile) throws(GodwitError) {
        guard written == 0 else { return }
        try put(GzipFrame.head, file)
    }

    private mutating func writeAll(_ file: borrowing AtomicFile) throws(GodwitError) {
        while workers.hasBlocks { try writeOldest(file) }
    }

    private mutating func writeOldest(_ file: borrowing AtomicFile) throws(GodwitError) {
        let oldest = workers.oldestPacked()
        guard let packed = oldest.packed else { throw GodwitError(.export, .bug, "zlib can't pack the document.") }
        if blocksWritten > 0, blocksWritten % blocksPerUnit == 0 {
            starts.add(
                blocksWritten / blocksPerUnit, PackedStart(place: written, before: [UInt8](oldest.before)))
        }
        try file.write(packed)
        written += Int64(packed.count)
        blocksWritten += 1
        check = crc32_combine(check, oldest.check, .init(oldest.count))
        workers.freeOldest()
    }

    private mutating func put(_ bytes: [UInt8], _ file: borrowing AtomicFile) throws(GodwitError) {
        try file.write(bytes)
        written += Int64(bytes.count)
    }
}
