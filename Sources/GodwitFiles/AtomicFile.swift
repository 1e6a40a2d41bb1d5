package import GodwitModel
internal import Libc
internal import CSystemShim

/// A file that appears complete or not at all.
///
/// It is written under a temporary name in the same folder, flushed, closed and renamed; then the folder is flushed.
/// Invariant: between the calls, the target is the old file or the complete new one. Without the flush of the folder, a
/// power cut may undo the rename: fsync(2).
package struct AtomicFile: ~Copyable {
    package let target: String
    private let temporary: TemporaryName
    private let file: OpenFile
    private let stage: GodwitError.Stage

    /// Creates the temporary file next to the target, with the given mode.
    ///
    /// - Parameter isOutput: whether no container lock protects the folder of the target. Then files that killed runs
    ///   left there are removed first, and this file is locked, so that no other run removes it.
    package init(
        target: String, identifier: String, mode: UInt32 = 0o600, isOutput: Bool = false, stage: GodwitError.Stage
    ) throws(GodwitError) {
        (self.target, self.stage) = (target, stage)
        let prefix = isOutput ? OwnFiles.outputPrefix : OwnFiles.temporaryPrefix
        let path = OwnFiles.temporaryPath(nextTo: target, identifier: identifier, prefix: prefix)
        if isOutput { OwnFiles.removeAbandonedOutputs(in: PathText.directory(of: target)) }
        do throws(GodwitError) {
            file = try Self.make(path, mode: mode & 0o777, isLocked: isOutput, stage: stage)
        } catch {
            var error = error.naming(target, insteadOf: path)
            let folder = PathText.directory(of: target)
            if isOutput, error.code == .cannotCreate, (try? FileStatus.of(folder)) == nil {
                error.hint = "Make the folder `\(folder)` first."
            }
            throw error
        }
        temporary = TemporaryName(path)
    }

    private static func make(
        _ path: String, mode: UInt32, isLocked: Bool, stage: GodwitError.Stage
    ) throws(GodwitError) -> OpenFile {
        while true {
            let file = try OpenFile(creating: path, mode: mode, stage: stage)
            if !isLocked || OwnFiles.lockAgainstSweep(file.descriptor, path) { return file }
        }
    }

    package var temporaryPath: String { temporary.path }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(GodwitError) {
        do throws(GodwitError) { try file.write(bytes) } catch { throw named(error) }
    }

    package func write(_ bytes: [UInt8]) throws(GodwitError) {
        do throws(GodwitError) { try file.write(bytes) } catch { throw named(error) }
    }

    /// Replaces the temporary name in a message by the target, which users know.
    private func named(_ error: GodwitError) -> GodwitError {
        error.naming(target, insteadOf: temporary.path).at(stage)
    }

    /// Reads back what was written; valid as long as this file exists.
    package var writtenBytes: WrittenBytes { WrittenBytes(descriptor: file.descriptor, name: target, stage: stage) }

    package func size() throws(GodwitError) -> Int64 { try file.status().size }

    /// Flushes what was written so far, before it is read back.
    package func flush() throws(GodwitError) {
        do throws(GodwitError) { try file.flush() } catch { throw named(error) }
    }

    /// Flushes what was written so far while a body reads it back.
    ///
    /// Reading does not wait for the disk, so both take as long as the slower one. An error of the body is thrown
    /// first.
    package borrowing func flush(while body: () throws(GodwitError) -> Void) throws(GodwitError) {
        guard try size() > Self.largeSize else {
            try flush()
            return try body()
        }
        let (worker, result) = (BackgroundWorker(), FlushResult())
        let descriptor = file.descriptor
        worker.begin { result.take(OpenFile.flush(descriptor)) }
        defer { worker.end() }
        try body()
        worker.wait()
        guard result.number == 0 else { throw named(.system("flush", file.path, errno: result.number)) }
    }

    /// In bytes; a smaller file is flushed before a thread would have started.
    private static let largeSize: Int64 = 1 << 20

    /// Starts to write added bytes to the disk without waiting, so that the final flush takes less time.
    package func startFlushing(from start: Int64, count: Int64) {
        godwit_start_flushing(file.descriptor, start, count)
    }

    package func overwrite(_ bytes: [UInt8], at offset: Int64) throws(GodwitError) {
        do throws(GodwitError) { try file.write(bytes, at: offset) } catch { throw named(error) }
    }

    /// Copies owner, mode and extended attributes of the file that this one will replace, as far as the system allows.
    package func takeOwnership(_ ownership: FileOwnership) throws(GodwitError) {
        try file.take(ownership, withAttributes: true)
    }

    /// Copies the rights of another file, as far as the system allows, and never grants more.
    package func takeRights(_ ownership: FileOwnership) throws(GodwitError) { try file.takeRights(ownership) }

    /// Flushes, closes and renames the file; after a failure the temporary file is removed and the target has not
    /// changed.
    ///
    /// - Parameter replacing: whether an existing target may be replaced; if not, it is an error (73).
    package consuming func commit(replacing: Bool) throws(GodwitError) {
        let (target, temporary, stage) = (target, temporary, stage)
        do throws(GodwitError) {
            try file.flush()
            try file.close()
            try Self.rename(temporary.path, to: target, replacing: replacing, stage: stage)
        } catch {
            throw error.naming(target, insteadOf: temporary.path).at(stage)
        }
        temporary.isInPlace = true
        try Self.flushDirectory(of: target)
    }

    /// Flushes and closes the file and replaces the target; false if the target has changed, which then stays as it is.
    ///
    /// A check before a rename would leave a gap in which an app's new file could be replaced. So the two files are
    /// exchanged and the old one is checked afterwards; if it is not the expected one, they are exchanged again. The
    /// gap remains on file systems that cannot exchange files.
    ///
    /// - Parameter lastly: called immediately before the target is replaced; throws to prevent that.
    package consuming func commit(
        inPlaceOf before: FileStatus, lastly: () throws(GodwitError) -> Void = { () throws(GodwitError) in }
    ) throws(GodwitError) -> Bool {
        let (target, temporary, stage) = (target, temporary, stage)
        do throws(GodwitError) {
            try file.flush()
            try file.close()
            guard try FileStatus.ofLink(target) == before else { return false }
            try lastly()
            guard exchange(temporary.path, target) == 0 else {
                let number = errno
                // The target was removed after the check, so it has changed too.
                if number == ENOENT { return false }
                guard number == EINVAL || number == ENOSYS || number == ENOTSUP else {
                    throw .system("create", target, errno: number, stage: stage, missing: .cannotCreate)
                }
                try Self.rename(temporary.path, to: target, replacing: true, stage: stage)
                temporary.isInPlace = true
                try Self.flushDirectory(of: target)
                return true
            }
            guard try FileStatus.ofLink(temporary.path)?.isUnchanged(since: before) == true else {
                // If the exchange fails, keep both files.
                temporary.isInPlace = true
                guard exchange(temporary.path, target) == 0 else {
                    throw .system("put back", target, errno: errno, stage: stage)
                }
                temporary.isInPlace = false
                return false
            }
        } catch {
            throw error.naming(target, insteadOf: temporary.path).at(stage)
        }
        // Remove the old file before the folder is flushed, so that it cannot reappear.
        temporary.takeAway()
        try Self.flushDirectory(of: target)
        return true
    }

    /// Renames a complete file that Godwit made.
    package static func rename(
        _ temporary: String, to target: String, replacing: Bool, stage: GodwitError.Stage
    ) throws(GodwitError) {
        let result = replacing ? Libc.rename(temporary, target) : renameWithoutReplacing(temporary, target)
        guard result == 0 else {
            throw .system("create", target, errno: errno, stage: stage, missing: .cannotCreate)
        }
    }

    /// Renames a file inside one of Godwit's own folders and replaces an existing one; false if that failed.
    static func rename(_ temporary: String, to target: String, in folder: Int32) -> Bool {
        renameat(folder, temporary, folder, target) == 0
    }

    /// Gives a complete store its name, durably; 75 if another process has created a store with that name.
    package static func putStoreInPlace(
        _ temporary: String, at target: String, name: String, stage: GodwitError.Stage
    ) throws(GodwitError) {
        do throws(GodwitError) {
            try rename(temporary, to: target, replacing: false, stage: stage)
        } catch {
            guard error.code == .cannotCreate, try FileStatus.ofLink(target) != nil else { throw error }
            throw GodwitError(
                stage, .busy, "another process made `\(name)` during the run; Godwit did not change it",
                hint: "Close the app, then run the same command again: it continues with that store.")
        }
        try flushDirectory(of: target)
    }

    /// Creates a symbolic link, or changes the destination of an existing one, in one step.
    ///
    /// A reader gets the old destination or the new one. The caller holds the folder's lock and has removed abandoned
    /// links.
    ///
    /// - Throws: 73 if something other than a link has the name.
    package static func link(
        _ path: String, to destination: String, identifier: String, stage: GodwitError.Stage
    ) throws(GodwitError) {
        let before = try FileStatus.ofLink(path, unusable: .cannotCreate)
        guard before?.isSymbolicLink ?? true else {
            throw GodwitError(
                stage, .cannotCreate, "`\(path)` is not a symbolic link; it is not replaced",
                hint: "Give that file another name.")
        }
        if before != nil, PathText.destination(of: path) == destination { return }
        let temporary = TemporaryName(
            OwnFiles.temporaryPath(nextTo: path, identifier: identifier, prefix: OwnFiles.linkPrefix))
        guard symlink(destination, temporary.path) == 0 else {
            throw .system("make the link", path, errno: errno, stage: stage, missing: .cannotCreate)
        }
        do throws(GodwitError) {
            try rename(temporary.path, to: path, replacing: before != nil, stage: stage)
        } catch {
            throw error.naming(path, insteadOf: temporary.path)
        }
        temporary.isInPlace = true
        try flushDirectory(of: path)
    }

    /// Flushes the folder of a target, so that new names in it are durable.
    package static func flushDirectory(of target: String) throws(GodwitError) {
        let directory = try OpenFile(directory: PathText.directory(of: target))
        let number = OpenFile.flush(directory.descriptor)
        guard number == 0 else { throw .system("flush the folder", directory.path, errno: number) }
    }
}

extension GodwitError {
    /// The same error with another path in its message: users know the target and not the temporary name.
    package func naming(_ target: String, insteadOf path: String) -> GodwitError {
        var failure = self
        failure.message = message.split(separator: path, omittingEmptySubsequences: false).joined(separator: target)
        return failure
    }
}

/// A temporary file's name; deinit removes the file if it was not put in place.
private final class TemporaryName {
    let path: String
    var isInPlace = false

    init(_ path: String) { self.path = path }

    deinit { if !isInPlace { OwnFiles.removeTemporary(path) } }

    func takeAway() {
        OwnFiles.removeTemporary(path)
        isInPlace = true
    }
}

/// The result of a flush on another thread: 0, or an `errno`.
private final class FlushResult: @unchecked Sendable {
    // Written by one thread, and read by another after the first has finished.
    private(set) var number: Int32 = 0

    func take(_ number: Int32) { self.number = number }
}

/// `renameat2(RENAME_NOREPLACE)` or `renamex_np(RENAME_EXCL)`; a hard link, which never replaces a file, if the file
/// system lacks it.
private func renameWithoutReplacing(_ from: String, _ to: String) -> Int32 {
    #if canImport(Darwin)
        let result = renamex_np(from, to, UInt32(RENAME_EXCL))
    #else
        let result = godwit_rename_without_replacing(from, to)
    #endif
    if result == 0 || ![EINVAL, ENOSYS, ENOTSUP].contains(errno) { return result }
    guard Libc.link(from, to) == 0 else { return -1 }
    OwnFiles.removeTemporary(from)
    return 0
}

/// `renameat2(RENAME_EXCHANGE)` or `renamex_np(RENAME_SWAP)`; -1 if the file system lacks it.
private func exchange(_ one: String, _ other: String) -> Int32 {
    #if canImport(Darwin)
        return renamex_np(one, other, UInt32(RENAME_SWAP))
    #else
        return godwit_rename_exchanging(one, other)
    #endif
}
