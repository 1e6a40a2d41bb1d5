internal import GodwitFiles
internal import GodwitJSON
package import GodwitModel
internal import Crypto

/// How a document is written: laid out, and packed or not.
package struct ExportForm: Sendable, Equatable {
    package let layout: ExportLayout
    /// From 1 to 9; nil for a document that is not packed.
    package let gzipLevel: Int?

    package init(layout: ExportLayout = .document, gzipLevel: Int? = nil) {
        (self.layout, self.gzipLevel) = (layout, gzipLevel)
    }

    /// JSON that is not packed.
    package static let plain = ExportForm()
}

/// Takes a document's text in large pieces: into a file, packed or not, and the `entities` array into a hash.
///
/// One piece is filled while others are hashed and written by two threads of the sink's own.
///
/// Invariant: the hash is over the array as the plain layout has it, whatever is written, and even if nothing is.
struct ExportSink: ~Copyable {
    private let writer: PieceWriter
    private let hashes: PieceHashes
    private let writing = BackgroundWorker(depth: pieceCount - 1)
    private let hashing = BackgroundWorker(depth: pieceCount - 1)
    private let layout: ExportLayout
    private var piece = ExportPiece()
    /// The pieces that come next, the one that was handed over longest ago first.
    private var others = (1..<pieceCount).map { _ in ExportPiece() }
    private var linePrefix: [UInt8] = []
    private var gonePrefix: [UInt8] = []

    /// With two, each thread would have to wait for the others at each piece.
    private static let pieceCount = 32
    private static let flushSize = ExportPiece.fullSize

    /// A sink into a file.
    init(_ file: consuming AtomicFile, form: ExportForm, spacing: NoteSpacing = .init()) throws(GodwitError) {
        writer = PieceWriter(try ExportOutput(file, gzipLevel: form.gzipLevel, spacing: spacing), form.layout)
        hashes = PieceHashes(form.layout, spacing)
        layout = form.layout
    }

    /// A sink that only hashes.
    init() {
        writer = PieceWriter(nil, .document)
        hashes = PieceHashes(.document, nil)
        layout = .document
    }

    deinit {
        writing.end()
        hashing.end()
    }

    /// Text around the array, which is not hashed.
    mutating func write(frame bytes: some Collection<UInt8>) throws(GodwitError) {
        try settle()
        try writer.write(frame: Array(bytes))
    }

    /// Leaves room for text that is known only at the end.
    mutating func writeHole(_ count: Int) throws(GodwitError) {
        try settle()
        try writer.writeHole(count)
    }

    /// Begins the array.
    mutating func beginArray() throws(GodwitError) {
        try settle()
        hashes.begin(at: writer.countBehindHole)
    }

    /// Text of the array between records: in JSON lines it is not written.
    mutating func append(_ body: (inout JSONBuffer) -> Void) throws(GodwitError) {
        body(&piece.array)
        if piece.size >= Self.flushSize { try flush() }
    }

    /// Says what the records that follow belong to.
    mutating func beginEntity(_ name: String) {
        var json = JSONBuffer(capacity: 64)
        json.append("{\"entity\":")
        json.append(string: name)
        gonePrefix = json.bytes
        json.append(",\"record\":")
        linePrefix = json.bytes
        json.removeAll()
        json.append(",\"gone\":")
        gonePrefix += json.bytes
    }

    /// The key of a record that is gone.
    mutating func append(gone key: [UInt8], isFirst: Bool) throws(GodwitError) {
        if layout == .lines { piece.lines.append(raw: gonePrefix) }
        try key.withUnsafeBufferPointer { key throws(GodwitError) in
            try append(UnsafeRawBufferPointer(key), isFirst: isFirst)
        }
    }

    /// A record, from brace to brace.
    mutating func append(record: UnsafeRawBufferPointer, isFirst: Bool) throws(GodwitError) {
        if layout == .lines { piece.lines.append(raw: linePrefix) }
        try append(record, isFirst: isFirst)
    }

    /// What stands before it in a line has been written: an array that is handed over is counted for each record.
    private mutating func append(_ text: UnsafeRawBufferPointer, isFirst: Bool) throws(GodwitError) {
        piece.array.append(isFirst ? "\n    " : ",\n    ")
        var rest = text
        // A record may be longer than all memory that is meant for pieces.
        while rest.count > Self.flushSize {
            try appendPart(UnsafeRawBufferPointer(rebasing: rest[..<Self.flushSize]))
            rest = UnsafeRawBufferPointer(rebasing: rest[Self.flushSize...])
        }
        try appendPart(rest)
        if layout == .lines { piece.lines.append("}\n") }
    }

    private mutating func appendPart(_ text: UnsafeRawBufferPointer) throws(GodwitError) {
        piece.array.append(raw: text)
        if layout == .lines { piece.lines.append(raw: text) }
        if piece.size >= Self.flushSize { try flush() }
    }

    /// Hands the piece over, and goes on with the one that both threads have done.
    private mutating func flush() throws(GodwitError) {
        try writer.requireWritten()
        writing.begin { [writer, piece] in writer.write(piece) }
        hashing.begin { [hashes, piece] in hashes.take(piece) }
        others.append(piece)
        piece = others.removeFirst()
        piece.removeAll()
    }

    /// Waits until all is written.
    private mutating func settle() throws(GodwitError) {
        writing.wait()
        hashing.wait()
        try writer.requireWritten()
        guard piece.size > 0 else { return }
        writer.write(piece)
        hashes.take(piece)
        piece.removeAll()
        try writer.requireWritten()
    }

    /// The hash of the array, as lower-case hex; nothing may be added to it afterwards.
    mutating func endArray() throws(GodwitError) -> String {
        try settle()
        return hexText(hashes.array.finalize())
    }

    /// The digest of what was written of the array: of its lines, in JSON lines.
    mutating func writtenDigest() throws(GodwitError) -> MarkedDigest {
        try settle()
        return hashes.written
    }

    /// Gives the file back with all bytes in it; nil where there is no file.
    ///
    /// - Parameter filling: what goes into the hole.
    mutating func finish(filling: [UInt8]) throws(GodwitError) -> ExportOutput.Finished? {
        try settle()
        return try writer.finish(filling: filling)
    }
}
