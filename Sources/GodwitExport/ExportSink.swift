internal import Crypto
package import GodwitModel
package import GodwitStore

/// Takes a document's bytes: into the file in large pieces, and where asked into a hash on the way.
package struct ExportSink: ~Copyable {
    private let file: AtomicFile
    private var buffer = JSONBuffer(capacity: Self.flushSize + (1 << 16))
    private var hash: SHA256?
    /// Bytes handed to the file so far.
    private var flushed: Int64 = 0

    private static let flushSize = 1 << 20

    package init(_ file: consuming AtomicFile) { self.file = file }

    /// Bytes written so far, those still in the buffer included.
    package var count: Int64 { flushed + Int64(buffer.count) }

    /// Appends through a closure; the buffer goes to the file when it is full.
    package mutating func append(_ body: (inout JSONBuffer) -> Void) throws(GodwitError) {
        body(&buffer)
        if buffer.count >= Self.flushSize { try flush() }
    }

    /// Begins to hash what is appended from here on.
    package mutating func beginHashing() throws(GodwitError) {
        try flush()
        hash = SHA256()
    }

    /// Ends hashing; the hash as lower-case hex.
    package mutating func endHashing() throws(GodwitError) -> String {
        try flush()
        defer { hash = nil }
        return hexText(hash?.finalize().map { $0 } ?? [])
    }

    package mutating func flush() throws(GodwitError) {
        var failure: GodwitError?
        buffer.bytes.withUnsafeBytes { bytes in
            hash?.update(bufferPointer: bytes)
            do throws(GodwitError) { try file.write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        flushed += Int64(buffer.count)
        buffer.removeAll()
    }

    /// Gives the file back; all bytes are in it.
    package consuming func finish() throws(GodwitError) -> AtomicFile {
        try flush()
        return file
    }
}
