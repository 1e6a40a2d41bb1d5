import Libc
import Testing

/// A container's lock, taken as another run would take it.
final class HeldLock {
    private let descriptor: Int32

    init(_ folder: String) throws {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(descriptor >= 0)
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    }

    func release() { _ = flock(descriptor, LOCK_UN) }

    deinit { close(descriptor) }
}
