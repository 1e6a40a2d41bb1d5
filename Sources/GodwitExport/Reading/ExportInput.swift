internal import GodwitFiles
package import GodwitModel
internal import Libc

/// Where an export document is read from: bytes in memory, a file, standard input.
///
/// Read once, from its beginning to its end; nothing is kept.
package final class ExportInput {
    /// What messages call it.
    package let name: String
    /// Keeps a file of its own open; nil where somebody else owns the descriptor.
    private let file: OpenFile?
    private let descriptor: Int32
    private let memory: [UInt8]
    private var place = 0
    private let kind: Kind

    private enum Kind { case memory, file }

    /// Bytes in memory.
    package init(bytes: [UInt8], name: String = "document") {
        (self.name, memory, kind, descriptor) = (name, bytes, .memory, -1)
        file = nil
    }

    /// A file; 66 where there is none, or no regular one: a pipe may never end, and is what `-` is for.
    package init(path: String, stage: Stage) throws(GodwitError) {
        let opened = try OpenFile(reading: path, stage: stage)
        guard try opened.status().isRegularFile else {
            throw GodwitError(
                stage, .noInput, "\(path) is not a regular file.",
                hint: "Name the document itself; what comes out of a pipe is read with `-`.")
        }
        (name, memory, kind, descriptor) = (path, [], .file, opened.descriptor)
        file = consume opened
    }

    /// Standard input, to its end.
    package init(standardInputNamed name: String = "standard input") {
        (self.name, memory, kind, descriptor) = (name, [], .file, STDIN_FILENO)
        file = nil
    }

    /// Fills the beginning of a buffer; 0 at the end, and only there.
    func read(into buffer: UnsafeMutableRawBufferPointer, stage: Stage) throws(GodwitError) -> Int {
        if kind == .memory {
            let count = min(buffer.count, memory.count - place)
            buffer.copyBytes(from: memory[place..<place + count])
            place += count
            return count
        }
        let count = retryingInterrupts { Libc.read(descriptor, buffer.baseAddress, buffer.count) }
        guard count >= 0 else { throw .system("read", name, errno: errno, stage: stage) }
        return count
    }
}
