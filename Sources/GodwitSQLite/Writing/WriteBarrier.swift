internal import GodwitFiles
package import GodwitModel
internal import Libc

/// Keeps all others from writing to a store for as long as it lives, without writing a byte to it or making a file beside
/// it: for the moment in which a flag is set that speaks for a store that is only read.
///
/// It takes the locks by which SQLite itself keeps writers apart, on the bytes its file format sets aside for them. In
/// rollback mode: the shared and the reserved lock, <https://sqlite.org/lockingv3.html>; a transaction that has begun is
/// waited for, and no other can begin. In WAL mode: the writer's lock in the `-shm` where there is one,
/// <https://sqlite.org/walformat.html#wal_locks>; where there is none nobody has the store open, and the pending and the
/// shared lock keep it so. Where the store may not be opened for writing, it is only made sure that nobody writes now.
package final class WriteBarrier {
    private let use: OpenStoreGuard
    private let store: OpenFile
    /// Whether locks that exclude others can be taken, and not only looked for.
    private let isWritable: Bool
    /// The `-shm`, while its writer's lock is held.
    private var index: OpenFile?

    /// Waits up to the context's timeout for whoever is writing; 75 when that was not long enough.
    package init(_ path: String, name: String, stage: Stage, context: RunContext) throws(GodwitError) {
        use = OpenStoreGuard(of: path)
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
        release(LockedBytes.pending)
        release(LockedBytes.reserved)
        // The shared lock may be SQLite's as well; then it goes when that closes the file.
        if use.isAlone { release(LockedBytes.shared, LockedBytes.sharedCount) }
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
        guard LockedBytes.takeReadersLock(of: store) else { return false }
        return isWritable ? take(.exclusive, LockedBytes.reserved) : isFree(LockedBytes.reserved)
    }

    private func keepOutOfLog(_ indexPath: String) -> Bool {
        // Without it nobody opens the store, so that a `-shm` that is not there can't be made meanwhile either.
        guard isWritable ? take(.exclusive, LockedBytes.pending) : isFree(LockedBytes.pending) else { return false }
        guard let opened = try? OpenFile(updating: indexPath) else {
            // A shared lock keeps writers out as well, and needs no right to write.
            if !isWritable, let opened = try? OpenFile(reading: indexPath) {
                guard take(.shared, LockedBytes.shared, LockedBytes.sharedCount) else { return false }
                let isTaken = LockedBytes.take(.shared, LockedBytes.walWriter, of: opened)
                index = consume opened
                return isTaken
            }
            return isWritable
                ? take(.exclusive, LockedBytes.shared, LockedBytes.sharedCount)
                : take(.shared, LockedBytes.shared, LockedBytes.sharedCount)
        }
        guard take(.shared, LockedBytes.shared, LockedBytes.sharedCount) else { return false }
        let isTaken = LockedBytes.take(.exclusive, LockedBytes.walWriter, of: opened)
        index = consume opened
        return isTaken
    }

    private func take(_ lock: LockedBytes.Lock, _ place: Int64, _ count: Int64 = 1) -> Bool {
        LockedBytes.take(lock, place, count, of: store)
    }

    private func isFree(_ place: Int64) -> Bool { LockedBytes.isFree(place, of: store) }

    private func release(_ place: Int64, _ count: Int64 = 1) { LockedBytes.release(place, count, of: store) }
}
