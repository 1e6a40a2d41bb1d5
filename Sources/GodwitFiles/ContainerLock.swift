package import GodwitModel
internal import Libc

/// A lock on a container, and on the group containers it shares with others: `flock` on the directories themselves.
///
/// No lock file is written, and the system releases the lock when the process dies, however it dies. It is advisory:
/// it keeps runs of Godwit apart, not the app; the app's own access is handled by SQLite's locks.
package struct ContainerLock: ~Copyable {
    private let directories: [LockedDirectory]

    /// How runs share a container.
    package enum Mode: Sendable {
        /// For commands that write.
        case exclusive
        /// For commands that only read.
        case shared
    }

    /// Takes the lock, waiting up to the context's timeout; 75 when another run still holds it then.
    package init(_ container: Container, mode: Mode, context: RunContext) throws(GodwitError) {
        var waited = 0
        // Groups in one order everywhere, and each folder once: it would wait for itself.
        var folders = [container.root]
        for folder in container.groups.sorted() where !folders.contains(where: { $0.utf8.elementsEqual(folder.utf8) }) {
            folders.append(folder)
        }
        var directories: [LockedDirectory] = []
        for folder in folders {
            directories.append(try LockedDirectory(folder, mode: mode, context: context, waited: &waited))
        }
        self.directories = directories
    }

    /// Locks one folder that is no container with groups.
    package init(_ folder: String, mode: Mode, context: RunContext) throws(GodwitError) {
        var waited = 0
        directories = [try LockedDirectory(folder, mode: mode, context: context, waited: &waited)]
    }

    /// What was locked, for looking again later.
    package var place: LockedFolders { LockedFolders(folders: directories.map { ($0.file.path, $0.identity) }) }
}

/// The folders that a run has locked; a container that is moved or replaced meanwhile is no longer at its path, and what
/// is there instead is not locked.
package struct LockedFolders: Sendable {
    fileprivate let folders: [(path: String, identity: FileStatus)]

    /// For commands that lock nothing.
    package static let nowhere = LockedFolders(folders: [])

    /// Runs a body; where it fails and a folder is no longer in its place, that is what is told (75): the failure of the
    /// body only followed from it.
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

    /// Throws (75) where a path no longer leads to the folder that was locked.
    package func requireInPlace(_ stage: Stage) throws(GodwitError) {
        for (path, identity) in folders {
            guard try FileStatus.of(path)?.isSameFile(as: identity) != true else { continue }
            throw GodwitError(
                stage, .busy, "\(path) was moved or replaced while it was being worked on.",
                hint: "Run the same command again when the container is where it belongs.")
        }
    }
}

/// One locked folder.
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
            // While one waits, the folder may be replaced; the lock of one that is gone keeps nobody out.
            guard try FileStatus.of(path)?.isSameFile(as: identity) == true else { continue }
            self.identity = identity
            file = opened
            return
        }
    }

    /// Closing alone gives a lock back only with the last copy of the descriptor, and a process that this one is just starting
    /// has one until it runs its own program: <https://man7.org/linux/man-pages/man2/flock.2.html>.
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
                    .container, .busy, "Another run holds the lock on \(directory.path).",
                    hint: "Wait for it to end, or give it more time with --lock-timeout.")
            }
            pause(milliseconds: 20)
            waited += 20
        }
    }
}

extension ContainerLock {
    /// Takes away what killed imports left in a folder, unless an import is at work there: imports share a lock on the
    /// folder of their target, so that whoever has it alone knows that nobody needs those files.
    package static func removeAbandonedRestorations(in folder: String) throws(GodwitError) {
        let opened = try OpenFile(directory: folder)
        guard flock(opened.descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        defer { flock(opened.descriptor, LOCK_UN) }
        OwnFiles.removeRestorations(in: folder)
    }
}
