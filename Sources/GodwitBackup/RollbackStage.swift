internal import GodwitFiles
package import GodwitModel
package import GodwitPropertyList
internal import GodwitSQLite

/// A file of a backup, and its present path.
package struct RollbackDestination: Sendable {
    package let entry: BackupEntry
    /// Where the file belongs, links resolved.
    package let path: String
    /// The container that it is in; no folder is made above it.
    let root: String
    /// The domain that gets the values instead of the file; nil for a file.
    package let domain: (any PreferencesDomain)?

    package init(_ entry: BackupEntry, path: String, root: String, domain: (any PreferencesDomain)? = nil) {
        (self.entry, self.path, self.root, self.domain) = (entry, path, root, domain)
    }

    var isStore: Bool { entry.role != .preferences }
    /// The suffixes of files next to a store that belong to it; the `-wal` file's index and the journal first.
    var companions: [String] { isStore ? ["-journal", "-wal", "-shm"] : [] }
}

/// Puts the files of a backup back, and gives those that were there other names.
///
/// Invariant: no file is replaced or removed. Of a store the companions are renamed before the store, and put back
/// before the store, so that no store is ever next to a `-wal` file that is not its own.
package struct RollbackStage {
    let backup: StoredBackup
    let destinations: [RollbackDestination]
    let context: RunContext
    /// The suffix of the new name of a renamed file.
    let stem: String

    package init(_ backup: StoredBackup, to destinations: [RollbackDestination], context: RunContext) {
        (self.backup, self.destinations, self.context) = (backup, destinations, context)
        stem = OwnFiles.rollbackEnding + BackupMaker.name(at: context.now)
    }

    /// The folders in which a rollback leaves its marker.
    package var folders: [String] { Array(Set(destinations.map { PathText.directory(of: $0.path) })).sorted() }

    /// Whether a file and its companions are, byte for byte, those of the backup.
    package func isUnchanged(_ destination: RollbackDestination) throws(GodwitError) -> Bool {
        if let domain = destination.domain { return try isUnchanged(domain, destination) }
        for suffix in [""] + destination.companions where suffix != "-shm" {
            let part = destination.entry.parts.first { $0.kind != .externalData && $0.suffix == suffix }
            let path = destination.path + suffix
            let status = try FileStatus.ofLink(path)
            // An empty `-wal` file counts as missing.
            if part?.bytes ?? 0 == 0, status?.size ?? 0 == 0, !suffix.isEmpty { continue }
            if part == nil, status == nil { continue }
            guard let part, let status, status.isRegularFile, status.size == part.bytes else { return false }
            guard try digest(path, isJournal: suffix == "-journal")?.sha256 == part.sha256 else { return false }
        }
        return try missingData(of: destination).isEmpty
    }

    private func digest(_ path: String, isJournal: Bool = false) throws(GodwitError) -> FileDigest? {
        try FileDigest(of: path, isJournal: isJournal, stage: .rollback, context: context)
    }

    /// Files of Core Data that the backup has and the folder next to the store has not, or has with other bytes.
    private func missingData(
        of destination: RollbackDestination
    ) throws(GodwitError) -> [(part: BackupPart, path: String)] {
        guard let main = destination.entry.parts.first(where: { $0.kind == .main }) else { return [] }
        let folder = PathText.directory(of: main.file)
        var missing: [(BackupPart, String)] = []
        for part in destination.entry.parts where part.kind == .externalData {
            guard part.file.hasPrefix(folder + "/") else { continue }
            let path = PathText.join(
                PathText.directory(of: destination.path),
                String(Substring(part.file.utf8.dropFirst(folder.utf8.count + 1))))
            let isThere = try FileStatus.ofLink(path)?.isRegularFile == true
            let found = isThere ? try digest(path) : nil
            if found?.sha256 != part.sha256 { missing.append((part, path)) }
        }
        return missing
    }

    /// Puts back the files that differ, in the order of the backup.
    ///
    /// Copies are made, and stores locked, before the first file is renamed: an error before that changes nothing.
    ///
    /// - Parameters:
    ///   - newer: how many newer records may then be only in the renamed files.
    ///   - interrupted: what an earlier rollback to this backup left to complete.
    ///   - confirm: called before the stores are locked; throws if one was written after its records were counted.
    package func putBack(
        newer: Int64, interrupted: RollbackMarker?, confirm: () throws(GodwitError) -> Void
    ) throws(GodwitError) -> [RunReport.Rollback.File] {
        var changed: [(destination: RollbackDestination, staged: StagedFiles?, store: ExclusiveStore?)] = []
        var files: [RunReport.Rollback.File] = []
        for destination in destinations {
            let entry = destination.entry
            var file = RunReport.Rollback.File(role: entry.role, file: entry.name, action: .unchanged)
            if try !isUnchanged(destination) {
                file.action = entry.exists ? .restored : .removed
                changed.append((destination, try stage(destination), nil))
            }
            files.append(file)
        }
        guard !changed.isEmpty || interrupted != nil else { return files }
        try confirm()
        for index in changed.indices { changed[index].store = try lock(changed[index].destination) }
        let folder = folders.first ?? "."
        let stem = interrupted?.stem ?? stem
        if interrupted == nil {
            try context.cancellation.check(.rollback)
            let marker = RollbackMarker(
                backup: PathText.real(backup.folder) ?? backup.folder, runId: backup.document.runId, stem: stem,
                newer: newer)
            try PathText.makeDirectories(folder, inside: destinations.first?.root)
            try marker.write(in: folder, context)
        }
        let finishing = uninterrupted
        for (destination, staged, store) in changed {
            let kept = try finishing.moveAside(destination, stem)
            store?.close()
            try context.faultPoint(.afterRollbackMove)
            try staged?.putInPlace(context)
            if let domain = destination.domain { try setValues(of: domain, destination) }
            let index = files.firstIndex { $0.role == destination.entry.role }
            if let index { files[index].keptAs = kept }
            try context.faultPoint(.afterRollbackFile)
        }
        for destination in destinations where try !finishing.isUnchanged(destination) {
            throw GodwitError(
                .rollback, .io, "`\(destination.entry.name)` differs from the backup after it was put back",
                hint: "Check the volume, then run the same command again.")
        }
        for folder in folders {
            OwnFiles.removeRollbackMarker(in: folder)
            try AtomicFile.flushDirectory(of: PathText.join(folder, "."))
        }
        return files
    }

    /// The same stage, which no signal ends: files that are renamed are put back as well.
    private var uninterrupted: RollbackStage {
        RollbackStage(
            backup, to: destinations,
            context: RunContext(
                now: context.now, makeIdentifier: context.makeIdentifier,
                lockTimeoutMilliseconds: context.lockTimeoutMilliseconds, faultPoint: context.faultPoint))
    }

    // MARK: One file

    /// Locks a store until it is closed; nil if the file is not a store or does not exist.
    private func lock(_ destination: RollbackDestination) throws(GodwitError) -> ExclusiveStore? {
        guard destination.isStore, try FileStatus.of(destination.path) != nil else { return nil }
        return try ExclusiveStore.open(
            destination.path, name: destination.entry.name, stage: .rollback, context: context)
    }

    /// Copies of the backup's files under temporary names, to be renamed into their places; nil if it has no such file.
    private func stage(_ destination: RollbackDestination) throws(GodwitError) -> StagedFiles? {
        guard destination.entry.exists, destination.domain == nil else { return nil }
        for folder in destination.entry.folders ?? [] {
            try FileRestoration.makeFolder(
                PathText.join(destination.root, folder.path), inside: destination.root, mode: folder.mode,
                owner: folder.owner, group: folder.group)
        }
        try PathText.makeDirectories(PathText.directory(of: destination.path), inside: destination.root)
        let model = try FileOwnership(of: destination.path)
        let staged = StagedFiles(stage: .rollback)
        let temporary = OwnFiles.temporaryPath(nextTo: destination.path, identifier: context.makeIdentifier())
        // Companions before the store.
        for kind in [BackupPart.Kind.journal, .wal, .main] {
            for part in destination.entry.parts where part.kind == kind && (kind == .main || part.bytes > 0) {
                let name = temporary + part.suffix
                staged.files.append((name, destination.path + part.suffix))
                try copy(part, to: name, ownedLike: model)
            }
        }
        for (part, path) in try missingData(of: destination) {
            try PathText.makeDirectories(PathText.directory(of: path), inside: destination.root)
            let name = OwnFiles.temporaryPath(nextTo: path, identifier: context.makeIdentifier())
            staged.files.insert((name, path), at: 0)
            try copy(part, to: name, ownedLike: FileOwnership(of: path))
        }
        return staged
    }

    private func copy(
        _ part: BackupPart, to temporary: String, ownedLike model: FileOwnership?
    ) throws(GodwitError) {
        try context.cancellation.check(.rollback)
        let source = backup.path(of: part)
        let owner = part.owner.flatMap { user in part.group.map { (user: user, group: $0) } }
        try FileRestoration.copy(
            source, to: temporary, mode: part.mode, owner: owner, ownedLike: model, stage: .rollback)
        guard try digest(temporary)?.sha256 == part.sha256 else {
            throw GodwitError(
                .rollback, .io, "a copy of `\(source)` does not read back as it was written; nothing was changed",
                hint: "Check the volume, then run the same command again.")
        }
    }

    /// Gives the file that is there, and its companions, another name; returns the file's, nil if there is none.
    private func moveAside(_ destination: RollbackDestination, _ stem: String) throws(GodwitError) -> String? {
        if let domain = destination.domain { return try keepValues(of: domain, destination, stem) }
        var others: [String] = []
        for (_, path) in try missingData(of: destination) where try FileStatus.ofLink(path) != nil {
            others.append(path)
        }
        for path in others {
            _ = try FileRestoration.giveName(freeName(path, stem, []), to: path, stage: .rollback)
        }
        let path = destination.path
        let target = try freeName(path, stem, destination.companions)
        for suffix in destination.companions {
            _ = try FileRestoration.giveName(target + suffix, to: path + suffix, stage: .rollback)
        }
        guard try FileRestoration.giveName(target, to: path, stage: .rollback) else { return nil }
        return destination.name(of: target)
    }

    /// A name that neither the file nor a companion that is to be renamed would meet another file under.
    func freeName(_ path: String, _ stem: String, _ companions: [String]) throws(GodwitError) -> String {
        // Where the whole name has no room, its beginning does.
        let room = PathText.maxNameBytes - stem.utf8.count - "-1000-journal".utf8.count
        let short = PathText.shortened(PathText.lastPart(of: path), toBytes: room)
        let base = PathText.join(PathText.directory(of: path), short)
        for number in 1...1000 {
            let name = base + stem + (number > 1 ? "-\(number)" : "")
            var isFree = try FileStatus.ofLink(name) == nil
            for suffix in companions where try FileStatus.ofLink(path + suffix) != nil {
                if try FileStatus.ofLink(name + suffix) != nil { isFree = false }
            }
            if isFree { return name }
        }
        throw GodwitError(.rollback, .cannotCreate, "no new name is left for `\(path)`")
    }
}

/// Finished copies that only lack their names.
private final class StagedFiles {
    var files: [(temporary: String, target: String)] = []
    private let stage: GodwitError.Stage

    init(stage: GodwitError.Stage) { self.stage = stage }

    func putInPlace(_ context: RunContext) throws(GodwitError) {
        while let (temporary, target) = files.first {
            if files.count == 1 { try context.faultPoint(.beforeRollbackRename) }
            try AtomicFile.putStoreInPlace(
                temporary, at: target, name: PathText.lastPart(of: target), stage: stage)
            files.removeFirst()
        }
    }

    deinit { for (temporary, _) in files { OwnFiles.removeTemporary(temporary) } }
}
