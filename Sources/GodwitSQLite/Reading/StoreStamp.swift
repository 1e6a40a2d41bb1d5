internal import GodwitFiles
package import GodwitModel
internal import Libc

/// Shows if another process has committed to a store since the stamp was taken, or has replaced the file.
///
/// In rollback mode, a commit changes the counter in the header,
/// <https://sqlite.org/fileformat2.html#file_change_counter>. In WAL mode it writes to the `-wal` file, and need not
/// change the counter. The last connection that closes a `-wal` file moves it into the store and removes it, so in WAL
/// mode the store's modification time counts too. An empty `-wal` file counts as none. The time also counts if a hot
/// journal exists: the process in a transaction may keep the store locked (`locking_mode=EXCLUSIVE`), and then only its
/// first transaction changes the counter; see `changeCountDone` in SQLite's pager.c.
package struct StoreStamp: Sendable, Equatable {
    private let identity: [UInt64]
    private let head: [UInt8]
    private let size: Int64
    /// Modification time of the store, in WAL mode and with a hot journal.
    private let modified: [Int64]
    private let log: [Int64]
    private let logHead: [UInt8]

    /// - Parameter isSettled: whether to wait until the `-wal` file, and in WAL mode the store, are older than one tick
    ///   of the clock. Otherwise a later commit could leave both their sizes and times equal.
    package init(of path: String, stage: GodwitError.Stage, isSettled: Bool = false) throws(GodwitError) {
        let file = try OpenFile(reading: path, stage: stage)
        let isWAL = StoreHeader(Self.head(file, 100))?.isWAL == true
        let isHot = try ReadBarrier.hasHotJournal(path + "-journal")
        let isDated = isWAL || isHot
        if isSettled {
            let dates = [isDated ? try file.status() : nil, try FileStatus.of(path + "-wal")]
            if dates.contains(where: { $0?.hasChangedInLastTick == true }) {
                pause(milliseconds: 2 * FileStatus.tickMilliseconds)
            }
        }
        let status = try file.status()
        identity = [status.device, status.inode]
        head = Self.head(file, 100)
        size = status.size
        modified = isDated ? [status.modifiedSeconds, status.modifiedNanoseconds] : []
        guard let logFile = try OpenFile.reading(ifThere: path + "-wal", stage: stage) else {
            (log, logHead) = ([], [])
            return
        }
        let wal = try logFile.status()
        log = wal.size == 0 ? [] : [wal.size, wal.modifiedSeconds, wal.modifiedNanoseconds]
        // The salts change whenever the `-wal` file restarts:
        // <https://sqlite.org/fileformat2.html#the_write_ahead_log>.
        logHead = wal.size == 0 ? [] : Self.head(logFile, 32)
    }

    /// The state of a store as bytes, for `StoreStateCache`; nil if a later commit could leave them equal.
    ///
    /// The store's time counts in every mode, because programs other than SQLite can also change the file.
    static func state(of path: String, stage: GodwitError.Stage) throws(GodwitError) -> [UInt8]? {
        let stamp = try StoreStamp(of: path, stage: stage)
        let (store, log) = (try FileStatus.of(path), try FileStatus.of(path + "-wal"))
        guard let store, log == nil && stamp.modified.isEmpty || ![store, log].contains(where: \.isTooNew) else {
            return nil
        }
        let numbers =
            stamp.identity + [UInt64(bitPattern: stamp.size)]
            + (stamp.log + [store.modifiedSeconds, store.modifiedNanoseconds]).map { UInt64(bitPattern: $0) }
        return stamp.head + stamp.logHead + numbers.flatMap { number in withUnsafeBytes(of: number) { Array($0) } }
    }

    private static func head(_ file: borrowing OpenFile, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        _ = retryingInterrupts { pread(file.descriptor, &bytes, count, 0) }
        return bytes
    }
}

extension FileStatus? {
    fileprivate var isTooNew: Bool { self?.hasChangedInLastTick == true }
}
