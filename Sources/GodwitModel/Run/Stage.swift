/// Where in the pipeline something happened.
public enum Stage: String, Sendable, Codable, CaseIterable {
    /// Reading the command line, the manifest and its schema files.
    case manifest
    /// Finding the container and its files, taking the lock.
    case container
    /// Schema files into the active store.
    case schema
    /// Legacy settings and favourites into the structured store.
    case legacy
    /// One row per singleton and key.
    case dedupe
    /// Local to cloud, once.
    case copy
    /// Proof of the promises.
    case verify
    /// Verified copies of the app's files, made before a run writes.
    case backup
    /// A backup put back.
    case rollback
    /// The copy made pending again.
    case reopen
    /// Versioned JSON.
    case export
    /// An export into a new store.
    case `import`
    /// Sync state and run history.
    case status
    /// What a container, a store or a property list holds, without a manifest; and the draft of one.
    case inspect
    /// How stale exports are as of now.
    case freshness
    /// A retention policy for a folder of exports.
    case forget
    /// Many containers: which, by whom, what came of them.
    case fleet
}
