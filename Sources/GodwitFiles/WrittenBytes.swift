package import GodwitModel
internal import Libc

/// The bytes of a file that its owner has open, for any thread, as long as the owner lives.
package struct WrittenBytes: Sendable {
    /// The number for system calls.
    package let descriptor: Int32
    /// What messages call the file.
    let name: String
    let stage: Stage

    /// Fills a buffer with what lies at a place, as far as the file goes; returns how many bytes that is.
    package func read(into space: UnsafeMutableRawBufferPointer, at place: Int64) throws(GodwitError) -> Int {
        guard let count = filled(space, from: descriptor, at: place) else {
            throw .system("read back", name, errno: errno, stage: stage)
        }
        return count
    }
}

/// Fills a buffer with what lies at a place of an open file, as far as that goes, however many calls it takes; returns how
/// many bytes that is, or nil where the system refuses: `errno` says why.
func filled(_ space: UnsafeMutableRawBufferPointer, from descriptor: Int32, at place: Int64) -> Int? {
    var done = 0
    while done < space.count {
        let count = retryingInterrupts {
            pread(descriptor, space.baseAddress.map { $0 + done }, space.count - done, off_t(place) + off_t(done))
        }
        guard count >= 0 else { return nil }
        if count == 0 { break }
        done += count
    }
    return done
}
