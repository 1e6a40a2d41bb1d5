package import GodwitModel
internal import Libc
internal import CSystemShim

/// A file that appears whole or not at all: temporary name in the same folder, write, flush, close, rename, flush the
/// folder.
///
/// Invariant: between the calls the target is either what it was or the finished file. Flushing the folder makes the
/// new name durable: without it a power cut may undo the rename, fsync(2).
package struct AtomicFile: ~Copyable {
    package let target: String
    private let temporary: TemporaryName
    private let file: OpenFile
    private let stage: Stage

    /// Makes the temporary file beside the target, with the given mode.
    ///
    /// - Parameter isOutput: whether the target lies where no container's lock is held; what killed runs left in its
    ///   folder is then removed first, and this file locked, so that nobody takes it for such a one.
    package init(
        target: String, identifier: String, mode: UInt32 = 0o600, isOutput: Bool = false, stage: Stage
    ) throws(GodwitError) {
        self.target = target
        self.stage = stage
        let prefix = isOutput ? OwnFiles.outputPrefix : OwnFiles.temporaryPrefix
        let path = OwnFiles.temporaryPath(beside: target, identifier: identifier, prefix: prefix)
        if isOutput { OwnFiles.removeAbandonedOutputs(in: PathText.directory(of: target)) }
        do throws(GodwitError) {
            file = try Self.make(path, mode: mode & 0o777, isLocked: isOutput, stage: stage)
        } catch {
            var error = error.naming(target, insteadOf: path)
            let folder = PathText.directory(of: target)
            if isOutput, error.code == .cannotCreate, (try? FileStatus.of(folder)) == nil {
                error.hint = "Make the folder first: \(folder)."
            }
            throw error
        }
        temporary = TemporaryName(path)
    }

    private static func make(
        _ path: String, mode: UInt32, isLocked: Bool, stage: Stage
    ) throws(GodwitError) -> OpenFile {
        while true {
            let file = try OpenFile(creating: path, mode: mode, stage: stage)
            if !isLocked || OwnFiles.lockAgainstSweep(file.descriptor, path) { return file }
        }
    }

    /// Where the file lies until it is put in place.
    package var temporaryPath: String { temporary.path }

    /// Appends bytes.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(GodwitError) {
        do throws(GodwitError) { try file.write(bytes) } catch { throw named(error) }
    }

    /// Appends the bytes of an array.
    package func write(_ bytes: [UInt8]) throws(GodwitError) {
        do throws(GodwitError) { try file.write(bytes) } catch { throw named(error) }
    }

    /// The temporary name means nothing to whoever named the target.
    private func named(_ error: GodwitError) -> GodwitError {
        error.naming(target, insteadOf: temporary.path).at(stage)
    }

    /// For reading back what was written; valid while this owner lives.
    package var writtenBytes: WrittenBytes { WrittenBytes(descriptor: file.descriptor, name: target, stage: stage) }

    /// Bytes written so far.
    package func size() throws(GodwitError) -> Int64 { try file.status().size }

    /// Brings what was written so far to the disk, before it is read back.
    package func flush() throws(GodwitError) {
        do throws(GodwitError) { try file.flush() } catch { throw named(error) }
    }

    /// Brings what was written so far to the disk while a body reads it back.
    ///
    /// Reading waits for no disk, so that both take as long as the longer one. An error of the body's comes first: what it
    /// found is wrong whatever the disk says.
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

    /// Smaller files are on the disk before a thread would have begun.
    private static let largeSize: Int64 = 1 << 20

    /// Lets the system begin to write what was added, without waiting for it: less is left to do in the end.
    package func startFlushing(from start: Int64, count: Int64) {
        godwit_start_flushing(file.descriptor, start, count)
    }

    /// Replaces bytes that were written before.
    package func overwrite(_ bytes: [UInt8], at offset: Int64) throws(GodwitError) {
        do throws(GodwitError) { try file.write(bytes, at: offset) } catch { throw named(error) }
    }

    /// Gives the file owner, mode and extended attributes of the one whose place it will take, as far as the system allows.
    package func takeOwnership(_ ownership: FileOwnership) throws(GodwitError) {
        try file.take(ownership, withAttributes: true)
    }

    /// Gives the file another file's rights, as far as the system allows, and never more than those.
    package func takeRights(_ ownership: FileOwnership) throws(GodwitError) { try file.takeRights(ownership) }

    /// Flushes, closes and puts the file in place; on any failure the temporary file is gone and the target is as it
    /// was.
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

    /// Flushes, closes and puts the file in the place of another, unless that one is no longer as it was; returns false
    /// then, with the target as somebody else has left it.
    ///
    /// Looking and then renaming would leave a moment in which an app's new file could be replaced unseen. So the two are
    /// exchanged, what came out is looked at, and where it is not what was expected it is put back. On file systems that
    /// can't exchange files that moment remains.
    ///
    /// - Parameter lastly: called when all that is left is to put the file in place; throws where it must not be.
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
                // Removed a moment ago: changed as well.
                if number == ENOENT { return false }
                guard number == EINVAL || number == ENOSYS || number == ENOTSUP else {
                    throw .system("put in place", target, errno: number, stage: stage, missing: .cannotCreate)
                }
                try Self.rename(temporary.path, to: target, replacing: true, stage: stage)
                temporary.isInPlace = true
                try Self.flushDirectory(of: target)
                return true
            }
            guard try FileStatus.ofLink(temporary.path)?.isUnchanged(since: before) == true else {
                // Should this fail, neither file must go.
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
        // What was replaced goes before the folder is flushed, so that nothing of it comes back.
        temporary.takeAway()
        try Self.flushDirectory(of: target)
        return true
    }

    /// Renames a finished file of Godwit's own into place.
    package static func rename(
        _ temporary: String, to target: String, replacing: Bool, stage: Stage
    ) throws(GodwitError) {
        let result = replacing ? Libc.rename(temporary, target) : renameWithoutReplacing(temporary, target)
        guard result == 0 else {
            throw .system("put in place", target, errno: errno, stage: stage, missing: .cannotCreate)
        }
    }

    /// Renames a file of Godwit's own inside one of Godwit's own folders, replacing what is there; false where that failed.
    static func rename(_ temporary: String, to target: String, in folder: Int32) -> Bool {
        renameat(folder, temporary, folder, target) == 0
    }

    /// Gives a finished store its name, durably; 75 where somebody else has made a store of that name meanwhile.
    package static func putStoreInPlace(
        _ temporary: String, at target: String, name: String, stage: Stage
    ) throws(GodwitError) {
        do throws(GodwitError) {
            try rename(temporary, to: target, replacing: false, stage: stage)
        } catch {
            guard error.code == .cannotCreate, try FileStatus.ofLink(target) != nil else { throw error }
            throw GodwitError(
                stage, .busy, "\(name) was made by another process meanwhile; it was left as it is.",
                hint: "Close the app and run the same command again: it then goes on with that store.")
        }
        try flushDirectory(of: target)
    }

    /// Makes a symbolic link, or lets one that is there lead elsewhere, in one step.
    ///
    /// Whoever reads meanwhile gets what the old or the new one leads to. The caller holds the folder's lock, and has swept it.
    ///
    /// - Throws: 73 where something else than a link has the name.
    package static func link(
        _ path: String, to destination: String, identifier: String, stage: Stage
    ) throws(GodwitError) {
        let before = try FileStatus.ofLink(path, unusable: .cannotCreate)
        guard before?.isSymbolicLink ?? true else {
            throw GodwitError(
                stage, .cannotCreate, "\(path) is no link; it is not replaced.", hint: "Give that file another name.")
        }
        if before != nil, PathText.destination(of: path) == destination { return }
        let temporary = TemporaryName(
            OwnFiles.temporaryPath(beside: path, identifier: identifier, prefix: OwnFiles.linkPrefix))
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

    /// Makes the names in a target's folder durable.
    package static func flushDirectory(of target: String) throws(GodwitError) {
        let directory = try OpenFile(directory: PathText.directory(of: target))
        let number = OpenFile.flush(directory.descriptor)
        guard number == 0 else { throw .system("flush the folder", directory.path, errno: number) }
    }
}

extension GodwitError {
    /// The same error with one path written for another: a temporary name means nothing to whoever named the target.
    package func naming(_ target: String, insteadOf path: String) -> GodwitError {
        var failure = self
        failure.message = message.split(separator: path, omittingEmptySubsequences: false).joined(separator: target)
        return failure
    }
}

/// A temporary file's name: unless the file was put in place, it is removed when its owner goes, whatever the reason.
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

/// What a thread that flushes has to say: 0, or the system's number.
private final class FlushResult: @unchecked Sendable {
    // Set by one thread, read by another when that one is through.
    private(set) var number: Int32 = 0

    func take(_ number: Int32) { self.number = number }
}

/// `renameat2(RENAME_NOREPLACE)`, or `renamex_np(RENAME_EXCL)`; where the file system lacks it, a hard link, which never replaces either.
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

/// `renameat2(RENAME_EXCHANGE)`; -1 where the file system lacks it.
private func exchange(_ one: String, _ other: String) -> Int32 {
    #if canImport(Darwin)
        return renamex_np(one, other, UInt32(RENAME_SWAP))
    #else
        return godwit_rename_exchanging(one, other)
    #endif
}
