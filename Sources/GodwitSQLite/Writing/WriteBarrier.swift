internal import GodwitFiles
package import GodwitModel
internal import Libc

/// Prevents all writes to a store while it exists, without writing to the store or creating files next to it.
///
/// Used while a flag is set that depends on a store which Godwit only reads. It takes SQLite's own locks for writers,
/// on the bytes that the file format reserves for them.
/// In rollback mode these are the shared and the reserved lock, <https://sqlite.org/lockingv3.html>: it waits for a
/// transaction that has begun, and no other can begin. In WAL mode it is the writer's lock in the `-shm`,
/// <https://sqlite.org/walformat.html#wal_locks>. Without a `-shm`, no process has the store open, and the pending and
/// the shared lock keep it so. If the store cannot be opened for writing, it only checks that no process writes now.
package final class WriteBarrier {
    private let use: OpenStoreGuard
    private let store: OpenFile
    /// Whether exclusive locks can be taken; otherwise they are only tested.
    private let isWritable: Bool
    /// The `-shm`, as long as its writer's lock is taken.
    private var index: OpenFile?

    /// Waits for a writer up to the timeout of the context; throws 75 after that.
    package init(_ path: String, name: String, stage: GodwitError.Stage, context: RunContext) throws(GodwitError) {
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
                    stage, .busy, "another process is writing `\(name)`",
                    hint: "Close the app that uses it, or wait longer with \(name: .longerLockTimeout).")
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
        // SQLite may have the shared lock too; then the lock ends when SQLite closes the file.
        if use.isAlone { release(LockedBytes.shared, LockedBytes.sharedCount) }
    }

    /// Takes all locks, or none that could block another process; false if a process is writing.
    private func keepOut(_ path: String) -> Bool {
        var head = [UInt8](repeating: 0, count: 100)
        _ = retryingInterrupts { pread(store.descriptor, &head, head.count, 0) }
        let isDone = StoreHeader(head)?.isWAL == true ? keepOutOfLog(path + "-shm") : keepOutOfJournal()
        // A writer could not commit while this process has a shared lock, so it would never finish.
        if !isDone { letGo() }
        return isDone
    }

    private func keepOutOfJournal() -> Bool {
        guard LockedBytes.takeReadersLock(of: store) else { return false }
        return isWritable ? take(.exclusive, LockedBytes.reserved) : isFree(LockedBytes.reserved)
    }

    private func keepOutOfLog(_ indexPath: String) -> Bool {
        // Without this lock no process can open the store, so none can create a missing `-shm` now.
        guard isWritable ? take(.exclusive, LockedBytes.pending) : isFree(LockedBytes.pending) else { return false }
        guard let opened = try? OpenFile(updating: indexPath) else {
            // A shared lock prevents writes too, and needs no write access.
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

    private func take(_ lock: LockedBytes.Lock, _ offset: Int64, _ count: Int64 = 1) -> Bool {
        LockedBytes.take(lock, offset, count, of: store)
    }

    private func isFree(_ offset: Int64) -> Bool { LockedBytes.isFree(offset, of: store) }

    private func release(_ offset: Int64, _ count: Int64 = 1) { LockedBytes.release(offset, count, of: store) }
}
