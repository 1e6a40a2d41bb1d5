internal import GodwitFiles
internal import CSystemShim

/// The bytes of a store on which SQLite takes its locks, and these locks: <https://sqlite.org/lockingv3.html>.
///
/// Such a lock belongs to the process. Whoever takes one keeps a `OpenStoreGuard`, so that no descriptor that is closed elsewhere
/// drops it.
enum LockedBytes {
    /// `PENDING_BYTE` of a main file, and what follows it.
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

    /// Whether the lock could be had at once.
    static func take(_ lock: Lock, _ place: Int64, _ count: Int64 = 1, of file: borrowing OpenFile) -> Bool {
        godwit_lock_bytes(file.descriptor, lock.rawValue, place, count) == 0
    }

    static func isFree(_ place: Int64, of file: borrowing OpenFile) -> Bool {
        godwit_bytes_are_free(file.descriptor, place, 1) != 0
    }

    static func release(_ place: Int64, _ count: Int64 = 1, of file: borrowing OpenFile) {
        _ = godwit_lock_bytes(file.descriptor, Lock.none.rawValue, place, count)
    }

    /// Takes a reader's lock in rollback mode, as SQLite does; false where a writer is at the file or waits for it.
    ///
    /// A writer that waits for readers to go has the pending lock: whoever comes now comes after it.
    static func takeReadersLock(of file: borrowing OpenFile) -> Bool {
        guard take(.shared, pending, of: file) else { return false }
        defer { release(pending, of: file) }
        return take(.shared, shared, sharedCount, of: file)
    }
}
