internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
public import GRDB

/// How Godwit opens the cloud store of the manifest.
public enum CloudStore: Sendable {
    /// By its path; the app has no connection to it during the run.
    case file
    /// The app has it open, and Godwit writes to it only through the app's own connection.
    ///
    /// The database is the very file that the manifest's `container.cloud` names, in any mode except
    /// `locking_mode=EXCLUSIVE` (75), `journal_mode=OFF` or `MEMORY`, and `synchronous=OFF` (64). It must stay open until the
    /// run ends. In WAL mode SQLite commits each attached store by itself: after a power cut or a full disk, a sync engine
    /// that keeps its state in such a store should read all records again.
    ///
    /// Triggers of that connection run, temporary ones as well, such as those by which a sync engine notes what to send;
    /// GRDB's observers learn that something changed, not which records. Foreign keys are checked, and commits reach
    /// the disk, during the run; then the connection is set as it was, except for a progress or busy handler
    /// that was set with SQLite's own calls.
    ///
    /// Godwit's work waits in the database's queue, for no longer than the lock timeout (75) or a second, and other writes of
    /// the app wait for it there: none of them may wait for the run. If the app suspends its database during the run (GRDB's
    /// `Database.suspendNotification`), the current stage is rolled back (75).
    case database(any DatabaseWriter)

    /// The store as the app has it open; nil if it is opened by its path.
    ///
    /// Throws (64) for a database that is in no file.
    func opened() throws(GodwitError) -> AppStore? {
        switch self {
        case .file: nil
        case .database(let writer): try AppStore(writer)
        }
    }
}

extension Migration {
    /// Throws where the app has handed in another database than the container's cloud store (64), or its connection can't be
    /// lent (75, 77).
    func requireOpened(
        in container: Container, writes: Bool = false, _ context: RunContext
    ) throws(GodwitError) {
        guard let opened else { return }
        let name = manifest.container.cloud
        try opened.require(
            at: container.resolve(name), name: name, writes: writes, stage: .container, context: context)
    }
}
