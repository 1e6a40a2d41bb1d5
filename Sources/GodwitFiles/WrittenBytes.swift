package import GodwitModel
internal import Libc

/// The bytes of an open file, for any thread; valid as long as the owner exists.
package struct WrittenBytes: Sendable {
    package let descriptor: Int32
    /// The name of the file in messages.
    let name: String
    let stage: GodwitError.Stage

    /// Fills a buffer from an offset, up to the end of the file; returns the number of bytes.
    package func read(into space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(GodwitError) -> Int {
        guard let count = filled(space, from: descriptor, at: offset) else {
            throw .system("read back", name, errno: errno, stage: stage)
        }
        return count
    }
}

/// Fills a buffer from an offset of an open file, up to its end, in as many calls as necessary.
///
/// Returns the number of bytes, or nil after an error, which `errno` describes.
func filled(_ space: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int64) -> Int? {
    var done = 0
    while done < space.count {
        let count = retryingInterrupts {
            pread(descriptor, space.baseAddress.map { $0 + done }, space.count - done, off_t(offset) + off_t(done))
        }
        guard count >= 0 else { return nil }
        if count == 0 { break }
        done += count
    }
    return done
}
