package import GodwitModel
internal import Libc

/// A folder that appears complete or not at all: created under a temporary name, filled, flushed, then renamed.
///
/// Invariant: until `commit`, the folder has a name of Godwit's own and this process holds its lock. So deinit removes
/// it, or the next run does if this process is killed.
package final class UnfinishedFolder {
    package private(set) var path: String
    private let parent: String
    private let stage: GodwitError.Stage
    private let lock: Int32
    private var isInPlace = false

    package init(in parent: String, identifier: String, stage: GodwitError.Stage) throws(GodwitError) {
        OwnFiles.removeAbandonedBackups(in: parent)
        let path = PathText.join(parent, OwnFiles.backupPrefix + identifier.prefix(8))
        (self.path, self.parent, self.stage) = (path, parent, stage)
        while true {
            guard mkdir(path, 0o700) == 0 else {
                throw .system("make the folder", path, errno: errno, stage: stage, missing: .cannotCreate)
            }
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if descriptor >= 0, OwnFiles.lockAgainstSweep(descriptor, path) {
                lock = descriptor
                return
            }
            if descriptor >= 0 { close(descriptor) }
        }
    }

    deinit {
        if !isInPlace { OwnFiles.removeScratch(path) }
        close(lock)
    }

    /// Flushes every folder inside, then renames the folder, durably, to the first free one of the names.
    package func commit(as names: some Sequence<String>) throws(GodwitError) -> String {
        try flushFolders(path)
        for name in names {
            let target = PathText.join(parent, name)
            guard try FileStatus.ofLink(target) == nil else { continue }
            try AtomicFile.rename(path, to: target, replacing: false, stage: stage)
            isInPlace = true
            path = target
            try AtomicFile.flushDirectory(of: target)
            return target
        }
        throw GodwitError(stage, .cannotCreate, "no name for a new folder is left in `\(parent)`")
    }

    private func flushFolders(_ folder: String) throws(GodwitError) {
        for name in PathText.names(in: folder) {
            let inner = PathText.join(folder, name)
            if try FileStatus.ofLink(inner)?.isDirectory == true { try flushFolders(inner) }
        }
        try AtomicFile.flushDirectory(of: PathText.join(folder, "."))
    }
}
