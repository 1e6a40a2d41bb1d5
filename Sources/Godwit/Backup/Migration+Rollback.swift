package import GodwitModel
internal import GodwitBackup

/// Going back to the state before a run, from the backup that it made.
extension Migration {
    /// Puts a backup back, for real or on a private copy; synchronous, for the command line.
    ///
    /// - Parameters:
    ///   - folder: the folder of the backup.
    ///   - newer: how many records written since the backup may then be only in the renamed files.
    ///   - acceptsOther: whether the backup may be of another container that still exists.
    package func rollback(
        to folder: String, discardingNewer newer: Int64? = nil, acceptingOtherContainer acceptsOther: Bool = false,
        dryRun: Bool,
        cancellation: Cancellation = Cancellation(), progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws(GodwitError) -> RunReport {
        let backup = try StoredBackup(folder)
        try requireFitting(backup)
        var migration = self
        migration.options.backupPath = nil
        // The files of the backup, not those of the manifest: a wrong path may be the reason for the rollback.
        migration.manifest.container = manifest.container.naming(backup.document.files)
        let context = makeContext(cancellation, progress, faultPoint)
        return try migration.report(named: GodwitError.Stage.rollback.rawValue, writes: true, dryRun: dryRun, context) {
            stores, _, report throws(GodwitError) in
            let step = RollbackStep(
                stores: stores, backup: backup, accepted: newer, acceptsOtherContainer: acceptsOther)
            let done = try step.run(isDryRun: dryRun)
            (report.rollback, report.outcome) = (done.report, done.report.outcome)
            (report.activeStore, report.nextSteps) = (done.activeStore, done.nextSteps)
            report.warnings += done.warnings
        }
    }

    private func requireFitting(_ backup: StoredBackup) throws(GodwitError) {
        guard opened == nil else {
            throw GodwitError(
                .rollback, .usage, "the app has its cloud store open, so the rollback can't replace it",
                hint: "Roll back with a pipeline that opens the stores by path, before the app opens them.")
        }
        guard backup.document.app.utf8.elementsEqual(manifest.app.utf8) else {
            throw GodwitError(
                .rollback, .data, "`\(backup.folder)` is a backup of \(backup.document.app), not of \(manifest.app)",
                hint: "Name a backup of this app, or the manifest of the other app.")
        }
        let groups = backup.document.files.compactMap(\.group).max().map { $0 + 1 } ?? 0
        guard options.groupContainers.count >= groups else {
            throw GodwitError(
                .rollback, .usage,
                "the backup has files of \(groups.counted("group container")), but "
                    + "\(options.groupContainers.count.grouped) given",
                hint: Wording.text(
                    commandLine: "Add --group-container for each, in the order of the run.",
                    library: "Name each in `groups` of the `ContainerLocation`, in the order of the run."))
        }
    }
}

extension ContainerPaths {
    /// The same paths with those of a backup's files.
    fileprivate func naming(_ entries: [BackupEntry]) -> ContainerPaths {
        func name(_ role: RunReport.Backup.Role, or given: String) -> String {
            entries.first { $0.role == role }?.name ?? given
        }
        return ContainerPaths(
            preferences: [name(.preferences, or: preferences[0])] + preferences.dropFirst(),
            optionalPreferences: optionalPreferences, local: name(.local, or: local),
            localLayout: localLayout, cloud: name(.cloud, or: cloud), syncEvents: syncEvents)
    }
}
