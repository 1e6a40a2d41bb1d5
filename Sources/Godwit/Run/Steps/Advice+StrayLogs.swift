internal import GodwitModel

/// Write-ahead logs that were moved or misnamed: SQLite opens their store without them, and says nothing.
extension Advice {
    /// That a store in WAL mode has no log, while the container has one without a store that may be its own.
    ///
    /// A log does not say which store it is of: all that it shares with its store is the size of a page. Once the copy is
    /// done, a log that turns up changes nothing in the cloud store.
    func strayLogs(_ before: ContainerSurvey, _ report: RunReport) throws(GodwitError) -> [Warning] {
        guard before.copyState != .done, !before.storesWithoutLog.isEmpty else { return [] }
        var warnings: [Warning] = []
        for (log, pageSize) in try stores.walk().strayLogs {
            guard let store = before.storesWithoutLog.first(where: { $0.pageSize == pageSize }) else { continue }
            warnings.append(
                Warning(
                    "logWithoutStore",
                    "`\(log.name)` is a -wal file without a store, and `\(store.name)` has no -wal file: its "
                        + "newest records may be missing",
                    hint: hint(about: log.name, of: store.name, report)))
        }
        return warnings
    }

    /// What to do with such a `-wal` file: next to a store that was written since, it would damage the store.
    private func hint(about log: String, of store: String, _ report: RunReport) -> String {
        let isWritten = !report.run.dryRun && report.hasCommittedChanges && !(isCoreData && store == files.local.name)
        guard isWritten else {
            return "If it is the -wal file of that store, close the app and move it to \(store)-wal."
        }
        // The report names the backup later than this.
        guard options.backupPath == nil else {
            return "If it is the -wal file of that store, first roll back this run, then move the file to \(store)-wal."
        }
        return
            "If it is the -wal file of that store, copy both again from their origin, then run again; leave the file "
            + "where it is."
    }
}
