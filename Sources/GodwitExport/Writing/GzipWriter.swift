package import GodwitFiles
package import GodwitModel
internal import CZlib

/// One gzip member (RFC 1952), packed on several cores, with a hole that is filled at the end.
///
/// As in pigz (<https://zlib.net/pigz/>), the content is divided into blocks of one size. Each is packed separately and
/// can refer to the 32 KiB before it; their CRC-32s are combined. Any gunzip reads the result as one stream.
/// The content version is in the header, but is known only after all records are written. Its hole is a stored block of
/// its own (RFC 1951, section 3.2.4), and later blocks do not refer to anything before the end of the hole, so its bytes
/// can be set without packing again.
/// Invariant: the bytes depend only on content and level, never on the number of cores, on timing, or on how the
/// content was divided between calls. Only the calling thread writes the file, block by block, in order.
package struct GzipWriter: ~Copyable {
    private let workers: GzipWorkers
    /// The block that is being filled; a full block waits for one more byte, because the last block ends differently.
    private var block: GzipBlock
    /// Bytes of this member in the file so far.
    private var written: Int64 = 0
    private var unpacked: Int64 = 0
    private var check: uLong = 0
    /// CRC-32 of the content before the hole.
    private var checkBefore: uLong = 0
    /// The hole's offset in the file, its size, and the number of unpacked bytes up to its end.
    private var hole: (offset: Int64, count: Int, end: Int64)?
    /// Number of written blocks, since the hole if there is one.
    private var blocksWritten: Int64 = 0
    private let blocksPerUnit: Int64
    /// Points at which unpacking may begin, by number of units before them.
    private var starts: SparseNotes<PackedStart>

    /// - Parameters:
    ///   - level: from 1, the fastest, to 9, the smallest output.
    ///   - cores: maximum number of packing threads, including the calling one; at most 16. With one core, and for a
    ///     document of one block, no thread is started.
    ///   - spacing: the distance between points at which unpacking may begin.
    ///   - startThread: if it starts none, the calling thread packs everything.
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

    /// Number of blocks in memory: at most 16, plus one for each core.
    package var blockCount: Int { workers.blockCount }

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

    /// Leaves a hole of at most 65,535 bytes; a member has at most one.
    package mutating func writeHole(_ count: Int, to file: borrowing AtomicFile) throws(GodwitError) {
        guard hole == nil, let size = UInt16(exactly: count) else {
            throw GodwitError(.export, .bug, "the export can't have such a gap")
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

    /// Ends the member; nothing may be written afterwards.
    ///
    /// - Parameter filling: the content of the hole, which has the same size.
    package mutating func finish(filling: [UInt8], in file: borrowing AtomicFile) throws(GodwitError) {
        guard filling.count == hole?.count ?? 0 else {
            throw GodwitError(.export, .bug, "the content does not fit into the gap of the export")
        }
        try beginFile(file)
        block.endDocument()
        workers.queue(block)
        try writeAll(file)
        if let hole {
            try file.overwrite(filling, at: hole.offset)
            let before = crc32_combine(checkBefore, filling.withUnsafeBytes(checkValue), .init(hole.count))
            check = crc32_combine(before, check, .init(unpacked - hole.end))
        }
        try put(GzipFrame(check: check, count: unpacked).tail, file)
    }

    /// The information that a reader of parts needs.
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
        guard let packed = oldest.packed else { throw GodwitError(.export, .bug, "zlib can't compress the export") }
        if blocksWritten > 0, blocksWritten % blocksPerUnit == 0 {
            starts.add(
                blocksWritten / blocksPerUnit, PackedStart(offset: written, before: [UInt8](oldest.before)))
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
