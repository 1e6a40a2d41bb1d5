internal import CSystemShim
package import GodwitModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Keeps all others from writing to a store for as long as it lives, without writing a byte to it or making a file beside
/// it: for the moment in which a flag is set that speaks for a store that is only read.
///
/// It takes the locks by which SQLite itself keeps writers apart, on the bytes its file format sets aside for them. In
/// rollback mode: the shared and the reserved lock, <https://sqlite.org/lockingv3.html>; a transaction that has begun is
/// waited for, and no other can begin. In WAL mode: the writer's lock in the `-shm` where there is one,
/// <https://sqlite.org/walformat.html#wal_locks>; where there is none nobody has the store open, and the pending and the
/// shared lock keep it so. Where the store may not be opened for writing, it is only made sure that nobody writes now.
package final class WriteBarrier {
    /// The locking bytes of a main file: `PENDING_BYTE` and what follows it, and of a `-shm`: `WAL_WRITE_LOCK`.
    private enum Place {
        static let pending: Int64 = 0x4000_0000
        static let reserved: Int64 = pending + 1
        static let shared: Int64 = pending + 2
        static let sharedCount: Int64 = 510
        static let walWriter: Int64 = 120
    }

    private enum Lock: Int32 {
        case none = 0
        case shared = 1
        case exclusive = 2
    }

    private let use: StoreUse
    private let store: OpenFile
    /// Whether locks that exclude others can be taken, and not only looked for.
    private let isWritable: Bool
    /// The `-shm`, while its writer's lock is held.
    private var index: OpenFile?

    /// Waits up to the context's timeout for whoever is writing; 75 when that was not long enough.
    package init(_ path: String, name: String, stage: Stage, context: RunContext) throws(GodwitError) {
        use = StoreUse(of: path)
        isWritable = PathText.isWritable(path) != false
        if isWritable {
            store = try OpenFile(updating: path, stage: stage)
        } else {
            store = try OpenFile(reading: path, stage: stage)
        }
        index = nil
        var waited = 0
        while !keepOut(path) {
            try context.cancellation.check(stage)
            guard waited < context.lockTimeoutMilliseconds else {
                throw GodwitError(
                    stage, .busy, "\(name) is being written by another process.",
                    hint: "Close the app that uses it, or raise --lock-timeout.")
            }
            pause(milliseconds: 20)
            waited += 20
        }
    }

    deinit { letGo() }

    private func letGo() {
        index = nil
        release(Place.pending)
        release(Place.reserved)
        // The shared lock may be SQLite's as well; then it goes when that closes the file.
        if use.isAlone { release(Place.shared, Place.sharedCount) }
    }

    /// Takes all locks, or none that would be in anybody's way; false where somebody is writing.
    private func keepOut(_ path: String) -> Bool {
        var head = [UInt8](repeating: 0, count: 100)
        _ = retryingInterrupts { pread(store.descriptor, &head, head.count, 0) }
        let isDone = StoreHeader(head)?.isWAL == true ? keepOutOfLog(path + "-shm") : keepOutOfJournal()
        // Whoever is writing could not commit beside a shared lock, and would be waited for in vain.
        if !isDone { letGo() }
        return isDone
    }

    private func keepOutOfJournal() -> Bool {
        // A writer that waits for readers to go has the pending lock: whoever comes now comes after it.
        guard take(.shared, Place.pending) else { return false }
        let isShared = take(.shared, Place.shared, Place.sharedCount)
        release(Place.pending)
        guard isShared else { return false }
        return isWritable ? take(.exclusive, Place.reserved) : isFree(Place.reserved)
    }

    private func keepOutOfLog(_ indexPath: String) -> Bool {
        // Without it nobody opens the store, so that a `-shm` that is not there can't be made meanwhile either.
        guard isWritable ? take(.exclusive, Place.pending) : isFree(Place.pending) else { return false }
        guard let opened = try? OpenFile(updating: indexPath) else {
            return isWritable
                ? take(.exclusive, Place.shared, Place.sharedCount) : take(.shared, Place.shared, Place.sharedCount)
        }
        guard take(.shared, Place.shared, Place.sharedCount) else { return false }
        let isTaken = godwit_lock_bytes(opened.descriptor, Lock.exclusive.rawValue, Place.walWriter, 1) == 0
        index = consume opened
        return isTaken
    }

    private func take(_ lock: Lock, _ place: Int64, _ count: Int64 = 1) -> Bool {
        godwit_lock_bytes(store.descriptor, lock.rawValue, place, count) == 0
    }

    private func isFree(_ place: Int64) -> Bool { godwit_bytes_are_free(store.descriptor, place, 1) != 0 }

    private func release(_ place: Int64, _ count: Int64 = 1) {
        _ = godwit_lock_bytes(store.descriptor, Lock.none.rawValue, place, count)
    }
}
