#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The only place that removes files, and only files of Godwit's own.
///
/// Invariant: nothing is unlinked whose name does not begin with one of the two prefixes below. No app names its files
/// so, and Godwit makes them with `O_EXCL`, so a file of that name is Godwit's. Everything else in a container is
/// somebody's only copy.
package enum OwnFiles {
    /// Begins the name of every temporary file beside a user's files; the process that made it holds the container's
    /// lock, so whoever holds that lock now may take away what others left.
    package static let temporaryPrefix = ".godwit-tmp-"
    /// Begins the name of every scratch directory.
    package static let scratchPrefix = "godwit-scratch-"

    /// A new temporary name in the folder of a target; short, so that it fits wherever the target's name fits.
    package static func temporaryPath(beside target: String, identifier: String) -> String {
        PathText.directory(of: target) + "/" + temporaryPrefix + identifier.prefix(8)
    }

    /// Removes a temporary file and the journals SQLite may have left beside it; what is not there is no error.
    package static func removeTemporary(_ path: String) {
        guard PathText.lastPart(of: path).hasPrefix(temporaryPrefix) else { return }
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Removes the temporary files that killed runs left in a folder; the caller holds the container's lock.
    package static func removeTemporaries(in directory: String) {
        for name in PathText.names(in: directory) where name.hasPrefix(temporaryPrefix) {
            unlink(directory + "/" + name)
        }
    }

    /// Removes a scratch directory with all that is in it; links inside are removed, never followed.
    ///
    /// Everything is reached through descriptors of the folders above it, never by path: scratch lies in a folder that
    /// others can write to, and a path can be made to lead elsewhere between two calls.
    package static func removeScratch(_ path: String) {
        guard PathText.lastPart(of: path).hasPrefix(scratchPrefix) else { return }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return }
        removeContents(of: folder)
        rmdir(path)
    }

    /// Empties an open folder and closes it.
    private static func removeContents(of folder: Int32) {
        guard let stream = fdopendir(folder) else {
            close(folder)
            return
        }
        defer { closedir(stream) }
        for name in PathText.names(in: stream) {
            let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            if inner >= 0 { removeContents(of: inner) }
            unlinkat(folder, name, inner >= 0 ? AT_REMOVEDIR : 0)
        }
    }
}
