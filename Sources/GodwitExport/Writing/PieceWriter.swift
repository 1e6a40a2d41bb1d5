internal import GodwitJSON
internal import GodwitModel
internal import Crypto
import Synchronization

/// Text of a document that is being hashed and written.
///
/// A class, because threads exchange it; only one uses it at a time, so no exclusivity checks are needed.
final class ExportPiece: @unchecked Sendable {
    /// Size of a full piece in bytes: small enough for the cache of the processor that receives it.
    static let fullSize = 1 << 17

    @exclusivity(unchecked) var array = JSONBuffer(capacity: fullSize + (1 << 14))
    /// Record lines; only in JSON Lines.
    @exclusivity(unchecked) var lines = JSONBuffer(capacity: 0)

    var size: Int { max(array.count, lines.count) }

    func removeAll() {
        array.removeAll()
        lines.removeAll()
    }
}

/// Hashes pieces, on any thread; one call at a time.
final class PieceHashes: @unchecked Sendable {
    private let layout: ExportReport.Layout
    private let isWritten: Bool
    /// Hash of the array in the plain layout.
    private(set) var array = SHA256()
    /// Digest of the bytes that are written.
    private(set) var written: MarkedDigest

    /// - Parameter spacing: the distance between recorded states; nil if nothing is written.
    init(_ layout: ExportReport.Layout, _ spacing: NoteSpacing?) {
        (self.layout, isWritten) = (layout, spacing != nil)
        written = MarkedDigest(spacing ?? .init())
    }

    /// Sets the number of bytes before the array, from the first block of a packed document.
    func begin(at offset: Int64) { written.begin(at: offset) }

    func take(_ piece: ExportPiece) {
        piece.array.withBytes { array.update(bufferPointer: $0) }
        guard isWritten else { return }
        switch layout {
        case .document: piece.array.withBytes { written.update($0) }
        case .lines: piece.lines.withBytes { written.update($0) }
        }
    }
}

/// Writes pieces, on any thread; one call at a time.
final class PieceWriter: @unchecked Sendable {
    private var output: ExportOutput?
    private let layout: ExportReport.Layout
    /// The error of a piece; nothing is written after it.
    private let failure = Mutex<GodwitError?>(nil)

    init(_ output: consuming ExportOutput?, _ layout: ExportReport.Layout) {
        self.output = output
        self.layout = layout
    }

    /// Throws the error of the other thread.
    func requireWritten() throws(GodwitError) { if let failure = failure.withLock(\.self) { throw failure } }

    /// Bytes written since the start of the first block.
    var countBehindHole: Int64 { output?.countBehindHole ?? 0 }

    func write(frame bytes: [UInt8]) throws(GodwitError) { try output?.write(bytes) }

    func writeHole(_ count: Int) throws(GodwitError) { try output?.writeHole(count) }

    func write(_ piece: ExportPiece) {
        guard failure.withLock({ $0 == nil }) else { return }
        do throws(GodwitError) {
            switch layout {
            case .document: try piece.array.withBytes { bytes throws(GodwitError) in try output?.write(bytes) }
            case .lines: try piece.lines.withBytes { bytes throws(GodwitError) in try output?.write(bytes) }
            }
        } catch {
            failure.withLock { $0 = error }
        }
    }

    /// Returns the complete file; nil if there is none.
    func finish(filling: [UInt8]) throws(GodwitError) -> ExportOutput.Finished? {
        try output.take()?.finish(filling: filling)
    }
}
