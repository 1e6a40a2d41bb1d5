internal import GodwitFiles
package import GodwitModel

/// The state of a store's files: main file, `-wal` file, journal.
package struct StoreSet: Sendable {
    /// Nil if the first page is damaged and SQLite can restore it from a journal or `-wal` file, as after a power cut
    /// during a commit.
    package let header: StoreHeader?
    package let companions: StoreCompanions
    package let modified: Instant
    /// Bytes of all three files.
    let bytes: Int64

    /// The same, for reports.
    package var size: Int64 { bytes }

    /// Examines the files without opening them with SQLite; throws 66 or 65 if they are not a store.
    package init(_ path: String, name: String, stage: GodwitError.Stage) throws(GodwitError) {
        try self.init(path, name: name, stage: stage) {}
    }

    /// - Parameter betweenLooks: runs between reading the size and the first bytes; tests write to the file then.
    package init(_ path: String, name: String, stage: GodwitError.Stage, betweenLooks: () -> Void) throws(GodwitError) {
        let file = try OpenFile(reading: path, stage: stage)
        var state = try StoreFilesState(file, path, name: name, stage, betweenLooks)
        // Without a lock, a commit may occur between reading two files.
        while state.isCutOff, try file.status() != state.status {
            state = try StoreFilesState(file, path, name: name, stage, betweenLooks)
        }
        let status = state.status
        (header, companions) = (state.header, state.companions)
        bytes = status.size + (companions.walSize ?? 0) + (companions.journalSize ?? 0)
        guard header != nil || companions.canRestore else {
            throw Self.unusable(
                name, "file is not a database; it is encrypted, or not a store",
                hint: "Restore the store from a backup; if the app encrypts it, give Godwit a decrypted copy.", stage)
        }
        if header?.isNewerFormat == true { throw .newerFormat(name, stage) }
        if !companions.canRestore, try Self.looksEncrypted(file) { throw Self.encrypted(name, stage) }
        if state.isCutOff {
            throw GodwitError(
                stage, .data, "`\(name)` is not a usable SQLite store",
                hint: "Restore it from a backup, or copy it again.",
                underlying: "\(status.size) bytes instead of \(state.announcedSize)")
        }
        modified = max(status.modified, (companions.walSize ?? 0) > 0 ? state.logModified : status.modified)
    }

    /// The state of the files at one time.
    private struct StoreFilesState {
        let status: FileStatus
        let header: StoreHeader?
        let companions: StoreCompanions
        let logModified: Instant

        init(
            _ file: borrowing OpenFile, _ path: String, name: String, _ stage: GodwitError.Stage,
            _ betweenLooks: () -> Void
        ) throws(GodwitError) {
            status = try file.status()
            guard status.isRegularFile else {
                throw GodwitError(
                    stage, .noInput, "`\(name)` is not a regular file", hint: "Name the store itself, not a folder.")
            }
            guard status.size > 0 else { throw try empty(path, name: name, stage) }
            betweenLooks()
            header = StoreHeader((try? file.bytes(100)) ?? [])
            let wal = try companion(path + "-wal", name: name + "-wal", stage)
            let journal = try companion(path + "-journal", name: name + "-journal", stage)
            companions = StoreCompanions(walSize: wal?.size, journalSize: journal?.size)
            logModified = wal?.modified ?? status.modified
        }

        /// Bytes of the main file, by the count in its header.
        var announcedSize: Int64 { (header?.pageCount ?? 0) * Int64(header?.pageSize ?? 0) }

        /// SQLite would read missing bytes of the last page as zeros, and report no error.
        var isCutOff: Bool { !companions.canRestore && status.size < announcedSize }
    }

    /// SQLite deletes the `-wal` file of an empty file, with its committed data, when a process opens the file for
    /// writing: <https://sqlite.org/walformat.html#recovery>.
    private static func empty(
        _ path: String, name: String, _ stage: GodwitError.Stage
    ) throws(GodwitError) -> GodwitError {
        for suffix in ["-wal", "-journal"] {
            guard let log = try companion(path + suffix, name: name + suffix, stage), log.size > 0 else { continue }
            let file = PathText.lastPart(of: name) + suffix
            return unusable(
                name, "empty file",
                hint:
                    "Copy \(file) (\(log.size) bytes, perhaps with records) first: any process that opens "
                    + "the store deletes it. Then copy the store again, or restore both from a backup.", stage)
        }
        return unusable(
            name, "empty file",
            hint:
                "Open the app once, so that it makes its tables; if the store had records, restore it from "
                + "a backup.", stage)
    }

    /// Whether a file has SQLite's first bytes, and then random bytes instead of a store's first page, as encryption
    /// leaves.
    ///
    /// Extensions can leave a part of the header unencrypted so that the system recognizes a store, such as SQLCipher's
    /// `cipher_plaintext_header_size` (32 bytes). The reserved bytes of a header are 0, the first page is a B-tree page
    /// of a table, and its content is mostly text: <https://sqlite.org/fileformat2.html>.
    static func looksEncrypted(_ file: borrowing OpenFile) throws(GodwitError) -> Bool {
        let page = try file.bytes(512)
        guard page.count == 512 else { return false }
        let isPage = [0x05, 0x0D].contains(page[100]) && page[72..<92].allSatisfy { $0 == 0 }
        // 412 random bytes have about 205 different values; text has fewer than 100.
        return !isPage && Set(page[100...]).count >= 160
    }

    /// The error for an encrypted store that begins with SQLite's first bytes.
    package static func encrypted(_ name: String, _ stage: GodwitError.Stage) -> GodwitError {
        unusable(
            name, "only its first bytes are those of a SQLite file; it is encrypted, or not a store",
            hint: "If the app encrypts this store, give Godwit a decrypted copy.", stage)
    }

    private static func unusable(_ name: String, _ why: String, hint: String, _ stage: GodwitError.Stage) -> GodwitError
    {
        GodwitError(stage, .data, "`\(name)` is not a usable SQLite store", hint: hint, underlying: why)
    }

    /// Throws for a link: SQLite follows it, and would read or write another file.
    private static func companion(
        _ path: String, name: String, _ stage: GodwitError.Stage
    ) throws(GodwitError) -> FileStatus? {
        guard let status = try FileStatus.ofLink(path) else { return nil }
        guard status.isRegularFile else {
            throw GodwitError(
                stage, .data, "`\(name)` is not a regular file", hint: "Replace the link by its target.")
        }
        return status
    }

    /// A warning if a WAL store came without its `-wal` file, because rows may be missing.
    package func warnings(name: String) -> [Warning] {
        guard let header, header.isWAL, companions.walSize == nil else { return [] }
        return [
            Warning(
                "walMissing", "`\(name)` is in WAL mode, but there is no \(PathText.lastPart(of: name))-wal next to it",
                hint:
                    "If it was copied from a device, copy the -wal as well: only the -wal may have the "
                    + "newest rows.")
        ]
    }
}
