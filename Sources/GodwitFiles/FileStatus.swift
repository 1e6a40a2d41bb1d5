package import GodwitModel
package import Libc

/// The values of `stat` that Godwit uses.
package struct FileStatus: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64
    package let size: Int64
    package let mode: UInt32
    package let owner: UInt32
    package let group: UInt32
    /// Number of hard links.
    package let links: UInt64
    package let modifiedSeconds: Int64
    package let modifiedNanoseconds: Int64
    package let changedSeconds: Int64
    package let changedNanoseconds: Int64

    package init(_ raw: stat) {
        device = UInt64(truncatingIfNeeded: raw.st_dev)
        inode = UInt64(raw.st_ino)
        size = Int64(raw.st_size)
        mode = UInt32(raw.st_mode)
        owner = raw.st_uid
        group = raw.st_gid
        links = UInt64(raw.st_nlink)
        #if canImport(Darwin)
            (modifiedSeconds, modifiedNanoseconds) = (Int64(raw.st_mtimespec.tv_sec), Int64(raw.st_mtimespec.tv_nsec))
            (changedSeconds, changedNanoseconds) = (Int64(raw.st_ctimespec.tv_sec), Int64(raw.st_ctimespec.tv_nsec))
        #else
            (modifiedSeconds, modifiedNanoseconds) = (Int64(raw.st_mtim.tv_sec), Int64(raw.st_mtim.tv_nsec))
            (changedSeconds, changedNanoseconds) = (Int64(raw.st_ctim.tv_sec), Int64(raw.st_ctim.tv_nsec))
        #endif
    }

    /// Follows links; nil if nothing exists at the path.
    package static func of(_ path: String) throws(GodwitError) -> FileStatus? {
        var raw = stat()
        if stat(path, &raw) == 0 { return FileStatus(raw) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw .system("examine", path, errno: errno)
    }

    /// Does not follow a link; nil if nothing exists at the path.
    ///
    /// - Parameter unusable: the code for an invalid path, such as one that is too long.
    package static func ofLink(
        _ path: String, unusable: GodwitError.Code = .noInput
    ) throws(GodwitError) -> FileStatus? {
        var raw = stat()
        if lstat(path, &raw) == 0 { return FileStatus(raw) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw .system("examine", path, errno: errno, missing: unusable)
    }

    private var kind: UInt32 { mode & UInt32(S_IFMT) }
    package var isRegularFile: Bool { kind == UInt32(S_IFREG) }
    package var isDirectory: Bool { kind == UInt32(S_IFDIR) }
    package var isSymbolicLink: Bool { kind == UInt32(S_IFLNK) }

    /// The last change of the content.
    package var modified: Instant {
        Instant(seconds: modifiedSeconds, attoseconds: modifiedNanoseconds * 1_000_000_000)
    }

    /// Kernels update file times 100 to 1000 times a second: <https://lwn.net/Articles/946394/>.
    package static let tickMilliseconds: UInt32 = 10

    /// Whether the file was changed within the last tick of the clock: another change in the same tick would leave the
    /// times equal.
    package var hasChangedInLastTick: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let age = (Int64(now.tv_sec) - changedSeconds) * 1000 + (Int64(now.tv_nsec) - changedNanoseconds) / 1_000_000
        return age >= 0 && age < Int64(Self.tickMilliseconds)
    }

    /// Whether this is the same file with the same content, as far as `stat` shows; a rename does not count.
    func isUnchanged(since before: FileStatus) -> Bool {
        isSameFile(as: before) && size == before.size && mode == before.mode && owner == before.owner
            && modifiedSeconds == before.modifiedSeconds && modifiedNanoseconds == before.modifiedNanoseconds
    }

    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
