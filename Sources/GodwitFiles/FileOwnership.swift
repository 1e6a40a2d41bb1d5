package import GodwitModel
internal import Libc
internal import CSystemShim

/// Owner, group, mode and access list of an app's file, to give them to a file of Godwit, which may run as another
/// user.
package struct FileOwnership: Sendable {
    let path: String
    let status: FileStatus

    /// Nil if the file does not exist.
    package init?(of path: String) throws(GodwitError) {
        guard let status = try FileStatus.of(path) else { return nil }
        self.init(path, status)
    }

    package init(_ path: String, _ status: FileStatus) { (self.path, self.status) = (path, status) }

    /// The mode of a file that could not keep its group: the new group gets no more rights than all users.
    package static func modeWithoutGroup(_ mode: UInt32) -> UInt32 { mode & (0o7707 | (mode & 0o007) << 3) }
}

extension OpenFile {
    /// Gives the file the owner, group, mode and access control list of another one, as far as the system allows.
    ///
    /// If the group cannot be kept, its rights shrink to those of all users: they were meant for another group. In a
    /// file with an access control list, the group's permission bits are the maximum that the list grants (acl(5)).
    /// Without the list, they would grant the group what another user had.
    ///
    /// - Parameters:
    ///   - withAttributes: whether to copy the other extended attributes; for a file that replaces the other one.
    ///   - staysWritable: whether the owner may write to the file even if the other one is read-only.
    package func take(
        _ ownership: FileOwnership, withAttributes: Bool = false, staysWritable: Bool = false
    ) throws(GodwitError) {
        let (path, status) = (ownership.path, ownership.status)
        let mode = takeOwner(status) | (staysWritable ? 0o600 : 0)
        try requireKept(
            withAttributes ? godwit_copy_attributes(path, descriptor) : godwit_copy_access_list(path, descriptor), path)
        // The mode comes last, because an access list contains the owner's rights too.
        _ = fchmod(descriptor, mode_t(mode))
    }

    /// Copies extended attributes and access list of another file, as far as the volume supports them.
    func takeAttributes(_ ownership: FileOwnership) { _ = godwit_copy_attributes(ownership.path, descriptor) }

    /// The same without the bits set-user-ID, set-group-ID and sticky.
    func takeRights(_ ownership: FileOwnership) throws(GodwitError) {
        let mode = takeOwner(ownership.status) & 0o777
        try requireKept(godwit_copy_access_list(ownership.path, descriptor), ownership.path)
        _ = fchmod(descriptor, mode_t(mode))
    }

    /// Gives the file the owner and group of another one, or only the group; returns a mode that fits the result.
    private func takeOwner(_ status: FileStatus) -> UInt32 {
        if fchown(descriptor, status.owner, status.group) != 0 { _ = fchown(descriptor, uid_t.max, status.group) }
        let mode = status.mode & 0o7777
        return (try? self.status().group) == status.group ? mode : FileOwnership.modeWithoutGroup(mode)
    }

    private func requireKept(_ result: Int32, _ path: String) throws(GodwitError) {
        guard result == 0 else { throw .system("keep the attributes of", path, errno: errno) }
    }
}
