internal import GodwitFiles
package import GodwitModel
internal import Libc

/// Tells whether anybody has committed to a store since the stamp was taken, or put another file in its place.
///
/// In rollback mode a commit changes the counter in the header, <https://sqlite.org/fileformat2.html#file_change_counter>;
/// in WAL mode it writes to the log, and that counter need not change. Whoever closes a log last moves it into the store
/// and takes it away, so there the store's own date counts as well. A log that is empty counts as none.
///
/// The date counts beside a hot journal too: whoever is in the middle of a transaction may have the store to itself
/// (`locking_mode=EXCLUSIVE`), and then only the first of its transactions changes the counter, `changeCountDone` in SQLite's
/// pager.c.
package struct StoreStamp: Sendable, Equatable {
    private let identity: [UInt64]
    private let head: [UInt8]
    private let size: Int64
    /// When the store was last written, in WAL mode and beside a hot journal.
    private let modified: [Int64]
    private let log: [Int64]
    private let logHead: [UInt8]

    /// - Parameter isSettled: whether to wait until the log, and in WAL mode the store, are older than the clock's tick, so
    ///   that a later commit, which may leave their sizes as they are, can't leave their times as they are.
    package init(of path: String, stage: Stage, isSettled: Bool = false) throws(GodwitError) {
        let file = try OpenFile(reading: path, stage: stage)
        let isWAL = StoreHeader(Self.head(file, 100))?.isWAL == true
        let isHot = try ReadBarrier.hasHotJournal(path + "-journal")
        let isDated = isWAL || isHot
        if isSettled {
            let dates = [isDated ? try file.status() : nil, try FileStatus.of(path + "-wal")]
            if dates.contains(where: { $0?.isNewerThanTheClockTells == true }) {
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
        // Its salts change whenever the log begins anew: <https://sqlite.org/fileformat2.html#the_write_ahead_log>.
        logHead = wal.size == 0 ? [] : Self.head(logFile, 32)
    }

    /// The state of a store as bytes, for `StoreStateCache`; nil where a later commit could leave them as they are.
    ///
    /// The date of the store counts in each mode: what is known of a store must not outlive a change by whoever is not
    /// SQLite either.
    static func state(of path: String, stage: Stage) throws(GodwitError) -> [UInt8]? {
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
    fileprivate var isTooNew: Bool { self?.isNewerThanTheClockTells == true }
}
