internal import GodwitCopy
internal import GodwitModel
internal import GodwitStore

/// A private copy of all that a command could touch, for `plan` and `--dry-run`: the same code then runs on it.
///
/// The original is read under a shared lock and only while it is being copied; modification times are kept, because
/// records are dated with them. The copy is gone when its owner goes.
struct RehearsalCopy: Sendable {
    let container: Container
    private let scratch: ScratchDirectory

    init(of original: Container, manifest: Manifest, context: RunContext) throws(GodwitError) {
        let lock = try ContainerLock(original, mode: .shared, context: context)
        let files = try ContainerFiles(manifest, in: original)
        scratch = try ScratchDirectory(identifier: context.makeIdentifier())
        let root = try scratch.makeSubdirectory("container")
        for entry in files.preferences {
            guard let status = try FileStatus.of(entry.path) else { continue }
            let target = PathText.join(root, entry.name)
            try PathText.makeDirectories(PathText.directory(of: target))
            guard status.size <= Int64(CompletionFlag.limit) else {
                throw GodwitError.tooLarge(entry.name, size: status.size, limit: CompletionFlag.limit, stage: .copy)
            }
            // A folder stands for whatever is no file, so that the rehearsal meets the same refusal as the run.
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
        }
        // What the app saw of its account decides which store is the active one.
        if let events = files.syncEvents, let status = try FileStatus.of(events.path), status.isRegularFile,
            status.size <= Int64(SyncLog.limit)
        {
            let target = PathText.join(root, events.name)
            try PathText.makeDirectories(PathText.directory(of: target))
            // One that can't be read is met again when it is looked for, and only warned of.
            try? FileClone.copy(events.path, to: target)
        }
        if manifest.container.localLayout == .coreData, let real = PathText.real(files.local.path) {
            try ExternalData.copy(besideStore: real, toStore: PathText.join(root, files.local.name))
        }
        container = try Container(rehearsing: original, at: root)
        _ = consume lock
    }
}
