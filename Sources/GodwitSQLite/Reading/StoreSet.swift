internal import GodwitFiles
package import GodwitModel

/// A store's files as they lie: main file, log, journal.
package struct StoreSet: Sendable {
    /// Nil where the first page is torn and a journal or log beside it can mend that: a power cut in the middle of a
    /// commit leaves such a set, and SQLite restores it.
    package let header: StoreHeader?
    package let companions: StoreCompanions
    package let modified: Instant
    /// Bytes of all three files.
    let bytes: Int64

    /// The same, as reports have it.
    package var size: Int64 { bytes }

    /// Examines the files without opening them as a database; refuses what is no store (66 and 65).
    package init(_ path: String, name: String, stage: Stage) throws(GodwitError) {
        try self.init(path, name: name, stage: stage) {}
    }

    /// - Parameter betweenLooks: runs after the size was asked for and before the first bytes are read, where an app may
    ///   write.
    package init(_ path: String, name: String, stage: Stage, betweenLooks: () -> Void) throws(GodwitError) {
        let file = try OpenFile(reading: path, stage: stage)
        var look = try StoreFilesState(file, path, name: name, stage, betweenLooks)
        // Without its lock the parts of a set are of different moments: a commit may come between any two.
        while look.isCutOff, try file.status() != look.status {
            look = try StoreFilesState(file, path, name: name, stage, betweenLooks)
        }
        let status = look.status
        (header, companions) = (look.header, look.companions)
        bytes = status.size + (companions.walSize ?? 0) + (companions.journalSize ?? 0)
        guard header != nil || companions.canRestore else {
            throw Self.unusable(
                name, "file is not a database; is it encrypted?",
                hint: "Put the store back from a backup. If the app encrypts it, give Godwit a decrypted copy.", stage)
        }
        if header?.isNewerFormat == true { throw .newerFormat(name, stage) }
        if !companions.canRestore, try Self.looksEncrypted(file) { throw Self.encrypted(name, stage) }
        if look.isCutOff {
            throw GodwitError(
                stage, .data, "\(name) is not a usable SQLite store.",
                hint: "It is cut off; restore it from a backup, or copy it again.",
                underlying: "\(status.size) bytes instead of \(look.announcedSize)")
        }
        modified = max(status.modified, (companions.walSize ?? 0) > 0 ? look.logModified : status.modified)
    }

    /// What one look at the files shows.
    private struct StoreFilesState {
        let status: FileStatus
        let header: StoreHeader?
        let companions: StoreCompanions
        let logModified: Instant

        init(
            _ file: borrowing OpenFile, _ path: String, name: String, _ stage: Stage, _ betweenLooks: () -> Void
        ) throws(GodwitError) {
            status = try file.status()
            guard status.isRegularFile else {
                throw GodwitError(
                    stage, .noInput, "\(name) is not a regular file.", hint: "Name the store itself, not a folder.")
            }
            guard status.size > 0 else { throw try empty(path, name: name, stage) }
            betweenLooks()
            header = StoreHeader((try? file.bytes(100)) ?? [])
            let wal = try companion(path + "-wal", name: name + "-wal", stage)
            let journal = try companion(path + "-journal", name: name + "-journal", stage)
            companions = StoreCompanions(walSize: wal?.size, journalSize: journal?.size)
            logModified = wal?.modified ?? status.modified
        }

        /// Bytes of the main file as its header counts them.
        var announcedSize: Int64 { (header?.pageCount ?? 0) * Int64(header?.pageSize ?? 0) }

        /// SQLite reads what is missing of the last page as zeros, and finds nothing wrong with it.
        var isCutOff: Bool { !companions.canRestore && status.size < announcedSize }
    }

    /// SQLite deletes the log of an empty file as soon as somebody opens it for writing, and whatever was committed there:
    /// <https://sqlite.org/walformat.html#recovery>.
    private static func empty(_ path: String, name: String, _ stage: Stage) throws(GodwitError) -> GodwitError {
        for suffix in ["-wal", "-journal"] {
            guard let log = try companion(path + suffix, name: name + suffix, stage), log.size > 0 else { continue }
            let file = PathText.lastPart(of: name) + suffix
            return unusable(
                name, "empty file",
                hint:
                    "There may be records in \(file) beside it (\(log.size) bytes), which is deleted by whatever opens the "
                    + "store, the app included: keep a copy of \(file) first. Then copy the store itself once more from where "
                    + "it came, or restore both from a backup.", stage)
        }
        return unusable(
            name, "empty file",
            hint:
                "An app that was ended before it made its tables leaves such a file: open the app once more. If there "
                + "were records in it, restore it from a backup.", stage)
    }

    /// Whether a file has SQLite's first bytes, and after them nothing of a store's first page: random bytes, as encryption leaves.
    ///
    /// Extensions can leave a header in the clear so that the system sees a store, such as SQLCipher's
    /// `cipher_plaintext_header_size` (32 bytes). The reserved bytes of a header are 0, a first page is a B-tree page of a
    /// table, and what it holds is mostly text: <https://sqlite.org/fileformat2.html>.
    static func looksEncrypted(_ file: borrowing OpenFile) throws(GodwitError) -> Bool {
        let page = try file.bytes(512)
        guard page.count == 512 else { return false }
        let isPage = [0x05, 0x0D].contains(page[100]) && page[72..<92].allSatisfy { $0 == 0 }
        // Of 412 random bytes some 205 differ; of text fewer than 100 do.
        return !isPage && Set(page[100...]).count >= 160
    }

    /// That a store is encrypted though it begins like one.
    package static func encrypted(_ name: String, _ stage: Stage) -> GodwitError {
        unusable(
            name, "only its first bytes are those of a SQLite file; is it encrypted?",
            hint: "If the app encrypts this store, give Godwit a decrypted copy.", stage)
    }

    private static func unusable(_ name: String, _ why: String, hint: String, _ stage: Stage) -> GodwitError {
        GodwitError(stage, .data, "\(name) is not a usable SQLite store.", hint: hint, underlying: why)
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
