internal import CSQLiteShim
internal import GodwitModel

/// What a write-ahead log holds that SQLite does not read, and does not tell of.
///
/// SQLite reads a log up to the first frame whose checksum is wrong, and what follows is nothing to it. Nearly always that
/// is so: remains of a time before the log began anew, which have other salts, or pages of a transaction that was never
/// finished, none of which says that it is the last one. A page that does say so, with the log's own salts, is the end of a
/// transaction that somebody committed; whoever writes next writes over it.
///
/// Not told from remains: a last transaction whose salts are damaged, and a log that is cut off within a page.
enum LogLoss: Sendable {
    /// The header is damaged: nothing is read.
    case unreadable
    /// SQLite stops before the log's end, and transactions were committed after that.
    case brokenOff(read: Int64, pages: Int64, commits: Int64)

    /// What is lost of the log beside a private clone; nil where all that was committed is read.
    ///
    /// - Parameters:
    ///   - store: the clone's path.
    ///   - connection: a connection that has begun to read it, which knows how many of the log's pages it reads.
    static func found(
        beside store: String, readBy connection: borrowing SQLiteConnection
    ) throws(GodwitError) -> LogLoss? {
        guard let log = try OpenFile.reading(ifThere: store + "-wal") else { return nil }
        let size = try log.status().size
        let head = try log.bytes(LogHeader.size)
        guard head.count == LogHeader.size else { return nil }
        guard let header = LogHeader(head) else {
            // Nobody can have committed anything without one whole page.
            return size < Int64(LogHeader.size + LogHeader.frameHeaderSize + LogHeader.smallestPage) ? nil : .unreadable
        }
        var read: UInt32 = 0
        guard godwit_sqlite_log_pages(connection.handle, &read) != 0 else { return nil }
        return try loss(
            in: log, header, after: Int64(read), of: (size - Int64(LogHeader.size)) / Int64(header.frameSize))
    }

    private static func loss(
        in log: borrowing OpenFile, _ header: LogHeader, after read: Int64, of pages: Int64
    ) throws(GodwitError) -> LogLoss? {
        var commits: Int64 = 0
        for page in read..<max(read, pages) {
            let frame = try log.bytes(
                LogHeader.frameHeaderSize, at: Int64(LogHeader.size) + page * Int64(header.frameSize))
            // It has got shorter since it was looked at.
            guard frame.count == LogHeader.frameHeaderSize else { break }
            if header.isCommit(frame) { commits += 1 }
        }
        return commits == 0 ? nil : .brokenOff(read: read, pages: pages, commits: commits)
    }

    /// The same for a person: `walDamaged`.
    ///
    /// - Parameter name: what messages call the store: its path inside the container.
    func warning(name: String) -> Warning {
        let (log, store) = (name + "-wal", PathText.lastPart(of: name))
        let message =
            switch self {
            case .unreadable:
                "\(log) is damaged: SQLite reads nothing of it, and what was committed there is missing."
            case .brokenOff(let read, let pages, let commits):
                "\(log) is damaged: SQLite reads \(read.grouped) of its \(pages.counted("page")), and "
                    + "\(commits.counted("transaction")) committed after that \(commits == 1 ? "is" : "are") missing."
            }
        return Warning(
            "walDamaged", message,
            hint:
                "Keep a copy of both files: whoever writes to \(store) next writes over its log. If they were copied, "
                + "copy them again, or restore a backup; a power cut can leave such a log, too.")
    }
}
