package import GodwitModel
internal import Libc

/// The only code that removes files, and only Godwit's own.
///
/// Invariant: a file is removed only if its name begins with one of the prefixes below. Apps do not use these names,
/// and Godwit creates the files with `O_EXCL`, so such a file is Godwit's. Every other file may be the only copy of a
/// user's data.
package enum OwnFiles {
    /// Prefix of temporary files next to a user's files.
    ///
    /// The process that made them held the container's lock, so the current owner of that lock may remove them.
    package static let temporaryPrefix = ".godwit-tmp-"
    /// Prefix of temporary files next to an output.
    ///
    /// No container lock protects such a folder; the process that made the file has an `flock` on it instead.
    package static let outputPrefix = ".godwit-out-"
    /// Prefix of temporary links in a folder of exports.
    ///
    /// A link cannot be locked. The process that made it held the folder's lock, so the current owner of that lock may
    /// remove it.
    package static let linkPrefix = ".godwit-link-"
    /// Follows the name of an app's file that a rollback renamed; Godwit never removes such a file.
    package static let rollbackEnding = ".before-rollback-"
    package static let scratchPrefix = "godwit-scratch-"
    /// Prefix of a store that an import is building; the import has a shared lock on the folder.
    package static let restorationPrefix = ".godwit-import-"

    /// Prefix of a folder in which a backup is made; the process that makes it has an `flock` on it.
    package static let backupPrefix = ".godwit-backup-"
    /// Name of the file that marks a rollback as begun and not complete.
    package static let rollbackMarker = ".godwit-rollback"

    /// A new temporary name in the folder of a target; short, so that it is valid where the target's name is.
    package static func temporaryPath(
        nextTo target: String, identifier: String, prefix: String = temporaryPrefix
    ) -> String {
        PathText.directory(of: target) + "/" + prefix + identifier.prefix(8)
    }

    /// Whether Godwit made this name: the prefix, eight letters or digits, and optionally a journal's suffix.
    private static func isOwn(_ name: String, _ prefix: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let rest = name.utf8.dropFirst(prefix.utf8.count)
        let digits = rest.prefix { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        return digits.count == 8
            && ["", "-journal", "-wal", "-shm"].contains { rest.dropFirst(8).elementsEqual($0.utf8) }
    }

    /// Throws (73) if an output would have the name of a temporary file: the next run would remove it.
    package static func requireLasting(_ path: String, stage: GodwitError.Stage) throws(GodwitError) {
        guard PathText.lastPart(of: path).lowercased().hasPrefix(".godwit-") else { return }
        throw GodwitError(
            stage, .cannotCreate, "`\(path)` begins with `.godwit-`, which is reserved for Godwit's temporary files",
            hint: "Choose another name.")
    }

    /// Whether a path has the name of a temporary file, which no user's file has.
    package static func isTemporary(_ path: String) -> Bool {
        let name = PathText.lastPart(of: path)
        return [temporaryPrefix, outputPrefix, linkPrefix, restorationPrefix].contains(where: name.hasPrefix)
    }

    /// Removes a temporary file and SQLite's journals next to it, if they exist.
    package static func removeTemporary(_ path: String) {
        guard isTemporary(path) else { return }
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Removes an export that no rule of a retention policy keeps.
    ///
    /// The caller has read all of it and found that it is an export.
    ///
    /// - Parameter status: the status of the file before it was read.
    /// - Returns: whether it is gone; false if another file has its name now, or if it was changed.
    /// - Throws: 77 or 74 if it cannot be removed.
    package static func removeExport(_ path: String, _ status: FileStatus) throws(GodwitError) -> Bool {
        guard let now = try FileStatus.ofLink(path) else { return true }
        // Removing another hard link of the file changes its change time and link count, but not its content.
        guard now.isRegularFile, now.isSameFile(as: status), now.size == status.size,
            now.modifiedSeconds == status.modifiedSeconds, now.modifiedNanoseconds == status.modifiedNanoseconds
        else { return false }
        guard unlink(path) != 0, errno != ENOENT else { return true }
        throw .system("remove", path, errno: errno, stage: .forget)
    }

    /// Removes the temporary files that killed runs left in a folder; the caller holds the container's lock.
    package static func removeTemporaries(in directory: String) {
        for name in PathText.names(in: directory) where isOwn(name, temporaryPrefix) {
            unlink(directory + "/" + name)
        }
    }

    /// Removes the links that killed exports left in a folder; the caller holds the folder's lock.
    package static func removeLinks(in directory: String) {
        for name in PathText.names(in: directory) where isOwn(name, linkPrefix) {
            let path = directory + "/" + name
            var status = stat()
            if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { unlink(path) }
        }
    }

    /// Removes temporary files of outputs that killed runs of this user left in a folder, if their lock is released.
    package static func removeAbandonedOutputs(in directory: String) {
        for name in PathText.names(in: directory) where isOwn(name, outputPrefix) {
            let path = directory + "/" + name
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if isMine(descriptor), flock(descriptor, LOCK_EX | LOCK_NB) == 0, isNamed(descriptor, path) {
                removeTemporary(path)
            }
            close(descriptor)
        }
    }

    /// Whether an open file belongs to this user; in a shared folder any user can create such a name.
    static func isMine(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
    }

    /// Locks a new file or folder of Godwit's own, so that no other run removes it as abandoned.
    ///
    /// Cleanup locks a file before it removes it. So a process that has the lock, and finds its file still under its
    /// name, cannot lose it. False means that a cleanup removed the file first, and that the caller must create
    /// another. While a cleanup has the lock, this waits for up to 5 s.
    package static func lockAgainstSweep(_ descriptor: Int32, _ path: String) -> Bool {
        var waits = 0
        // On a file system without locks, cleanup gets no lock either.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            guard isNamed(descriptor, path), waits < 5000 else { return false }
            waits += 1
            usleep(1000)
        }
        return isNamed(descriptor, path)
    }

    /// Whether a path still refers to an open file.
    ///
    /// A slow cleanup may hold the lock of a file that another one has removed, when the name belongs to a new file.
    package static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
        var (held, named) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
            && held.st_dev == named.st_dev && held.st_ino == named.st_ino
    }

    /// Removes stores that killed imports of this user left in a folder; the caller has an exclusive lock on the
    /// folder, so no import runs there.
    static func removeRestorations(in directory: String) {
        for name in PathText.names(in: directory) where isOwn(name, restorationPrefix) {
            let path = directory + "/" + name
            var status = stat()
            if lstat(path, &status) == 0, status.st_uid == geteuid() { unlink(path) }
        }
    }

    /// Removes a scratch folder with its content; removes links and never follows them.
    ///
    /// Uses descriptors of the parent folders instead of paths: other users can write to the folder of scratch folders
    /// and could replace a part of a path between two calls.
    package static func removeScratch(_ path: String) {
        let name = PathText.lastPart(of: path)
        guard name.hasPrefix(scratchPrefix) || isOwn(name, backupPrefix) else { return }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return }
        removeContents(of: folder)
        rmdir(path)
    }

    /// Removes the unfinished backups that killed runs of this user left in a folder.
    package static func removeAbandonedBackups(in directory: String) {
        for name in PathText.names(in: directory, beginningWith: backupPrefix) where isOwn(name, backupPrefix) {
            let path = directory + "/" + name
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if isMine(descriptor), flock(descriptor, LOCK_EX | LOCK_NB) == 0, isNamed(descriptor, path) {
                removeScratch(path)
            }
            close(descriptor)
        }
    }

    /// Removes the marker of a rollback; the caller holds the container's lock and has completed the rollback.
    package static func removeRollbackMarker(in directory: String) {
        unlink(directory + "/" + rollbackMarker)
    }

    /// Prefix of the folder in which running commands report their progress.
    static let progressPrefix = "godwit-progress-"
    /// Suffix of such a file until it is renamed.
    static let unfinishedSuffix = ".new"

    /// Removes a progress file if it is still the given one, and the folder if it is empty then.
    static func removeProgress(_ descriptor: Int32, _ name: String, in path: String) {
        guard PathText.lastPart(of: path).hasPrefix(progressPrefix) else { return }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return }
        var (held, named) = (stat(), stat())
        if isMine(folder), fstat(descriptor, &held) == 0, fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0,
            held.st_dev == named.st_dev, held.st_ino == named.st_ino
        {
            unlinkat(folder, name, 0)
            // Fails unless the folder is empty.
            rmdir(path)
        }
        close(folder)
    }

    /// Removes an unfinished progress file of a killed run; the caller holds the container's lock.
    static func removeUnfinishedProgress(_ name: String, in folder: Int32) {
        unlinkat(folder, name + unfinishedSuffix, 0)
    }

    private static func removeContents(of folder: Int32) {
        guard let stream: DirectoryStream = fdopendir(folder) else {
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
