package import GodwitModel
internal import Libc

/// A lock on a container and on its group containers: `flock` on the folders themselves.
///
/// No lock file is written, and the system releases the lock when the process ends. The lock is advisory: it separates
/// runs of Godwit. SQLite's locks separate Godwit from the app.
package struct ContainerLock: ~Copyable {
    private let directories: [LockedDirectory]

    package enum Mode: Sendable {
        case exclusive
        case shared
    }

    /// Waits up to the timeout of the context; throws 75 if another run still has the lock then.
    package init(_ container: Container, mode: Mode, context: RunContext) throws(GodwitError) {
        var waited = 0
        // Groups in one order, to prevent deadlocks, and each folder once by its identity, because a second lock would
        // wait for the first.
        var directories: [LockedDirectory] = []
        for folder in [container.root] + container.groups.sorted() {
            let status = try FileStatus.of(folder)
            if directories.contains(where: { status?.isSameFile(as: $0.identity) == true }) { continue }
            directories.append(try LockedDirectory(folder, mode: mode, context: context, waited: &waited))
        }
        self.directories = directories
    }

    /// Locks one folder that is not a container with groups.
    package init(_ folder: String, mode: Mode, context: RunContext) throws(GodwitError) {
        var waited = 0
        directories = [try LockedDirectory(folder, mode: mode, context: context, waited: &waited)]
    }

    /// The locked folders, to check later that they were not moved.
    package var place: LockedFolders { LockedFolders(folders: directories.map { ($0.file.path, $0.identity) }) }
}

/// The folders that a run has locked.
///
/// If a container is moved or replaced during the run, the folder now at its path is not locked.
package struct LockedFolders: Sendable {
    fileprivate let folders: [(path: String, identity: FileStatus)]

    /// For commands that lock nothing.
    package static let nowhere = LockedFolders(folders: [])

    /// Runs a body; if it fails and a locked folder was moved, throws that instead (75), because it is the cause.
    package func explainingFailures<R>(_ body: () throws(GodwitError) -> R) throws(GodwitError) -> R {
        do throws(GodwitError) {
            return try body()
        } catch {
            guard error.code != .interrupted, error.code != .terminated else { throw error }
            do throws(GodwitError) { try requireInPlace(error.stage) } catch let moved {
                var failure = moved
                failure.report = error.report
                failure.underlying = error.message
                throw failure
            }
            throw error
        }
    }

    /// Throws (75) if a path no longer refers to the folder that was locked.
    package func requireInPlace(_ stage: GodwitError.Stage) throws(GodwitError) {
        for (path, identity) in folders {
            guard try FileStatus.of(path)?.isSameFile(as: identity) != true else { continue }
            throw GodwitError(
                stage, .busy, "`\(path)` was moved or replaced during the run",
                hint: "Put the container back, then run the same command again.")
        }
    }
}

final class LockedDirectory {
    let file: OpenFile
    let identity: FileStatus

    init(
        _ path: String, mode: ContainerLock.Mode, context: RunContext, waited: inout Int
    ) throws(GodwitError) {
        while true {
            let opened = try OpenFile(directory: path)
            let identity = try opened.status()
            try Self.lock(opened, mode, context, &waited)
            // The folder may have been replaced during the wait; a lock on a removed folder excludes no other run.
            guard try FileStatus.of(path)?.isSameFile(as: identity) == true else { continue }
            self.identity = identity
            file = opened
            return
        }
    }

    // Closing the descriptor does not always release the lock: a child process that is just starting has a copy of it
    // until it runs its own program. Source: <https://man7.org/linux/man-pages/man2/flock.2.html>.
    deinit { flock(file.descriptor, LOCK_UN) }

    private static func lock(
        _ directory: borrowing OpenFile, _ mode: ContainerLock.Mode, _ context: RunContext, _ waited: inout Int
    ) throws(GodwitError) {
        let operation = (mode == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
        while flock(directory.descriptor, operation) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .system("lock", directory.path, errno: errno)
            }
            try context.cancellation.check(.container)
            guard waited < context.lockTimeoutMilliseconds else {
                throw GodwitError(
                    .container, .busy, "another run holds the lock on `\(directory.path)`",
                    hint: "Wait until it ends, or wait longer with \(name: .lockTimeout).")
            }
            pause(milliseconds: 20)
            waited += 20
        }
    }
}

extension ContainerLock {
    /// Removes what killed imports left in a folder, unless an import is running there.
    ///
    /// Every import has a shared lock on the folder of its target. So an exclusive lock proves that no import needs the
    /// files.
    package static func removeAbandonedRestorations(in folder: String) throws(GodwitError) {
        let opened = try OpenFile(directory: folder)
        guard flock(opened.descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        defer { flock(opened.descriptor, LOCK_UN) }
        OwnFiles.removeRestorations(in: folder)
    }
}
