internal import GodwitCoreData
internal import GodwitFiles
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
internal import GodwitCopy

/// A private copy of all files that a command may change, for `plan` and `--dry-run`, which run the same code on it.
///
/// The original is read under a shared lock and only while it is being copied; modification times are kept, because
/// records are dated with them. The copy is removed with its owner.
struct DryRunCopy: Sendable {
    let container: Container
    /// Private copies of the app's domains.
    let domains: [any PreferencesDomain]
    private let scratch: ScratchDirectory

    /// - Parameter resumesRollback: whether files may be as an interrupted rollback left them.
    init(
        of original: Container, manifest: Manifest, domains: [any PreferencesDomain], resumesRollback: Bool = false,
        context: RunContext
    ) throws(GodwitError) {
        let lock = try ContainerLock(original, mode: .shared, context: context)
        let files = try ContainerFiles(manifest, in: original, resumesRollback: resumesRollback)
        self.domains = try domains.map { domain throws(GodwitError) in try DomainCopy(of: domain) }
        scratch = try ScratchDirectory(identifier: context.makeIdentifier())
        let root = try scratch.makeSubdirectory("container")
        for entry in files.preferences {
            guard let status = try FileStatus.of(entry.path) else { continue }
            let target = PathText.join(root, entry.name)
            try PathText.makeDirectories(PathText.directory(of: target))
            guard status.size <= Int64(CompletionFlag.limit) else {
                throw GodwitError.tooLarge(entry.name, size: status.size, limit: CompletionFlag.limit, stage: .copy)
            }
            // A folder takes the place of anything that is not a file, so that the plan is refused as the run is.
            if status.isRegularFile {
                try FileClone.copy(entry.path, to: target)
            } else {
                try PathText.makeDirectories(target)
            }
        }
        for entry in [files.local, files.cloud] where try entry.exists() {
            _ = try StoreSet(entry.path, name: entry.name, stage: .container)
            let target = PathText.join(root, entry.name)
            try PathText.makeDirectories(PathText.directory(of: target))
            try StoreClone.make(of: entry.path, name: entry.name, at: target, stage: .container, context: context)
            // Who writes to a store refuses one that has other names: in the dry run as well.
            let others = try scratch.makeSubdirectory("names/\(entry.name)")
            for suffix in ["", "-wal", "-journal"] {
                try FileClone.giveNames(to: target + suffix, asManyAs: entry.path + suffix, in: others)
            }
        }
        // The app's account events are part of the choice of the active store.
        if let events = files.syncEvents { try Self.copy(events, below: root) }
        if manifest.container.localLayout == .coreData, let real = PathText.real(files.local.path) {
            try ExternalData.copy(besideStore: real, toStore: PathText.join(root, files.local.name))
        }
        container = try Container(dryRunOf: original, at: root)
        _ = consume lock
    }

    /// Copies the sync events.
    ///
    /// A file that can't be read gets a copy that can't be read either, so that the plan
    /// warns as the run does.
    private static func copy(_ events: ContainerFiles.Entry, below root: String) throws(GodwitError) {
        guard let status = try FileStatus.of(events.path) else { return }
        let target = PathText.join(root, events.name)
        try PathText.makeDirectories(PathText.directory(of: target))
        guard status.isRegularFile else { return try PathText.makeDirectories(target) }
        guard status.size <= Int64(SyncLog.limit) else { return try FileClone.standIn(size: status.size, at: target) }
        if (try? FileClone.copy(events.path, to: target)) == nil { try FileClone.standForUnreadable(at: target) }
    }
}
