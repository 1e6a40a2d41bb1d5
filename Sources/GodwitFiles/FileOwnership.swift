package import GodwitModel
internal import Libc
internal import CSystemShim

/// Whose a file of the app's own is, and who may do what with it: for one that Godwit makes, which may run as somebody else.
package struct FileOwnership: Sendable {
    let path: String
    let status: FileStatus

    /// Nil where there is no file.
    package init?(of path: String) throws(GodwitError) {
        guard let status = try FileStatus.of(path) else { return nil }
        self.init(path, status)
    }

    /// - Parameter status: what was found of the file.
    package init(_ path: String, _ status: FileStatus) { (self.path, self.status) = (path, status) }

    /// The mode of a file that could not keep its group: the new group gets no more than everybody.
    package static func modeWithoutGroup(_ mode: UInt32) -> UInt32 { mode & (0o7707 | (mode & 0o007) << 3) }
}

extension OpenFile {
    /// Gives the file another one's owner, group, mode and access control list, as far as the system allows.
    ///
    /// Where the group can't be kept, its rights shrink to those of everybody: they were not meant for another group.
    /// Where there is such a list, the group's permission bits are the most that it grants anybody (acl(5)): without it they
    /// would grant the group what another user had.
    ///
    /// - Parameters:
    ///   - withAttributes: whether the other extended attributes come along; for a file that takes the other one's place.
    ///   - staysWritable: whether its owner may write to it though that file is read-only.
    package func take(
        _ ownership: FileOwnership, withAttributes: Bool = false, staysWritable: Bool = false
    ) throws(GodwitError) {
        let (path, status) = (ownership.path, ownership.status)
        let mode = takeOwner(status) | (staysWritable ? 0o600 : 0)
        try requireKept(
            withAttributes ? godwit_copy_attributes(path, descriptor) : godwit_copy_access_list(path, descriptor), path)
        // Last: a list has the owner's rights as well.
        _ = fchmod(descriptor, mode_t(mode))
    }

    /// Takes another file's extended attributes and access list, as far as the volume can.
    func takeAttributes(_ ownership: FileOwnership) { _ = godwit_copy_attributes(ownership.path, descriptor) }

    /// The same without bits that say how the file is run.
    func takeRights(_ ownership: FileOwnership) throws(GodwitError) {
        let mode = takeOwner(ownership.status) & 0o777
        try requireKept(godwit_copy_access_list(ownership.path, descriptor), ownership.path)
        _ = fchmod(descriptor, mode_t(mode))
    }

    /// Gives the file another one's owner and group, or the group alone; returns the mode that goes with what came of it.
    private func takeOwner(_ status: FileStatus) -> UInt32 {
        if fchown(descriptor, status.owner, status.group) != 0 { _ = fchown(descriptor, uid_t.max, status.group) }
        let mode = status.mode & 0o7777
        return (try? self.status().group) == status.group ? mode : FileOwnership.modeWithoutGroup(mode)
    }

    private func requireKept(_ result: Int32, _ path: String) throws(GodwitError) {
        guard result == 0 else { throw .system("keep the attributes of", path, errno: errno) }
    }
}
