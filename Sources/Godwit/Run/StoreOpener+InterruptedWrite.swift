internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite

extension StoreOpener {
    /// Rolls back the transaction of a writer that was killed, in a store that the command may write to, and removes its
    /// journal.
    ///
    /// Opening the store for writing would do so anyway. But with nothing to write, the journal would stay; and later in
    /// the run it would look like a write of another process. A journal that was never flushed is not hot, and only another
    /// writing transaction removes it: one that sets a number to the value that it has. The journal of an app's own
    /// transaction stays.
    /// <https://sqlite.org/fileformat2.html#hot_journals>
    func settleInterruptedWrite(_ role: StoreRole, _ stage: GodwitError.Stage) throws(GodwitError) {
        let (path, name) = (scope.files[role].path, scope.files[role].name)
        guard let journal = try FileStatus.of(path + "-journal"), journal.size > 0 else { return }
        // The app rolled the journal back when it opened the store; a journal that exists now is its own.
        guard scope.context.appStore(at: path) == nil else { return }
        try snapshot(role, stage).connection.refuseMirrored()
        let writer = try StoreWriter(
            existing: path, name: name, stage: stage, context: scope.context.with(lockTimeoutMilliseconds: 0))
        do throws(GodwitError) {
            try writer.transaction(stage) { connection throws(GodwitError) in
                guard case .integer(let version)? = try connection.first("PRAGMA user_version") else { return }
                try connection.execute("PRAGMA user_version = \(version)")
            }
        } catch  where error.code == .busy {
            return
        }
        try writer.close(stage)
    }
}
