internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
public import GRDB

/// How the pipeline gets at the stores that the manifest names.
public struct PipelineStores: Sendable {
    /// How one store is opened.
    public enum Access: Sendable {
        /// By its path; the app has no connection to it during the run.
        case file
        /// The app has it open, and Godwit writes to it only through the app's own connection.
        ///
        /// Triggers of that connection run, temporary ones as well, such as those by which a sync engine notes what to send;
        /// GRDB's observers learn that something changed, not which records. Foreign keys are checked and commits reach
        /// the disk while Godwit is at work; afterwards the connection is set as it was, but for a progress or busy handler
        /// that was set with SQLite's own calls.
        ///
        /// Godwit's work waits in the database's queue, for no longer than the lock timeout (75) or a second, and other writes of
        /// the app wait for it there: none of them may wait for the pipeline. An app that suspends its database meanwhile (GRDB's
        /// `Database.suspendNotification`) has the stage at work rolled back (75). What is told of the progress may be told
        /// inside that queue, where nothing may be asked of the database.
        case writer(any DatabaseWriter)
    }

    /// The cloud store.
    public var cloud: Access

    /// Stores that are opened by their paths, but for those that are handed in.
    ///
    /// - Parameter cloud: a `DatabaseWriter` on the very file that the manifest's `container.cloud` names, in any mode but
    ///   `locking_mode=EXCLUSIVE` (75), `journal_mode=OFF` or `MEMORY`, and `synchronous=OFF` (64). It must stay open until
    ///   the pipeline is done. In WAL mode SQLite commits each attached store for itself: after a power cut or a full disk a
    ///   sync engine whose books are such a store should look through all records.
    public init(cloud: Access = .file) { self.cloud = cloud }

    /// The cloud store as the app has it open; nil where it is opened by its path.
    ///
    /// Throws (64) for a database that is in no file.
    func openedCloud() throws(GodwitError) -> AppStore? {
        switch cloud {
        case .file: nil
        case .writer(let writer): try AppStore(writer)
        }
    }
}

extension Pipeline {
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
