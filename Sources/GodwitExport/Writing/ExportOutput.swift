internal import GodwitFiles
internal import GodwitModel

/// The file of a document, packed or not, with a hole that is filled at the end.
struct ExportOutput: ~Copyable {
    private let file: AtomicFile
    private var gzip: GzipWriter?
    /// Bytes written so far, before packing.
    private(set) var count: Int64 = 0
    private var hole: Range<Int64>?
    private let unit: Int64
    /// Bytes of the file for which a flush was started.
    private var flushed: Int64 = 0

    private static let flushSize: Int64 = 8 << 20

    init(_ file: consuming AtomicFile, gzipLevel: Int?, spacing: NoteSpacing) throws(GodwitError) {
        let gzip = try Self.makeGzip(gzipLevel, spacing)
        self.file = file
        unit = spacing.unit
        self.gzip = consume gzip
    }

    private static func makeGzip(_ level: Int?, _ spacing: NoteSpacing) throws(GodwitError) -> GzipWriter? {
        guard let level else { return nil }
        return try GzipWriter(level: level, spacing: spacing)
    }

    /// Offset in the document of the first block after the hole, or of the first block.
    private var base: Int64 { hole?.upperBound ?? 0 }

    /// Bytes written since then.
    var countBehindHole: Int64 { count - base }

    mutating func write(_ bytes: [UInt8]) throws(GodwitError) {
        try bytes.withUnsafeBufferPointer { bytes throws(GodwitError) in try write(UnsafeRawBufferPointer(bytes)) }
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(GodwitError) {
        count += Int64(bytes.count)
        if try gzip?.write(bytes, to: file) == nil { try file.write(bytes) }
        // For a packed document, the size of the file is unknown, but small.
        guard gzip == nil, count - flushed >= Self.flushSize else { return }
        file.startFlushing(from: flushed, count: count - flushed)
        flushed = count
    }

    mutating func writeHole(_ size: Int) throws(GodwitError) {
        hole = count..<count + Int64(size)
        count += Int64(size)
        if try gzip?.writeHole(size, to: file) == nil { try file.write([UInt8](repeating: 0x30, count: size)) }
    }

    /// Fills the hole and returns the file.
    consuming func finish(filling: [UInt8]) throws(GodwitError) -> Finished {
        if try gzip?.finish(filling: filling, in: file) == nil, let hole {
            try file.overwrite(filling, at: hole.lowerBound)
        }
        let outline = WrittenOutline(
            count: count, size: try file.size(), base: base, unit: unit, packed: gzip?.outline)
        return Finished(file: file, outline: outline)
    }

    struct Finished: ~Copyable {
        let file: AtomicFile
        let outline: WrittenOutline
    }
}
