#if os(Linux)
    import Libc

    /// Locks on a store as another process would meet them, or hold them.
    ///
    /// A second connection in the test's own process would not do: the system keeps processes apart, not connections.
    /// Locks of an open file description (`F_OFD_SETLK`, fcntl(2)) meet those of the process they are in.
    package final class ForeignLocks {
        /// Bytes by which SQLite's connections lock a store: <https://sqlite.org/lockingv3.html>, and its log's `-shm`:
        /// <https://sqlite.org/walformat.html#wal_locks>.
        package enum Place: Sendable {
            case pending, reserved, shared, walWriter

            fileprivate var range: (start: Int, count: Int) {
                switch self {
                case .pending: (0x4000_0000, 1)
                case .reserved: (0x4000_0001, 1)
                case .shared: (0x4000_0002, 510)
                case .walWriter: (120, 1)
                }
            }
        }

        private struct CantOpen: Error {
            let path: String
            let number: Int32
        }

        private static let get: Int32 = 36
        private static let set: Int32 = 37
        private let descriptor: Int32

        /// Takes a lock that excludes others, as a writer in another process does.
        package init(_ path: String, _ place: Place) throws {
            descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { throw CantOpen(path: path, number: errno) }
            var lock = Self.lock(place)
            guard fcntl(descriptor, Self.set, &lock) == 0 else { throw CantOpen(path: path, number: errno) }
        }

        /// Gives it back; the descriptor stays open, since closing it would cost this process its own locks.
        package func release() {
            var lock = Self.lock(.shared)
            (lock.l_type, lock.l_start, lock.l_len) = (Int16(F_UNLCK), 0, 0)
            _ = fcntl(descriptor, Self.set, &lock)
        }

        /// Whether this process has a lock there that would keep another from writing.
        ///
        /// The descriptor that asks stays open: closing it would release the very locks it asked for.
        package static func isLocked(_ path: String, _ place: Place) throws -> Bool {
            let asking = open(path, O_RDONLY | O_CLOEXEC)
            guard asking >= 0 else { throw CantOpen(path: path, number: errno) }
            var lock = Self.lock(place)
            guard fcntl(asking, get, &lock) == 0 else { throw CantOpen(path: path, number: errno) }
            return lock.l_type != Int16(F_UNLCK)
        }

        private static func lock(_ place: Place) -> flock {
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            lock.l_whence = Int16(SEEK_SET)
            (lock.l_start, lock.l_len) = (off_t(place.range.start), off_t(place.range.count))
            return lock
        }
    }
#endif
