internal import Crypto
internal import GodwitModel
internal import GodwitStore

/// Text of a document on its way to the hash and the file.
///
/// A class, since it goes to and fro between two threads; only one has it at a time, so nothing need ask at each access.
final class ExportPiece: @unchecked Sendable {
    /// Text of the `entities` array.
    @exclusivity(unchecked) var array = JSONBuffer(capacity: (1 << 20) + (1 << 16))
    /// Record lines, in JSON lines.
    @exclusivity(unchecked) var lines = JSONBuffer(capacity: 0)

    var size: Int { max(array.count, lines.count) }

    func removeAll() {
        array.removeAll()
        lines.removeAll()
    }
}

/// Hashes and writes pieces, on whichever thread; only one at a time calls it.
final class PieceWriter: @unchecked Sendable {
    private var output: ExportOutput?
    private let layout: ExportLayout
    private var array = SHA256()
    private var lines = SHA256()
    /// What went wrong with a piece; nothing is written after it.
    private var failure: GodwitError?

    init(_ output: consuming ExportOutput?, _ layout: ExportLayout) {
        self.output = output
        self.layout = layout
    }

    /// Throws what went wrong in the other thread.
    func requireWritten() throws(GodwitError) { if let failure { throw failure } }

    /// Bytes written so far, before they are packed.
    var count: Int64 { output?.count ?? 0 }

    func write(frame bytes: [UInt8]) throws(GodwitError) { try output?.write(bytes) }

    func writeHole(_ count: Int) throws(GodwitError) { try output?.writeHole(count) }

    /// Hashes and writes a piece, and empties it.
    func write(_ piece: ExportPiece) {
        defer { piece.removeAll() }
        guard failure == nil else { return }
        do throws(GodwitError) {
            try piece.array.withBytes { bytes throws(GodwitError) in
                array.update(bufferPointer: bytes)
                if layout == .document { try output?.write(bytes) }
            }
            guard layout == .lines else { return }
            try piece.lines.withBytes { bytes throws(GodwitError) in
                lines.update(bufferPointer: bytes)
                try output?.write(bytes)
            }
        } catch {
            failure = error
        }
    }

    /// Over the array as the plain layout has it.
    var arrayHash: String { hexText(array.finalize()) }

    /// Over the bytes that were written of it.
    var writtenHash: String { layout == .lines ? hexText(lines.finalize()) : arrayHash }

    /// Gives the file back with all bytes in it; nil where there is none.
    func finish(filling: [UInt8]) throws(GodwitError) -> AtomicFile? {
        try output.take()?.finish(filling: filling)
    }
}
