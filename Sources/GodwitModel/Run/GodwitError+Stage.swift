extension GodwitError {
    /// The stage of an error or a report.
    public enum Stage: String, Sendable, Codable, CaseIterable {
        /// Reading the command line, the manifest and its schema files.
        case manifest
        /// Finding the container and its files, taking the lock.
        case container
        /// Applying schema files to the active store.
        case schema
        /// Importing legacy settings and favorites.
        case legacy
        /// Removing duplicates.
        case dedupe
        /// Copying once from the local store to the cloud store.
        case copy
        /// Checking the promises.
        case verify
        /// Making verified copies of the app's files before a run writes.
        case backup
        /// Restoring a backup.
        case rollback
        /// Making the copy pending again.
        case reopen
        /// Exporting records as versioned JSON.
        case export
        /// Building a new store from an export.
        case `import`
        /// Reporting sync state and run history.
        case status
        /// Reading a container, a store or a property list without a manifest, and generating a manifest.
        case inspect
        /// Judging the freshness of exports at the present time.
        case freshness
        /// Applying a retention policy to a folder of exports.
        case forget
        /// Running a command on many containers.
        case fleet
    }
}
