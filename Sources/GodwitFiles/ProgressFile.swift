package import GodwitModel
internal import FoundationLite
internal import Libc
import Synchronization

/// The progress of a run that holds a container's lock, for processes that ask without a lock.
///
/// The file is in a private folder (0700) in `TMPDIR`, outside of the container, and has the container's device and
/// inode as its name. The run has an `flock` on it; a file without that lock was left by a killed run and is ignored.
/// So a reader never needs the container's lock and cannot make a run wait.
/// Only runs of more than a second make the file. It is replaced at most four times a second and never flushed, and its
/// errors are ignored.
package final class ProgressFile: Sendable {
    private struct State {
        var lastWritten: ContinuousClock.Instant
        /// The current file, locked; -1 if there is none.
        var descriptor: Int32 = -1
        var isOver = false
    }

    private static let interval = Duration.milliseconds(250)
    private static let longest = 4096

    private let folder: String
    private let name: String
    private let command: String
    private let runIdentifier: String
    private let startedAt: Instant
    private let now: @Sendable () -> Instant
    private let state: Mutex<State>

    /// - Parameters:
    ///   - container: the container's folder; the caller holds its exclusive lock until it has called `takeAway`.
    ///   - delay: how long nothing is written; shorter runs write nothing.
    ///   - parent: the folder of temporary files.
    package init(
        of container: FileStatus, command: String, runIdentifier: String, startedAt: Instant, delay: Duration,
        below parent: String = ScratchDirectory.parent, now: @escaping @Sendable () -> Instant
    ) {
        folder = Self.folder(below: parent)
        name = Self.name(of: container)
        (self.command, self.runIdentifier, self.startedAt, self.now) = (command, runIdentifier, startedAt, now)
        state = Mutex(State(lastWritten: ContinuousClock.now + delay - Self.interval))
    }

    deinit { takeAway() }

    /// Writes the progress if enough time has passed.
    package func note(_ progress: RunProgress) {
        state.withLock { state in
            let time = ContinuousClock.now
            guard !state.isOver, time - state.lastWritten >= Self.interval else { return }
            state.lastWritten = time
            let status = StatusReport.Running(
                runId: runIdentifier, command: command, stage: progress.stage, completed: progress.completed,
                total: progress.total, startedAt: startedAt, updatedAt: now())
            guard let bytes = try? JSONEncoder().encode(status), let made = replace(Array(bytes)) else { return }
            if state.descriptor >= 0 { close(state.descriptor) }
            state.descriptor = made
        }
    }

    /// Removes the file, or one that a killed run left, at the end of the run.
    package func takeAway() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            if state.descriptor < 0 { state.descriptor = openAbandoned() }
            guard state.descriptor >= 0 else { return }
            OwnFiles.removeProgress(state.descriptor, name, in: folder)
            close(state.descriptor)
            state.descriptor = -1
        }
    }

    /// The file that a killed run on this container left, locked; -1 if there is none.
    private func openAbandoned() -> Int32 {
        let opened = Self.open(folder)
        guard opened >= 0 else { return -1 }
        defer { close(opened) }
        OwnFiles.removeUnfinishedProgress(name, in: opened)
        let file = openat(opened, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return -1 }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            flock(file, LOCK_EX | LOCK_NB) == 0
        else {
            close(file)
            return -1
        }
        return file
    }

    /// Writes and renames a new file; returns its locked descriptor, or nil if that failed.
    private func replace(_ bytes: [UInt8]) -> Int32? {
        let temporary = name + OwnFiles.unfinishedSuffix
        // Another run may remove the folder between the calls, if its file was the last one in it.
        for _ in 0..<5 {
            mkdir(folder, 0o700)
            let opened = Self.open(folder)
            guard opened >= 0 else { continue }
            defer { close(opened) }
            OwnFiles.removeUnfinishedProgress(name, in: opened)
            let file = openat(opened, temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
            guard file >= 0 else { continue }
            let count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            // Locked before it is renamed, so every reader finds it locked.
            if count == bytes.count, flock(file, LOCK_EX | LOCK_NB) == 0,
                AtomicFile.rename(temporary, to: name, in: opened)
            {
                return file
            }
            OwnFiles.removeUnfinishedProgress(name, in: opened)
            close(file)
            return nil
        }
        return nil
    }

    /// The progress of the run that works on a container; nil if there is none, or if it reports nothing.
    package static func read(
        of container: FileStatus, below parent: String = ScratchDirectory.parent
    ) -> StatusReport.Running? {
        let folder = open(folder(below: parent))
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        // A file that was replaced after it was opened is not locked, so the next one is opened.
        for _ in 0..<3 {
            let file = openat(folder, name(of: container), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            guard let bytes = content(of: file) else { return nil }
            if flock(file, LOCK_SH | LOCK_NB) != 0 {
                guard errno == EWOULDBLOCK else { return nil }
                return try? JSONDecoder().decode(StatusReport.Running.self, from: Data(bytes))
            }
        }
        return nil
    }

    private static func content(of file: Int32) -> [UInt8]? {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_size <= longest
        else { return nil }
        var buffer = [UInt8](repeating: 0, count: longest)
        let count = pread(file, &buffer, longest, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func name(of container: FileStatus) -> String { "\(container.device)-\(container.inode)" }

    private static func folder(below parent: String) -> String {
        PathText.join(parent, OwnFiles.progressPrefix + String(geteuid()))
    }

    /// The folder, if it belongs to this user and no other user has access; -1 otherwise.
    private static func open(_ folder: String) -> Int32 {
        let opened = Libc.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { return -1 }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            close(opened)
            return -1
        }
        return opened
    }
}
