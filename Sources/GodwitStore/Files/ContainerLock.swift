package import GodwitModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A lock on a container: `flock` on the directory itself.
///
/// No lock file is written, and the system releases the lock when the process dies, however it dies. It is advisory:
/// it keeps runs of Godwit apart, not the app; the app's own access is handled by SQLite's locks.
package struct ContainerLock: ~Copyable {
    private let directory: OpenFile

    /// How runs share a container.
    package enum Mode: Sendable {
        /// For commands that write.
        case exclusive
        /// For commands that only read.
        case shared
    }

    /// Takes the lock, waiting up to the context's timeout; 75 when another run still holds it then.
    package init(_ container: String, mode: Mode, context: RunContext) throws(GodwitError) {
        let opened = try OpenFile(directory: container)
        let operation = (mode == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
        var waited = 0
        while flock(opened.descriptor, operation) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .system("lock", container, errno: errno)
            }
            try context.cancellation.check(.container)
            guard waited < context.lockTimeoutMilliseconds else {
                throw GodwitError(
                    .container, .busy, "Another run holds the lock on \(container).",
                    hint: "Wait for it to end, or give it more time with --lock-timeout.")
            }
            pause(milliseconds: 20)
            waited += 20
        }
        directory = opened
    }

    /// Takes away what killed imports left in a folder, unless an import is at work there: imports share a lock on the
    /// folder of their target, so that whoever has it alone knows that nobody needs those files.
    package static func removeAbandonedRestorations(in folder: String) throws(GodwitError) {
        let opened = try OpenFile(directory: folder)
        guard flock(opened.descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        OwnFiles.removeRestorations(in: folder)
    }
}
