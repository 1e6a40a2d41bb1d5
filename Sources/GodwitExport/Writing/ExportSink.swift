internal import GodwitFiles
internal import GodwitJSON
package import GodwitModel
internal import Crypto

/// Layout and packing of a document.
package struct ExportForm: Sendable, Equatable {
    package let layout: ExportReport.Layout
    /// From 1 to 9; nil for no packing.
    package let gzipLevel: Int?

    package init(layout: ExportReport.Layout = .document, gzipLevel: Int? = nil) {
        (self.layout, self.gzipLevel) = (layout, gzipLevel)
    }

    /// JSON without packing.
    package static let plain = ExportForm()
}

/// Receives a document's text: writes it to a file, packed or not, and hashes the `entities` array.
///
/// One piece is filled while two threads hash and write others.
/// Invariant: the hash is always that of the array in the plain layout, in every layout and even if nothing is written.
struct ExportSink: ~Copyable {
    private let writer: PieceWriter
    private let hashes: PieceHashes
    private let writing = BackgroundWorker(depth: pieceCount - 1)
    private let hashing = BackgroundWorker(depth: pieceCount - 1)
    private let layout: ExportReport.Layout
    private var piece = ExportPiece()
    /// Pieces for later use, the one that was passed on first at the start.
    private var others = (1..<pieceCount).map { _ in ExportPiece() }
    private var linePrefix: [UInt8] = []
    private var gonePrefix: [UInt8] = []

    /// With two pieces, each thread would wait for the others at each piece.
    private static let pieceCount = 32
    private static let flushSize = ExportPiece.fullSize

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

    /// Writes text before or after the array, which is not hashed.
    mutating func write(frame bytes: some Collection<UInt8>) throws(GodwitError) {
        try settle()
        try writer.write(frame: Array(bytes))
    }

    /// Leaves a hole for text that is known only at the end.
    mutating func writeHole(_ count: Int) throws(GodwitError) {
        try settle()
        try writer.writeHole(count)
    }

    mutating func beginArray() throws(GodwitError) {
        try settle()
        hashes.begin(at: writer.countBehindHole)
    }

    /// Text of the array between records; not written in JSON Lines.
    mutating func append(_ body: (inout JSONBuffer) -> Void) throws(GodwitError) {
        body(&piece.array)
        if piece.size >= Self.flushSize { try flush() }
    }

    /// Sets the entity of the following records.
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

    /// Adds the key of a removed record.
    mutating func append(gone key: [UInt8], isFirst: Bool) throws(GodwitError) {
        if layout == .lines { piece.lines.append(raw: gonePrefix) }
        try key.withUnsafeBufferPointer { key throws(GodwitError) in
            try append(UnsafeRawBufferPointer(key), isFirst: isFirst)
        }
    }

    /// Adds a record.
    mutating func append(record: UnsafeRawBufferPointer, isFirst: Bool) throws(GodwitError) {
        if layout == .lines { piece.lines.append(raw: linePrefix) }
        try append(record, isFirst: isFirst)
    }

    /// The prefix of its line is written already: passing an array would count references for each record.
    private mutating func append(_ text: UnsafeRawBufferPointer, isFirst: Bool) throws(GodwitError) {
        piece.array.append(isFirst ? "\n    " : ",\n    ")
        var rest = text
        // A record may be longer than the memory of all pieces.
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

    /// Passes the piece on, and continues with one that both threads have finished.
    private mutating func flush() throws(GodwitError) {
        try writer.requireWritten()
        writing.begin { [writer, piece] in writer.write(piece) }
        hashing.begin { [hashes, piece] in hashes.take(piece) }
        others.append(piece)
        piece = others.removeFirst()
        piece.removeAll()
    }

    /// Waits until everything is written.
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

    /// The hash of the array, as lower-case hex; nothing may be added to the array afterwards.
    mutating func endArray() throws(GodwitError) -> String {
        try settle()
        return hexText(hashes.array.finalize())
    }

    /// The digest of the written array, or of its lines in JSON Lines.
    mutating func writtenDigest() throws(GodwitError) -> MarkedDigest {
        try settle()
        return hashes.written
    }

    /// Returns the complete file; nil if there is none.
    mutating func finish(filling: [UInt8]) throws(GodwitError) -> ExportOutput.Finished? {
        try settle()
        return try writer.finish(filling: filling)
    }
}
