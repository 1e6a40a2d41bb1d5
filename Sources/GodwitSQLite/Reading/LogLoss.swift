internal import GodwitFiles
internal import GodwitModel
internal import CSQLiteShim

/// Committed data in a write-ahead log that SQLite does not read and does not report.
///
/// SQLite reads a `-wal` file up to the first frame with a wrong checksum and ignores the rest. Usually the rest is
/// old: frames from before the `-wal` file was last restarted, with other salts, or pages of an unfinished transaction,
/// which has no commit frame. A later commit frame with the current salts ends a committed transaction. The next write
/// to the store overwrites it. SQLite writes whole frames. So a `-wal` file that ends inside a frame was cut off, or
/// its writer was stopped during a write. Only a frame with other salts may end anywhere: `PRAGMA journal_size_limit`
/// truncates old frames at any byte. Not detectable: a last transaction whose salts are damaged, and a `-wal` file that
/// was cut off between two frames.
enum LogLoss: Sendable {
    /// The header is damaged: SQLite reads nothing.
    case unreadable
    /// SQLite stops before the `-wal` file's end, and transactions were committed after that point.
    case brokenOff(read: Int64, pages: Int64, commits: Int64)
    /// The `-wal` file ends inside a frame with current salts, or inside its header.
    case truncated(read: Int64)

    /// The loss in the `-wal` file of a private clone; nil if SQLite reads everything that was committed.
    ///
    /// - Parameter connection: a connection that has started to read the clone; it knows how many of the `-wal` file's
    ///   pages it reads.
    static func found(
        nextTo store: String, readBy connection: borrowing SQLiteConnection
    ) throws(GodwitError) -> LogLoss? {
        guard let log = try OpenFile.reading(ifThere: store + "-wal") else { return nil }
        let size = try log.status().size
        let head = try log.bytes(LogHeader.size)
        guard head.count == LogHeader.size else { return head.isEmpty ? nil : .truncated(read: 0) }
        guard let header = LogHeader(head) else {
            // Without one whole page, no transaction can be in the `-wal` file.
            return size < Int64(LogHeader.size + LogHeader.frameHeaderSize + LogHeader.smallestPage) ? nil : .unreadable
        }
        var read: UInt32 = 0
        guard godwit_sqlite_log_pages(connection.handle, &read) != 0 else { return nil }
        let pages = (size - Int64(LogHeader.size)) / Int64(header.frameSize)
        if let loss = try loss(in: log, header, after: Int64(read), of: pages) { return loss }
        return try isCutOff(log, header, behind: pages) ? .truncated(read: Int64(read)) : nil
    }

    /// Whether the bytes after the last whole page start a page with current salts.
    private static func isCutOff(
        _ log: borrowing OpenFile, _ header: LogHeader, behind pages: Int64
    ) throws(GodwitError) -> Bool {
        func head(ofPage page: Int64) throws(GodwitError) -> [UInt8] {
            try log.bytes(LogHeader.frameHeaderSize, at: Int64(LogHeader.size) + page * Int64(header.frameSize))
        }
        let last = try head(ofPage: pages)
        if last.isEmpty { return false }
        if let isCurrent = header.isCurrent(last) { return isCurrent }
        // Too short to decide: assume the salts of the previous page.
        guard pages > 0 else { return true }
        return header.isCurrent(try head(ofPage: pages - 1)) == true
    }

    private static func loss(
        in log: borrowing OpenFile, _ header: LogHeader, after read: Int64, of pages: Int64
    ) throws(GodwitError) -> LogLoss? {
        var commits: Int64 = 0
        for page in read..<max(read, pages) {
            let frame = try log.bytes(
                LogHeader.frameHeaderSize, at: Int64(LogHeader.size) + page * Int64(header.frameSize))
            // The `-wal` file was truncated during this loop.
            guard frame.count == LogHeader.frameHeaderSize else { break }
            if header.isCommit(frame) { commits += 1 }
        }
        return commits == 0 ? nil : .brokenOff(read: read, pages: pages, commits: commits)
    }

    /// The warning for users: `walDamaged` or `walTruncated`.
    ///
    /// - Parameter name: the store in messages: its path inside the container.
    func warning(name: String) -> Warning {
        let (log, store) = (name + "-wal", PathText.lastPart(of: name))
        let message =
            switch self {
            case .unreadable:
                "`\(log)` is damaged: SQLite reads nothing of it, and its committed transactions are missing"
            case .truncated(let read):
                "`\(log)` ends in the middle of a page: SQLite reads \(read.counted("page")) of it, and a "
                    + "transaction after that is incomplete"
            case .brokenOff(let read, let pages, let commits):
                "`\(log)` is damaged: SQLite reads \(read.grouped) of its \(pages.counted("page")), and "
                    + "\(commits.counted("transaction")) committed after that \(commits == 1 ? "is" : "are") "
                    + "missing"
            }
        if case .truncated = self {
            return Warning(
                LogGap.truncated.rawValue, message,
                hint:
                    "Copy \(store) and its -wal again while the app is closed; keep this copy of both "
                    + "until then.")
        }
        return Warning(
            LogGap.damaged.rawValue, message,
            hint:
                "Keep a copy of both files before any process writes to \(store); then copy them again, or "
                + "restore a backup.")
    }
}
