internal import GodwitFiles
package import GodwitModel
internal import Libc
internal import Crypto

/// Size and hash of a file's bytes, read in pieces: stores are large.
package struct FileDigest: Sendable, Hashable {
    /// Bytes that were read.
    package let size: Int64
    /// Lower-case hex.
    package let sha256: String

    /// The digest of a regular file; nil for what is none, such as a folder or a FIFO, which is never waited for.
    ///
    /// - Parameter isJournal: whether it is a rollback journal; one that names a file that is there is hashed as a private
    ///   clone has it, without that name.
    package init?(
        of path: String, isJournal: Bool = false, stage: GodwitError.Stage, context: RunContext
    ) throws(GodwitError) {
        let file = try OpenFile(reading: path, stage: stage)
        let status = try file.status()
        guard status.isRegularFile else { return nil }
        let names = isJournal ? try SuperJournal.existing(in: path) : nil
        let forgotten = names == nil ? Int64.max : status.size - 8
        var hash = SHA256()
        var total: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            try context.cancellation.check(stage)
            let count = retryingInterrupts { read(file.descriptor, &buffer, buffer.count) }
            guard count >= 0 else { throw .system("read", path, errno: errno, stage: stage) }
            if count == 0 { break }
            for place in buffer[..<count].indices.suffix(8) where total + Int64(place) >= forgotten {
                buffer[place] = 0
            }
            buffer[..<count].withUnsafeBytes { hash.update(bufferPointer: $0) }
            total += Int64(count)
        }
        size = total
        sha256 = hexText(hash.finalize())
    }
}
