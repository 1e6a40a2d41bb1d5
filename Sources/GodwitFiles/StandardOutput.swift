package import GodwitModel
internal import Libc

/// Standard output; a result that cannot be written is an error (74), also if the pipe is closed.
package enum StandardOutput {
    package static func write(_ bytes: [UInt8], stage: GodwitError.Stage) throws(GodwitError) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { rest in
                retryingInterrupts { Libc.write(STDOUT_FILENO, rest.baseAddress, rest.count) }
            }
            guard count > 0 else {
                throw GodwitError(
                    stage, .io, "can't write to standard output",
                    hint: "Check the program that reads the output, and the space on its disk.",
                    underlying: systemText(errno))
            }
            offset += count
        }
    }

    /// Writes a whole file in pieces of 1 MiB.
    package static func write(fileAt path: String, stage: GodwitError.Stage) throws(GodwitError) {
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
