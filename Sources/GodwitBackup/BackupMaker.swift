internal import GodwitCoreData
internal import GodwitFiles
package import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
import Synchronization

/// Makes a verified backup of a container's files, once, right before a run first writes to one of them.
///
/// Invariant: the folder of a backup gets its name only when all files in it and their hashes are on the disk, and each
/// store in it was opened and found sound.
package final class BackupMaker: BackupBeforeWriting {
    private let folder: String
    private let shown: String
    private let sources: [BackupSource]
    private let header: BackupDocument
    private let context: RunContext
    private let made = Mutex<(path: String, report: RunReport.Backup)?>(nil)

    /// - Parameters:
    ///   - folder: the folder that the backup's own folder is made in.
    ///   - shown: what reports call that folder; another one in a plan.
    package init(
        in folder: String, shownAs shown: String, of sources: [BackupSource], _ header: BackupDocument,
        context: RunContext
    ) {
        (self.folder, self.shown, self.sources, self.header) = (folder, shown, sources, header)
        var context = context
        // A clone has no app, no plan and no check of its own, and facts about stores do not apply to it.
        (context.opened, context.planned, context.watched, context.backup) = (nil, nil, nil, nil)
        context.known = StoreStateCache()
        self.context = context
        reading = context
    }

    /// The context in which the app's own files are read.
    private let reading: RunContext

    /// Removes the temporary files that killed runs left in backups of any container: one may have been moved since, so
    /// that not its path says whose file it is but the file's lock.
    package func removeWhatKilledRunsLeft() {
        for name in PathText.names(in: folder) {
            let path = PathText.join(folder, name)
            guard (try? StoredBackup(path)) != nil else { continue }
            OwnFiles.removeAbandonedOutputs(in: path)
        }
    }

    package var isMade: Bool { made.withLock { $0 != nil } }

    /// The backup; nil if nothing was to be written so far.
    package var report: RunReport.Backup? { made.withLock { $0?.report } }

    package func requireBackup(beforeWriting path: String) throws(GodwitError) {
        guard !isMade, sources.contains(where: { $0.path.utf8.elementsEqual(path.utf8) }) else { return }
        do throws(GodwitError) {
            let (path, document) = try make()
            let files = document.files.map {
                RunReport.Backup.File(role: $0.role, file: $0.name, exists: $0.exists, bytes: $0.bytes)
            }
            let report = RunReport.Backup(folder: PathText.join(shown, PathText.lastPart(of: path)), files: files)
            made.withLock { $0 = (path, report) }
        } catch {
            throw error.aboutBackup(in: shown, instead: folder)
        }
        try context.faultPoint(.afterBackup)
    }

    private func make() throws(GodwitError) -> (path: String, document: BackupDocument) {
        try PathText.makeDirectories(folder)
        let work = try UnfinishedFolder(in: folder, identifier: context.makeIdentifier(), stage: .backup)
        var document = header
        for source in sources {
            try context.cancellation.check(.backup)
            document.files.append(try entry(source, in: work.path))
        }
        let file = try AtomicFile(
            target: PathText.join(work.path, BackupDocument.name), identifier: context.makeIdentifier(), stage: .backup)
        try file.write(document.encoded())
        try file.commit(replacing: false)
        let name = Self.name(at: header.createdAt)
        return (try work.commit(as: (1...1000).map { $0 == 1 ? name : "\(name)-\($0)" }), document)
    }

    /// `2026-11-21T060000Z`, as exports are named.
    static func name(at instant: Instant) -> String {
        String(instant.iso8601.prefix(19)).replacing(":", with: "") + "Z"
    }

    private func entry(_ source: BackupSource, in work: String) throws(GodwitError) -> BackupEntry {
        var entry = BackupEntry(role: source.role, name: source.relative, group: source.group)
        let domain = try source.domain?.currentPropertyList()
        guard try source.domain == nil ? FileStatus.of(source.path) != nil : domain != nil else { return entry }
        let tree = source.group.map { "group-\($0 + 1)" } ?? "container"
        let relative = PathText.join(tree, source.relative)
        let target = PathText.join(work, relative)
        try PathText.makeDirectories(PathText.directory(of: target))
        if source.isStore {
            try StoreClone.make(of: source.path, name: source.name, at: target, stage: .backup, context: reading)
            try ExternalData.copy(besideStore: source.path, toStore: target)
        } else if let domain {
            let file = try AtomicFile(target: target, identifier: context.makeIdentifier(), stage: .backup)
            try file.write(domain)
            try file.commit(replacing: false)
            FileClone.keepModificationTime(of: source.path, in: target)
        } else {
            try FileClone.copy(source.path, to: target)
        }
        for (suffix, kind) in source.names where try FileStatus.of(target + suffix) != nil {
            entry.parts.append(try part(kind, relative + suffix, in: work, of: source.path + suffix))
        }
        let (from, to) = (PathText.directory(of: source.path), PathText.directory(of: target))
        for file in try ExternalData.files(besideStore: target) where source.isStore {
            let original = from + Substring(file.utf8.dropFirst(to.utf8.count))
            entry.parts.append(
                try part(
                    .externalData, String(Substring(file.utf8.dropFirst(work.utf8.count + 1))), in: work, of: original))
        }
        entry.folders = try folders(of: entry, below: tree, source)
        if source.isStore { try requireSound(target, named: source.name) }
        return entry
    }

    /// The folders of a source and of its external data, with their rights.
    private func folders(
        of entry: BackupEntry, below tree: String, _ source: BackupSource
    ) throws(GodwitError) -> [BackupFolder] {
        guard source.path.hasSuffix("/" + source.relative) else { return [] }
        let root = String(Substring(source.path.utf8.dropLast(source.relative.utf8.count)))
        var folders: [BackupFolder] = []
        for part in entry.parts {
            let names = part.file.dropFirst(tree.utf8.count + 1).split(separator: "/")
            for count in 1..<max(1, names.count) {
                let path = names.prefix(count).joined(separator: "/")
                guard !folders.contains(where: { $0.path == path }), let status = try FileStatus.of(root + path)
                else { continue }
                folders.append(
                    BackupFolder(path: path, mode: status.mode & 0o7777, owner: status.owner, group: status.group))
            }
        }
        return folders
    }

    /// Flushes and hashes a file, and notes the rights and attributes of the app's own.
    private func part(
        _ kind: BackupPart.Kind, _ file: String, in work: String, of original: String
    ) throws(GodwitError) -> BackupPart {
        let path = PathText.join(work, file)
        let status = try FileStatus.of(original)
        FileRestoration.keepAttributes(of: original, in: path)
        try OpenFile(reading: path, stage: .backup).flush()
        guard let digest = try FileDigest(of: path, stage: .backup, context: context) else {
            throw GodwitError(.backup, .io, "`\(file)` of the backup is not a regular file")
        }
        return BackupPart(
            kind: kind, file: file, bytes: digest.size, sha256: digest.sha256, mode: (status?.mode ?? 0o600) & 0o7777,
            owner: status?.owner, group: status?.group)
    }

    /// Opens a clone as a rollback's reader will see it.
    private func requireSound(_ path: String, named name: String) throws(GodwitError) {
        do throws(GodwitError) {
            _ = try StoreSnapshot(of: path, name: name, stage: .backup, context: context)
        } catch  where error.isFinding {
            throw GodwitError(
                .backup, .io, "the copy of `\(name)` is damaged",
                hint: "Check the volume of the backup, then run the same command again.",
                underlying: error.underlying ?? error.message)
        }
    }

    /// The folder of the backup; nil if none was made.
    package var madeFolder: String? { made.withLock { $0?.path } }

    /// Stores the state of the files after the run, for a rollback; without it a rollback counts records one by one.
    ///
    /// - Parameter written: the records that the run wrote; nil if unknown.
    package func noteFilesAfterRun(_ written: [String: WrittenRecords]?) {
        guard let path = madeFolder, var after = try? FilesAfterRun.measure(sources, context) else { return }
        after.written = written
        guard
            let file = try? AtomicFile(
                target: PathText.join(path, FilesAfterRun.name), identifier: context.makeIdentifier(), isOutput: true,
                stage: .backup),
            let bytes = try? after.encoded(), (try? file.write(bytes)) != nil
        else { return }
        try? file.commit(replacing: false)
    }
}

extension FilesAfterRun {
    /// The files as they are now.
    package static func measure(
        _ sources: [BackupSource], _ context: RunContext
    ) throws(GodwitError) -> FilesAfterRun {
        var found: [String: String] = [:]
        for source in sources {
            if let domain = source.domain {
                found[source.relative] = try domain.read().map { sha256Hex($0.contentBytes) }
                continue
            }
            for (suffix, _) in source.names where try FileStatus.of(source.path + suffix) != nil {
                let digest = try FileDigest(
                    of: source.path + suffix, isJournal: suffix == "-journal", stage: .backup, context: context)
                // An empty `-wal` file counts as missing.
                guard digest?.size != 0 || suffix.isEmpty else { continue }
                found[source.relative + suffix] = digest?.sha256 ?? ""
            }
        }
        return FilesAfterRun(found)
    }
}

extension GodwitError {
    /// That no backup could be made, so that nothing was written.
    fileprivate func aboutBackup(in shown: String, instead folder: String) -> GodwitError {
        guard code != .interrupted, code != .terminated else { return self }
        var error = self.naming(shown, insteadOf: folder).at(.backup)
        if code == .noInput { error.code = .cannotCreate }
        error.message = "no backup could be made in `\(shown)`, so nothing was written: \(error.message)"
        return error
    }
}
