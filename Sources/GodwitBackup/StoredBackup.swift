internal import GodwitFiles
package import GodwitModel
internal import GodwitSQLite

/// A backup in its folder, as a rollback reads it.
package struct StoredBackup: Sendable {
    /// The folder as given.
    package let folder: String
    package let document: BackupDocument

    /// Reads the description of a backup.
    ///
    /// - Throws: 66 if there is no backup, 65 if it is not one, of a newer version, or names files outside of it.
    package init(_ folder: String) throws(GodwitError) {
        self.folder = folder
        let path = PathText.join(folder, BackupDocument.name)
        guard try FileStatus.of(folder)?.isDirectory == true, try FileStatus.of(path) != nil else {
            throw Self.missing(folder)
        }
        let bytes = try readBytes(path, limit: BackupDocument.limit, stage: .rollback)
        struct Version: Decodable {
            var format: String
            var minReaderVersion: Int
        }
        guard let version = decode(Version.self, bytes), version.format == BackupDocument.format else {
            throw GodwitError(
                .rollback, .data, "`\(path)` does not describe a backup", hint: Self.hint)
        }
        guard version.minReaderVersion <= BackupDocument.version else {
            throw GodwitError(
                .rollback, .data,
                "`\(path)` needs a reader of version \(version.minReaderVersion); this Godwit reads "
                    + "version \(BackupDocument.version)",
                hint: "Use the Godwit that made the backup, or a newer one.")
        }
        guard let document = decode(BackupDocument.self, bytes), document.isPlain else {
            throw GodwitError(.rollback, .data, "`\(path)` is damaged", hint: "Use another backup.")
        }
        self.document = document
    }

    /// Whether a folder is a backup or the beginning of one, also of another version or damaged: its files are not the app's.
    package static func isBackup(_ folder: String) -> Bool {
        if PathText.lastPart(of: folder).hasPrefix(OwnFiles.backupPrefix) { return true }
        let path = PathText.join(folder, BackupDocument.name)
        // The folder may be outside the container, so only named files are opened.
        guard let status = try? FileStatus.of(path), status.isRegularFile,
            let bytes = try? readBytes(path, limit: BackupDocument.limit, stage: .rollback)
        else { return false }
        return bytes.firstRange(of: Array("\"\(BackupDocument.format)\"".utf8)) != nil
    }

    /// Where a part of the backup is.
    func path(of part: BackupPart) -> String { PathText.join(folder, part.file) }

    /// Where a file of the backup is; nil if it did not exist.
    package func path(of entry: BackupEntry) -> String? {
        entry.parts.first { $0.kind == .main }.map { PathText.join(folder, $0.file) }
    }

    /// Throws (65) if a file of the backup is missing or has other bytes than when it was made.
    package func requireWhole(_ context: RunContext) throws(GodwitError) {
        for entry in document.files {
            for part in entry.parts {
                let path = path(of: part)
                let status = try FileStatus.ofLink(path)
                var digest: FileDigest?
                if status?.isRegularFile == true {
                    digest = try FileDigest(of: path, stage: .rollback, context: context)
                }
                guard digest?.size == part.bytes, digest?.sha256 == part.sha256 else {
                    throw GodwitError(
                        .rollback, .data,
                        digest == nil
                            ? "`\(path)` does not exist, so the backup is incomplete; nothing was changed"
                            : "`\(path)` changed after the backup was made: its hash differs from that "
                                + "in \(BackupDocument.name); nothing was changed",
                        hint: "Use another backup.")
                }
            }
        }
    }

    private static var hint: String {
        Wording.text(
            commandLine: "Name a folder that --backup made.", library: "Name the folder of a `RunReport.backup`.")
    }

    private static func missing(_ folder: String) -> GodwitError {
        let inside = PathText.names(in: folder).filter { name in
            (try? FileStatus.of(PathText.join(PathText.join(folder, name), BackupDocument.name))) != nil
        }
        if let newest = inside.max() {
            return GodwitError(
                .rollback, .noInput, "`\(folder)` is not a backup, but a folder of \(inside.count.counted("backup"))",
                hint: "Name one of them, such as \(PathText.join(folder, newest)).")
        }
        return GodwitError(
            .rollback, .noInput, "no backup in `\(folder)`: \(BackupDocument.name) does not exist there",
            hint: Self.hint)
    }
}

extension BackupDocument {
    /// Whether every path in it stays where it belongs, and every file has one main part.
    fileprivate var isPlain: Bool {
        files.allSatisfy { entry in
            Self.isInside(entry.name) && (entry.group ?? 0) >= 0
                && (entry.folders ?? []).allSatisfy { Self.isInside($0.path) }
                && entry.parts.allSatisfy { Self.isInside($0.file) && $0.bytes >= 0 }
                && (entry.parts.isEmpty || entry.parts.filter { $0.kind == .main }.count == 1)
        } && Set(files.map(\.role)).count == files.count
    }

    private static func isInside(_ path: String) -> Bool {
        !path.isEmpty && !path.hasPrefix("/") && !path.utf8.contains(0)
            && !path.split(separator: "/").contains { $0 == ".." }
    }
}
