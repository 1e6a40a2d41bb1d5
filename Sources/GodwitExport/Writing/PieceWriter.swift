internal import GodwitJSON
internal import GodwitModel
internal import Crypto
import Synchronization

/// Text of a document on its way to the hash and the file.
///
/// A class, since it goes to and fro between two threads; only one has it at a time, so nothing need ask at each access.
final class ExportPiece: @unchecked Sendable {
    /// Bytes from which on it is handed over: so few that the one who takes it finds it in its processor's cache.
    static let fullSize = 1 << 17

    /// Text of the `entities` array.
    @exclusivity(unchecked) var array = JSONBuffer(capacity: fullSize + (1 << 14))
    /// Record lines, in JSON lines.
    @exclusivity(unchecked) var lines = JSONBuffer(capacity: 0)

    var size: Int { max(array.count, lines.count) }

    func removeAll() {
        array.removeAll()
        lines.removeAll()
    }
}

/// Hashes pieces, on whichever thread; only one at a time calls it.
final class PieceHashes: @unchecked Sendable {
    private let layout: ExportLayout
    private let isWritten: Bool
    /// Over the array as the plain layout has it.
    private(set) var array = SHA256()
    /// Over the bytes that are written of it.
    private(set) var written: MarkedDigest

    /// - Parameter spacing: of what is read back; nil where nothing is written.
    init(_ layout: ExportLayout, _ spacing: NoteSpacing?) {
        (self.layout, isWritten) = (layout, spacing != nil)
        written = MarkedDigest(spacing ?? .init())
    }

    /// Says how many bytes come before the array, counted from where blocks of a packed document begin.
    func begin(at place: Int64) { written.begin(at: place) }

    func take(_ piece: ExportPiece) {
        piece.array.withBytes { array.update(bufferPointer: $0) }
        guard isWritten else { return }
        switch layout {
        case .document: piece.array.withBytes { written.update($0) }
        case .lines: piece.lines.withBytes { written.update($0) }
        }
    }
}

/// Writes pieces, on whichever thread; only one at a time calls it.
final class PieceWriter: @unchecked Sendable {
    private var output: ExportOutput?
    private let layout: ExportLayout
    /// What went wrong with a piece; nothing is written after it.
    private let failure = Mutex<GodwitError?>(nil)

    init(_ output: consuming ExportOutput?, _ layout: ExportLayout) {
        self.output = output
        self.layout = layout
    }

    /// Throws what went wrong in the other thread.
    func requireWritten() throws(GodwitError) { if let failure = failure.withLock(\.self) { throw failure } }

    /// Bytes written since where blocks of a packed document begin.
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

    /// Gives the file back with all bytes in it; nil where there is none.
    func finish(filling: [UInt8]) throws(GodwitError) -> ExportOutput.Finished? {
        try output.take()?.finish(filling: filling)
    }
}
