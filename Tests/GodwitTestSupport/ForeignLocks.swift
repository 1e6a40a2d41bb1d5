#if os(Linux)
    import Libc

    /// Locks on a store, as another process would take or meet them.
    ///
    /// A second connection in the test's process would not do: the system separates processes, not connections. Locks
    /// of an open file description (`F_OFD_SETLK`, fcntl(2)) also conflict with those of their own process.
    package final class ForeignLocks {
        /// The bytes that SQLite locks in a store, <https://sqlite.org/lockingv3.html>, and in its log's `-shm`,
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

        /// Takes an exclusive lock, as a writer in another process does.
        package init(_ path: String, _ place: Place) throws {
            descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { throw CantOpen(path: path, number: errno) }
            var lock = Self.lock(place)
            guard fcntl(descriptor, Self.set, &lock) == 0 else { throw CantOpen(path: path, number: errno) }
        }

        /// Releases the lock; the descriptor stays open, since closing it would release this process's own locks.
        package func release() {
            var lock = Self.lock(.shared)
            (lock.l_type, lock.l_start, lock.l_len) = (Int16(F_UNLCK), 0, 0)
            _ = fcntl(descriptor, Self.set, &lock)
        }

        /// Whether this process has a lock that would keep another process from writing.
        ///
        /// The descriptor that asks stays open: closing it would release the locks it asked for.
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
