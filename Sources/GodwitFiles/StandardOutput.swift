package import GodwitModel
internal import Libc

/// Standard output: a result that can't be written there is an error (74), a closed pipe included.
package enum StandardOutput {
    /// Writes bytes whole.
    package static func write(_ bytes: [UInt8], stage: Stage) throws(GodwitError) {
        var place = 0
        while place < bytes.count {
            let count = bytes[place...].withUnsafeBytes { rest in
                retryingInterrupts { Libc.write(STDOUT_FILENO, rest.baseAddress, rest.count) }
            }
            guard count > 0 else {
                throw GodwitError(
                    stage, .io, "Can't write to standard output.",
                    hint: "Whatever reads it has gone, or its disk is full.", underlying: systemText(errno))
            }
            place += count
        }
    }

    /// Writes a file whole, a piece at a time.
    package static func write(fileAt path: String, stage: Stage) throws(GodwitError) {
        let file = try OpenFile(reading: path, stage: stage)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = retryingInterrupts { read(file.descriptor, &buffer, buffer.count) }
            if count == 0 { return }
            guard count > 0 else { throw .system("read back", path, errno: errno, stage: stage) }
            try write(Array(buffer[..<count]), stage: stage)
        }
    }
}
