internal import GodwitFiles
internal import CSystemShim

/// The bytes of a store that SQLite locks, and these locks: <https://sqlite.org/lockingv3.html>.
///
/// Such a lock belongs to the process. The caller keeps an `OpenStoreGuard`, so that closing another descriptor does
/// not release it.
enum LockedBytes {
    /// `PENDING_BYTE` of a main file, and the bytes after it.
    static let pending: Int64 = 0x4000_0000
    static let reserved: Int64 = pending + 1
    static let shared: Int64 = pending + 2
    static let sharedCount: Int64 = 510
    /// `WAL_WRITE_LOCK` of a `-shm`: <https://sqlite.org/walformat.html#wal_locks>.
    static let walWriter: Int64 = 120

    enum Lock: Int32 {
        case none = 0
        case shared = 1
        case exclusive = 2
    }

    /// Takes a lock without waiting; false if that is impossible.
    static func take(_ lock: Lock, _ offset: Int64, _ count: Int64 = 1, of file: borrowing OpenFile) -> Bool {
        godwit_lock_bytes(file.descriptor, lock.rawValue, offset, count) == 0
    }

    static func isFree(_ offset: Int64, of file: borrowing OpenFile) -> Bool {
        godwit_bytes_are_free(file.descriptor, offset, 1) != 0
    }

    static func release(_ offset: Int64, _ count: Int64 = 1, of file: borrowing OpenFile) {
        _ = godwit_lock_bytes(file.descriptor, Lock.none.rawValue, offset, count)
    }

    /// Takes a reader's lock in rollback mode, as SQLite does; false if a process writes or waits to write.
    ///
    /// A writer that waits for readers to finish has the pending lock, so later readers wait for it.
    static func takeReadersLock(of file: borrowing OpenFile) -> Bool {
        guard take(.shared, pending, of: file) else { return false }
        defer { release(pending, of: file) }
        return take(.shared, shared, sharedCount, of: file)
    }
}
