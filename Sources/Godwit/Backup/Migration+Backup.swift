internal import GodwitFiles
package import GodwitModel
internal import GodwitBackup

/// The backup of a run, made when it first writes.
struct RunBackup {
    let maker: BackupMaker
    /// The private folder that a plan makes its backup in; nil for a run.
    let scratch: ScratchDirectory?
}

extension Migration {
    /// Throws (64, 73, 77) if the folder for backups can't be one, before anything is done.
    package func requireUsableBackupFolder() throws(GodwitError) {
        guard let folder = options.backupPath else { return }
        guard !folder.isEmpty else { throw GodwitError(.backup, .usage, "the folder for backups has no name") }
        guard let status = try FileStatus.of(folder) else { return }
        guard status.isDirectory else {
            throw GodwitError(
                .backup, .cannotCreate, "`\(folder)` is not a folder, so no backup can be made in it",
                hint: "Choose another folder for \(name: .backup).")
        }
        guard PathText.isWritable(folder) != false else {
            throw GodwitError(
                .backup, .permission, "can't write in the folder `\(folder)`",
                hint: "Choose another folder for \(name: .backup), or change its mode.")
        }
    }

    /// Throws (66) for a container that is part of a backup: after a write no rollback could use the backup.
    func requireNoBackup(_ container: Container) throws(GodwitError) {
        for place in container.places {
            let folders = [place, PathText.directory(of: place)]
            guard let backup = folders.first(where: { StoredBackup.isBackup($0) }) else { continue }
            let app = (try? StoredBackup(backup))?.document.container
            throw GodwitError(
                .container, .noInput,
                "`\(place)` belongs to the backup `\(backup)`, which a change would make useless; nothing was changed",
                hint: "Name the container of the app\(app.map { ", `\($0)`" } ?? ""), or put the backup back with "
                    + "\(name: .rollback).")
        }
    }

    /// Makes the backup when it is needed; nil if none was requested.
    func makeBackup(
        of roles: [RunReport.Backup.Role], _ files: ContainerFiles, _ run: RunReport.Identity, _ context: RunContext
    ) throws(GodwitError) -> RunBackup? {
        guard let folder = options.backupPath, !roles.isEmpty else { return nil }
        let scratch = run.dryRun ? try ScratchDirectory(identifier: context.makeIdentifier()) : nil
        let isLocalWritable = manifest.container.localLayout == .sqlite
        let sources = roles.filter { $0 != .local || isLocalWritable }.map { files.backupSource($0) }
        let header = BackupDocument(
            app: manifest.app, createdAt: run.startedAt, runId: run.id, command: run.command,
            container: files.container.root)
        let maker = BackupMaker(
            in: scratch?.path ?? folder, shownAs: folder, of: sources, header, context: context)
        if scratch == nil { maker.removeWhatKilledRunsLeft() }
        return RunBackup(maker: maker, scratch: scratch)
    }

    /// Fills in the report's backup, and how to go back to it.
    func addBackup(_ backup: RunBackup?, of stores: StoreOpener, to report: inout RunReport) {
        guard let backup, let made = backup.maker.report else { return }
        if backup.scratch == nil { backup.maker.noteFilesAfterRun(written(after: backup, stores)) }
        report.backup = made
        guard !report.run.dryRun else { return }
        let rollback = CommandLineText.godwit(rollbackWords(to: made.folder))
        report.nextSteps.append("To go back to the state before this run: \(rollback)")
    }

    /// The records that the run wrote, for a rollback; nil if they cannot be read, which does not fail a complete run.
    private func written(after backup: RunBackup, _ stores: StoreOpener) -> [String: WrittenRecords]? {
        guard let folder = backup.maker.madeFolder, let stored = try? StoredBackup(folder) else { return nil }
        return try? ChangesSinceBackup(stores: stores, backup: stored).readWritten()
    }

    /// The command that puts a backup of this container back, for a report of many containers, which only the command line has.
    package func rollbackCommand(to folder: String) -> String {
        CommandLineText.line(["godwit"] + rollbackWords(to: folder))
    }

    private func rollbackWords(to folder: String) -> [String] {
        let groups = options.groupContainers.flatMap { ["--group-container", $0] }
        return ["rollback", folder, "-m", manifest.file, "-c", location] + groups
    }

    /// The first backup of this container that was made since an instant: an interrupted run may have made it.
    package func firstBackup(since: Instant) -> String? {
        guard let folder = options.backupPath,
            let root = try? Container(location, groups: options.groupContainers).root
        else { return nil }
        return PathText.names(in: folder).sorted().lazy.map { PathText.join(folder, $0) }.first { path in
            guard let document = (try? StoredBackup(path))?.document else { return false }
            return document.createdAt >= since && document.container.utf8.elementsEqual(root.utf8)
        }
    }
}

extension ContainerFiles {
    /// The file of a role as a backup names it.
    func backupSource(_ role: RunReport.Backup.Role) -> BackupSource {
        let entry: Entry
        switch role {
        case .preferences: entry = preferences[0]
        case .cloud: entry = cloud
        case .local: entry = local
        }
        let group = container.groups.firstIndex { PathText.isInside(entry.path, $0) }
        let isInRoot = PathText.isInside(entry.path, container.root)
        let base = isInRoot ? container.root : group.map { container.groups[$0] } ?? container.root
        let relative =
            isInRoot || group != nil ? String(Substring(entry.path.utf8.dropFirst(base.utf8.count + 1))) : entry.name
        return BackupSource(
            role: role, path: entry.path, name: entry.name, relative: relative, group: isInRoot ? nil : group,
            domain: entry.domain)
    }
}
