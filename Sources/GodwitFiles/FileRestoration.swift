package import GodwitModel
internal import Libc

/// Copies of files that replace others: same bytes and modification time, flushed.
package enum FileRestoration {
    /// Copies a file to a temporary name and flushes it.
    ///
    /// - Parameters:
    ///   - mode: its permissions, without set-user-ID and set-group-ID: other users may be able to write to a backup.
    ///   - owner: its owner and group, as far as the system allows; nil for those of the model.
    ///   - model: the file whose owner, access list and attributes it gets; nil for the copied one.
    package static func copy(
        _ source: String, to temporary: String, mode: UInt32, owner: (user: UInt32, group: UInt32)?,
        ownedLike model: FileOwnership?, stage: GodwitError.Stage
    ) throws(GodwitError) {
        do throws(GodwitError) {
            try FileClone.copy(source, to: temporary)
            let file = try OpenFile(updating: temporary, stage: stage)
            let copied = try FileOwnership(of: source)
            if let model = model ?? copied { try file.take(model, withAttributes: true) }
            if let owner, fchown(file.descriptor, owner.user, owner.group) != 0 {
                _ = fchown(file.descriptor, uid_t.max, owner.group)
            }
            guard fchmod(file.descriptor, mode_t(mode & 0o777)) == 0 else {
                throw .system("set the mode of", temporary, errno: errno, stage: stage)
            }
            try file.flush()
            try file.close()
        } catch {
            throw error.at(stage)
        }
    }

    /// Copies extended attributes and access list of a file to its private copy, if the volume supports them.
    package static func keepAttributes(of path: String, in copy: String) {
        guard let file = try? OpenFile(updating: copy), let ownership = try? FileOwnership(of: path) else { return }
        file.takeAttributes(ownership)
        _ = fchmod(file.descriptor, 0o600)
    }

    /// Creates a missing folder with its rights and owner; an existing one does not change.
    package static func makeFolder(
        _ path: String, inside root: String, mode: UInt32, owner: UInt32, group: UInt32
    ) throws(GodwitError) {
        guard try FileStatus.of(path) == nil else { return }
        try PathText.makeDirectories(path, inside: root)
        _ = chown(path, owner, group)
        // The owner needs write access, because files will be added.
        guard chmod(path, mode_t(mode & 0o7777 | 0o700)) == 0 else {
            throw .system("set the mode of", path, errno: errno)
        }
    }

    /// Renames a file of a container inside its folder, durably; never replaces a file.
    ///
    /// - Returns: false if the file does not exist.
    package static func giveName(
        _ target: String, to path: String, stage: GodwitError.Stage
    ) throws(GodwitError) -> Bool {
        guard try FileStatus.ofLink(path) != nil else { return false }
        try AtomicFile.rename(path, to: target, replacing: false, stage: stage)
        try AtomicFile.flushDirectory(of: target)
        return true
    }
}
