package import GodwitModel
internal import Libc

/// The only place that removes files, and only files of Godwit's own.
///
/// Invariant: nothing is unlinked whose name does not begin with one of the prefixes below. No app names its files so,
/// and Godwit makes them with `O_EXCL`, so a file of that name is Godwit's. Everything else in a container is
/// somebody's only copy.
package enum OwnFiles {
    /// Begins the name of every temporary file beside a user's files; the process that made it holds the container's
    /// lock, so whoever holds that lock now may take away what others left.
    package static let temporaryPrefix = ".godwit-tmp-"
    /// Begins the name of every temporary file beside an output.
    ///
    /// No container's lock says whose it is in such a folder; its maker holds an `flock` on the file itself instead.
    package static let outputPrefix = ".godwit-out-"
    /// Begins the name of every link that is about to take its place in a folder of exports.
    ///
    /// A link can't be locked as a file is; whoever makes one holds the lock of the folder, so whoever holds that lock now
    /// may take away what others left.
    package static let linkPrefix = ".godwit-link-"
    /// Comes after the name of a file of the app that a rollback renamed; such a file is the app's, and never removed.
    package static let rollbackEnding = ".before-rollback-"
    /// Begins the name of every scratch directory.
    package static let scratchPrefix = "godwit-scratch-"
    /// Begins the name of a store that an import is building; the process that made it shares a lock on the folder.
    package static let restorationPrefix = ".godwit-import-"

    /// Begins the name of the folder in which a backup is being made; its maker holds an `flock` on it.
    package static let backupPrefix = ".godwit-backup-"
    /// Name of the file that says that a rollback has begun and not ended.
    package static let rollbackMarker = ".godwit-rollback"

    /// A new temporary name in the folder of a target; short, so that it fits wherever the target's name fits.
    package static func temporaryPath(
        beside target: String, identifier: String, prefix: String = temporaryPrefix
    ) -> String {
        PathText.directory(of: target) + "/" + prefix + identifier.prefix(8)
    }

    /// Whether a name is one that Godwit makes: the prefix, eight letters or digits, and perhaps a journal's ending.
    private static func isOwn(_ name: String, _ prefix: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let rest = name.utf8.dropFirst(prefix.utf8.count)
        let digits = rest.prefix { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        return digits.count == 8
            && ["", "-journal", "-wal", "-shm"].contains { rest.dropFirst(8).elementsEqual($0.utf8) }
    }

    /// Throws (73) where somebody wants an output to be called as Godwit calls its temporary files: the next sweep would
    /// remove it.
    package static func requireLasting(_ path: String, stage: Stage) throws(GodwitError) {
        guard PathText.lastPart(of: path).lowercased().hasPrefix(".godwit-") else { return }
        throw GodwitError(
            stage, .cannotCreate, "\(path) begins with .godwit-, which is what Godwit calls its temporary files.",
            hint: "Choose another name.")
    }

    /// Removes a temporary file and the journals SQLite may have left beside it; what is not there is no error.
    package static func removeTemporary(_ path: String) {
        let name = PathText.lastPart(of: path)
        guard [temporaryPrefix, outputPrefix, linkPrefix, restorationPrefix].contains(where: name.hasPrefix) else {
            return
        }
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Removes an export of Godwit's that no rule of a retention policy keeps.
    ///
    /// The caller has read it to its end as an export.
    ///
    /// - Parameter status: that of the file which was read, before it was.
    /// - Returns: whether it is gone; not where another file has its name by now, or where it was changed.
    /// - Throws: 77 or 74 where it can't be removed.
    package static func removeExport(_ path: String, _ status: FileStatus) throws(GodwitError) -> Bool {
        guard let now = try FileStatus.ofLink(path) else { return true }
        // A further name of the same file that went before changes its status, but not the file.
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

    /// Removes the temporary files of outputs that killed runs left in a folder: those of this user whose lock the system
    /// has released.
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

    /// Whether an open file is this user's; anybody may make a file of such a name in a shared folder.
    static func isMine(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
    }

    /// Locks a file or folder of Godwit's own that was made a moment ago, so that no other run takes it for abandoned.
    ///
    /// A sweep locks before it removes. So whoever holds the lock, and finds its own file still under its name, can't
    /// lose it any more; false means that a sweep came in between and the caller must make another. As long as a sweep
    /// is at it, the name is still taken: that is waited for.
    package static func lockAgainstSweep(_ descriptor: Int32, _ path: String) -> Bool {
        var waits = 0
        // Where the file system knows no locks, no sweep gets one either.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            guard isNamed(descriptor, path), waits < 5000 else { return false }
            waits += 1
            usleep(1000)
        }
        return isNamed(descriptor, path)
    }

    /// Whether a path still leads to an open file.
    ///
    /// A sweep that was slow may hold the lock of what another one has removed, while the name is that of a new file.
    package static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
        var (held, named) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
            && held.st_dev == named.st_dev && held.st_ino == named.st_ino
    }

    /// Removes the half-built stores of this user's killed imports in a folder; the caller has a lock on it that no import
    /// at work would let it have.
    static func removeRestorations(in directory: String) {
        for name in PathText.names(in: directory) where isOwn(name, restorationPrefix) {
            let path = directory + "/" + name
            var status = stat()
            if lstat(path, &status) == 0, status.st_uid == geteuid() { unlink(path) }
        }
    }

    /// Removes a scratch directory with all that is in it; links inside are removed, never followed.
    ///
    /// Everything is reached through descriptors of the folders above it, never by path: scratch lies in a folder that
    /// others can write to, and a path can be made to lead elsewhere between two calls.
    package static func removeScratch(_ path: String) {
        let name = PathText.lastPart(of: path)
        guard name.hasPrefix(scratchPrefix) || isOwn(name, backupPrefix) else { return }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return }
        removeContents(of: folder)
        rmdir(path)
    }

    /// Removes the unfinished backups of this user's killed runs in a folder of backups.
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

    /// Removes the file that says that a rollback has begun; the caller holds the container's lock and has ended it.
    package static func removeRollbackMarker(in directory: String) {
        unlink(directory + "/" + rollbackMarker)
    }

    /// Begins the name of the folder in which runs at work tell how far they are.
    static let progressPrefix = "godwit-progress-"
    /// Ends the name of such a file that is not in place yet.
    static let unfinishedSuffix = ".new"

    /// Removes the file in which a run told how far it is, if it is still that one, and the folder if it was the last.
    static func removeProgress(_ descriptor: Int32, _ name: String, in path: String) {
        guard PathText.lastPart(of: path).hasPrefix(progressPrefix) else { return }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return }
        var (held, named) = (stat(), stat())
        if isMine(folder), fstat(descriptor, &held) == 0, fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0,
            held.st_dev == named.st_dev, held.st_ino == named.st_ino
        {
            unlinkat(folder, name, 0)
            // Only where nothing is in it.
            rmdir(path)
        }
        close(folder)
    }

    /// Removes what a killed run left of such a file before it was in place; the caller holds the container's lock.
    static func removeUnfinishedProgress(_ name: String, in folder: Int32) {
        unlinkat(folder, name + unfinishedSuffix, 0)
    }

    /// Empties an open folder and closes it.
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
