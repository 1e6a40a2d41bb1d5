package import GodwitModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A store as it was at one moment, safe to read: the store in place where that changes nothing, else a private clone.
///
/// Never opened with `immutable=1` (which loses rows that are only in the `-wal`), never for writing (which checkpoints
/// and deletes the `-wal`). The clone leaves out `-shm`: SQLite makes its own from the `-wal`.
package struct StoreSnapshot: ~Copyable {
    package let reader: SQLiteReader
    /// What a person should know: `walMissing`.
    package let warnings: [Warning]
    /// Where the readable file lies: the store itself or its clone.
    package let path: String
    /// The store's modification time, the newest of the store and its log.
    package let modified: Instant
    // Kept so that the clone lives as long as its reader.
    private let scratch: ScratchDirectory?

    /// Opens a store safely, and checks its integrity before it is trusted.
    ///
    /// - Parameters:
    ///   - given: the store's path.
    ///   - name: what messages call it: its path inside the container.
    package init(
        of given: String, name: String, stage: Stage, context: RunContext, checkingIntegrity: Bool = true
    ) throws(GodwitError) {
        // SQLite looks for the log beside the file that a link leads to.
        let path = PathText.real(given) ?? given
        let set = try StoreSet(path, name: name, stage: stage)
        var readable = path
        var directory: ScratchDirectory?
        if ReadingWay.decide(set.header, set.companions) == .clone {
            let made = try ScratchDirectory(identifier: context.makeIdentifier())
            readable = try StoreClone.make(of: path, name: name, in: made.path, stage: stage, context: context)
            directory = made
        }
        // An app may have moved its log into the store since the set was looked at; what a clone's journal makes of the
        // clone when it is opened does not count.
        let cloned = directory == nil ? nil : try StoreSet(readable, name: name, stage: stage)
        let log = readable + "-wal"
        let hasUnknownLog = directory == nil ? false : try Self.isOfUnknownVersion(log)
        do throws(GodwitError) {
            let opened = try SQLiteReader(
                path: readable, name: name, stage: stage, busyMilliseconds: context.lockTimeoutMilliseconds,
                cancellation: context.cancellation, mayRecover: directory != nil)
            let bytes = cloned == nil ? try StoreSet(readable, name: name, stage: stage).bytes : cloned?.bytes
            try opened.requirePages(within: bytes ?? 0)
            if checkingIntegrity { try opened.checkIntegrity() }
            reader = opened
        } catch {
            throw hasUnknownLog && error.code == .io ? Self.unknownLog(name, stage) : error
        }
        scratch = directory
        self.path = readable
        warnings = set.warnings(name: name)
        modified = set.modified
    }

    package var connection: SQLiteConnection { reader.connection }

    /// Whether a log says that it is of another version than the one there is; SQLite then only says that it can't open
    /// something. <https://sqlite.org/fileformat2.html#wal_file_format>
    private static func isOfUnknownVersion(_ log: String) throws(GodwitError) -> Bool {
        guard try FileStatus.of(log)?.size ?? 0 >= 32 else { return false }
        let file = try OpenFile(reading: log)
        var head = [UInt8](repeating: 0, count: 8)
        guard retryingInterrupts({ pread(file.descriptor, &head, head.count, 0) }) == head.count else { return false }
        return head[..<3] == [0x37, 0x7F, 0x06] && head[4...] != [0x00, 0x2D, 0xE2, 0x18]
    }

    private static func unknownLog(_ name: String, _ stage: Stage) -> GodwitError {
        GodwitError(
            stage, .data, "The log of \(name) is of a version that this SQLite does not know.",
            hint: "\(PathText.lastPart(of: name))-wal is damaged, or a newer SQLite wrote it; open the app once, or "
                + "restore both.")
    }
}

/// A store's files as they lie: main file, log, journal.
package struct StoreSet: Sendable {
    /// Nil where the first page is torn and a journal or log beside it can mend that: a power cut in the middle of a
    /// commit leaves such a set, and SQLite restores it.
    package let header: StoreHeader?
    package let companions: StoreCompanions
    package let modified: Instant
    /// Bytes of all three files.
    let bytes: Int64

    /// Examines the files without opening them as a database; refuses what is no store (66 and 65).
    package init(_ path: String, name: String, stage: Stage) throws(GodwitError) {
        let file = try OpenFile(reading: path, stage: stage)
        let status = try file.status()
        guard status.isRegularFile else {
            throw GodwitError(
                stage, .noInput, "\(name) is not a regular file.", hint: "Name the store itself, not a folder.")
        }
        guard status.size > 0 else { throw Self.unusable(name, "empty file", stage) }
        var first = [UInt8](repeating: 0, count: 100)
        let count = retryingInterrupts { pread(file.descriptor, &first, first.count, 0) }
        header = StoreHeader(Array(first[..<max(0, count)]))
        let wal = try Self.companion(path + "-wal", name: name + "-wal", stage)
        let journal = try Self.companion(path + "-journal", name: name + "-journal", stage)
        companions = StoreCompanions(walSize: wal?.size, journalSize: journal?.size)
        bytes = status.size + (wal?.size ?? 0) + (journal?.size ?? 0)
        guard header != nil || companions.canRestore else {
            throw Self.unusable(name, "file is not a database; is it encrypted?", stage)
        }
        // SQLite reads what is missing of the last page as zeros, and finds nothing wrong with it.
        if let header, let pages = header.pageCount, !companions.canRestore,
            status.size < pages * Int64(header.pageSize)
        {
            throw GodwitError(
                stage, .data, "\(name) is not a usable SQLite store.",
                hint: "It is cut off; restore it from a backup, or copy it again.",
                underlying: "\(status.size) bytes instead of \(pages * Int64(header.pageSize))")
        }
        modified = max(status.modified, (wal?.size ?? 0) > 0 ? wal?.modified ?? status.modified : status.modified)
    }

    private static func unusable(_ name: String, _ why: String, _ stage: Stage) -> GodwitError {
        GodwitError(
            stage, .data, "\(name) is not a usable SQLite store.",
            hint: "Name an SQLite file; an encrypted one must be decrypted first.", underlying: why)
    }

    /// A companion must be a file of its own: SQLite follows a link, and would then read or write somebody else's.
    private static func companion(
        _ path: String, name: String, _ stage: Stage
    ) throws(GodwitError) -> FileStatus? {
        guard let status = try FileStatus.ofLink(path) else { return nil }
        guard status.isRegularFile else {
            throw GodwitError(
                stage, .data, "\(name) is not a regular file.", hint: "Replace the link by the file it leads to.")
        }
        return status
    }

    /// A WAL store was handed over without its log: rows may be missing.
    package func warnings(name: String) -> [Warning] {
        guard let header, header.isWAL, companions.walSize == nil else { return [] }
        return [
            Warning(
                "walMissing", "\(name) is in WAL mode, but there is no \(PathText.lastPart(of: name))-wal beside it.",
                hint: "If it was copied from a device, copy the -wal as well: the newest rows may be only there.")
        ]
    }
}
