internal import GodwitFiles
package import GodwitModel
internal import Libc

/// The input of a reader: bytes in memory, a file, or standard input.
///
/// Read once from start to end.
package final class ExportInput {
    package let name: String
    /// Keeps a file open; nil if the descriptor has another owner.
    private let file: OpenFile?
    private let descriptor: Int32
    private let memory: [UInt8]
    private var place = 0
    private let kind: Kind

    private enum Kind { case memory, file }

    package init(bytes: [UInt8], name: String = "document") {
        (self.name, memory, kind, descriptor) = (name, bytes, .memory, -1)
        file = nil
    }

    /// Throws 66 if there is no regular file: a pipe may never end, and needs `-`.
    package init(path: String, stage: GodwitError.Stage) throws(GodwitError) {
        let opened = try OpenFile(reading: path, stage: stage)
        guard try opened.status().isRegularFile else {
            throw GodwitError(
                stage, .noInput, "`\(path)` is not a regular file",
                hint: "Name the export file, or `-` to read it from a pipe.")
        }
        (name, memory, kind, descriptor) = (path, [], .file, opened.descriptor)
        file = consume opened
    }

    package init(standardInputNamed name: String = "standard input") {
        (self.name, memory, kind, descriptor) = (name, [], .file, STDIN_FILENO)
        file = nil
    }

    /// Fills the start of a buffer; returns 0 only at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, stage: GodwitError.Stage) throws(GodwitError) -> Int {
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
