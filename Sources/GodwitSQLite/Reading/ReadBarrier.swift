internal import GodwitFiles
internal import GodwitModel

/// Prevents writes to a store in rollback mode while its bytes are copied.
///
/// An app may keep its journal in memory or have none (`journal_mode=MEMORY` and `OFF`), or may keep the store locked
/// (`locking_mode=EXCLUSIVE`). Then no file shows an unfinished transaction, and a copy could contain uncommitted data.
/// Only SQLite's locks show it.
final class ReadBarrier {
    private let use: OpenStoreGuard
    private let store: OpenFile
    private var isLocked = false
    /// False if a process writes to the store without a journal or `-wal` file that makes a copy consistent.
    private(set) var isKept = true

    init(_ path: String) throws(GodwitError) {
        use = OpenStoreGuard(of: path)
        store = try OpenFile(reading: path)
        // If this process already has the store open, SQLite has the lock, which must not change.
        guard use.isAlone, try isNeeded(for: path) else { return }
        isLocked = LockedBytes.takeReadersLock(of: store)
        isKept = isLocked
    }

    deinit {
        if isLocked, use.isAlone { LockedBytes.release(LockedBytes.shared, LockedBytes.sharedCount, of: store) }
    }

    private func isNeeded(for path: String) throws(GodwitError) -> Bool {
        if try FileStatus.of(path + "-wal")?.size ?? 0 > 0 { return false }
        guard let header = StoreHeader((try? store.bytes(100)) ?? []), !header.isWAL else { return false }
        return try !Self.hasHotJournal(path + "-journal")
    }

    /// Whether a file begins like a journal that SQLite would roll back:
    /// <https://sqlite.org/fileformat2.html#the_rollback_journal>.
    static func hasHotJournal(_ path: String) throws(GodwitError) -> Bool {
        guard let journal = try OpenFile.reading(ifThere: path) else { return false }
        return (try? journal.bytes(8)) == [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    }
}
