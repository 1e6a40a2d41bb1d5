import Libc
import Synchronization

/// A store that SQLite has open in this process; while this object exists, no descriptor on that file is really closed.
///
/// SQLite's locks on a file belong to the process. The system releases all of them when the process closes *any*
/// descriptor on that file, even one that only read the header. An app could then commit during a snapshot or next to a
/// writing transaction. Such descriptors are parked here until SQLite has closed the file. Source:
/// <https://sqlite.org/howtocorrupt.html#_posix_advisory_locks>.
package final class OpenStoreGuard: Sendable {
    /// Identifies a file by device and inode.
    private struct File: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: stat) { self.init(FileStatus(status)) }

        init(_ status: FileStatus) { (device, inode) = (status.device, status.inode) }
    }

    private struct Users {
        var count = 0
        var parked: [Int32] = []
        /// Whether the app has it open, for an unknown time.
        var isOfApp = false
    }

    private static let users = Mutex<[File: Users]>([:])

    private let file: File?

    /// Create it before SQLite opens the file, and keep it until SQLite has closed the file.
    package init(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            file = nil
            return
        }
        let file = File(status)
        self.file = file
        Self.users.withLock { $0[file, default: Users()].count += 1 }
    }

    deinit {
        guard let file else { return }
        Self.users.withLock { users in
            guard var left = users[file] else { return }
            left.count -= 1
            users[file] = left.count > 0 ? left : nil
            if left.count == 0 { for descriptor in left.parked { _ = Libc.close(descriptor) } }
        }
    }

    /// Whether no other object in this process has the store open.
    package var isAlone: Bool { file.map { file in Self.users.withLock { $0[file]?.count == 1 } } ?? true }

    /// Counts a file as open for the life of the process: the app has it open, and Godwit does not learn when the app
    /// closes it.
    package static func beginForApp(of file: FileStatus) {
        users.withLock { users in
            var found = users[File(file)] ?? Users()
            guard !found.isOfApp else { return }
            found.isOfApp = true
            found.count += 1
            users[File(file)] = found
        }
    }

    /// A parked descriptor to use again; nil if there is none.
    ///
    /// Without this, every read of a store that the app has open would use up one descriptor.
    static func takeParked(of path: String) -> Int32? {
        guard users.withLock({ $0.values.contains { !$0.parked.isEmpty } }) else { return nil }
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let descriptor = users.withLock { users -> Int32? in
            guard let parked = users[File(status)]?.parked,
                let index = parked.firstIndex(where: { fcntl($0, F_GETFL) & O_ACCMODE == O_RDONLY })
            else { return nil }
            return users[File(status)]?.parked.remove(at: index)
        }
        if let descriptor { lseek(descriptor, 0, SEEK_SET) }
        return descriptor
    }

    /// Closes a descriptor, or parks it if SQLite has its file open.
    static func close(_ descriptor: Int32) -> Int32 {
        users.withLock { users in
            var status = stat()
            guard !users.isEmpty, fstat(descriptor, &status) == 0, users[File(status)] != nil else {
                return Libc.close(descriptor)
            }
            users[File(status)]?.parked.append(descriptor)
            return 0
        }
    }
}
