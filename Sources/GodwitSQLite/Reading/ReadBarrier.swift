internal import GodwitFiles
internal import GodwitModel

/// Keeps writers from the pages of a store in rollback mode while its bytes are copied.
///
/// An app may keep its journal in memory, or none (`journal_mode=MEMORY` and `OFF`), or may have the store to itself
/// (`locking_mode=EXCLUSIVE`): then nothing beside the file tells that a transaction is half-way in it, and a copy would
/// hold what was never committed. Only SQLite's own locks do tell.
final class ReadBarrier {
    private let use: OpenStoreGuard
    private let store: OpenFile
    private var isHeld = false
    /// Whether writers are kept out, or a journal or log says what counts of the pages whoever is at them.
    private(set) var isKept = true

    init(_ path: String) throws(GodwitError) {
        use = OpenStoreGuard(of: path)
        store = try OpenFile(reading: path)
        // Where this process has the store open already, SQLite has the lock, and it must not be changed under it.
        guard use.isAlone, try isNeeded(for: path) else { return }
        isHeld = LockedBytes.takeReadersLock(of: store)
        isKept = isHeld
    }

    deinit {
        if isHeld, use.isAlone { LockedBytes.release(LockedBytes.shared, LockedBytes.sharedCount, of: store) }
    }

    private func isNeeded(for path: String) throws(GodwitError) -> Bool {
        if try FileStatus.of(path + "-wal")?.size ?? 0 > 0 { return false }
        guard let header = StoreHeader((try? store.bytes(100)) ?? []), !header.isWAL else { return false }
        return try !Self.hasHotJournal(path + "-journal")
    }

    /// Whether a journal begins as one that SQLite would roll back: <https://sqlite.org/fileformat2.html#the_rollback_journal>.
    static func hasHotJournal(_ path: String) throws(GodwitError) -> Bool {
        guard let journal = try OpenFile.reading(ifThere: path) else { return false }
        return (try? journal.bytes(8)) == [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    }
}
