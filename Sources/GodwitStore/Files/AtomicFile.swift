internal import CSystemShim
package import GodwitModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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
            throw error.naming(target, insteadOf: path)
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

    /// The number for reading back what was written; valid while this owner lives.
    package var descriptor: Int32 { file.descriptor }

    /// Bytes written so far.
    package func size() throws(GodwitError) -> Int64 { try file.status().size }

    /// Brings what was written so far to the disk, before it is read back.
    package func flush() throws(GodwitError) {
        do throws(GodwitError) { try file.flush() } catch { throw named(error) }
    }

    /// Replaces bytes that were written before.
    package func overwrite(_ bytes: [UInt8], at offset: Int64) throws(GodwitError) {
        do throws(GodwitError) { try file.write(bytes, at: offset) } catch { throw named(error) }
    }

    /// Gives the file another file's owner and mode, as far as the system allows.
    package func takeOwnership(of status: FileStatus) { file.takeOwnership(of: status) }

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

    /// Renames a finished file of Godwit's own into place.
    package static func rename(
        _ temporary: String, to target: String, replacing: Bool, stage: Stage
    ) throws(GodwitError) {
        let result = replacing ? systemRename(temporary, target) : renameWithoutReplacing(temporary, target)
        guard result == 0 else {
            throw .system("put in place", target, errno: errno, stage: stage, missing: .cannotCreate)
        }
    }

    /// Makes the names in a target's folder durable.
    package static func flushDirectory(of target: String) throws(GodwitError) {
        let directory = try OpenFile(directory: PathText.directory(of: target))
        guard fsync(directory.descriptor) == 0 else {
            throw .system("flush the folder", directory.path, errno: errno)
        }
    }
}

extension GodwitError {
    /// The same error with one path written for another: a temporary name means nothing to whoever named the target.
    func naming(_ target: String, insteadOf path: String) -> GodwitError {
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
}

private func systemRename(_ from: String, _ to: String) -> Int32 {
    #if canImport(Darwin)
        Darwin.rename(from, to)
    #elseif canImport(Glibc)
        Glibc.rename(from, to)
    #else
        Musl.rename(from, to)
    #endif
}

/// `renameat2(RENAME_NOREPLACE)`; where the file system lacks it, a hard link, which never replaces either.
private func renameWithoutReplacing(_ from: String, _ to: String) -> Int32 {
    #if canImport(Darwin)
        return renamex_np(from, to, UInt32(RENAME_EXCL))
    #else
        let result = godwit_rename_without_replacing(from, to)
        if result == 0 || (errno != EINVAL && errno != ENOSYS) { return result }
        guard link(from, to) == 0 else { return -1 }
        OwnFiles.removeTemporary(from)
        return 0
    #endif
}
