import Libc
import Synchronization

/// A store that SQLite has open in this process; while it lives, no descriptor on that file is really closed.
///
/// The locks that SQLite takes on a file belong to the process, and the system releases all of them as soon as the
/// process closes *any* descriptor on that file, one that only looked at the header included: an app could then commit
/// in the middle of a read that is to show one moment, or beside a writing transaction. Such descriptors are parked here
/// and closed when SQLite is done with the file. Source: <https://sqlite.org/howtocorrupt.html#_posix_advisory_locks>.
package final class OpenStoreGuard: Sendable {
    /// A file, whatever its names.
    private struct File: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: stat) { self.init(FileStatus(status)) }

        init(_ status: FileStatus) { (device, inode) = (status.device, status.inode) }
    }

    private struct Users {
        var count = 0
        var parked: [Int32] = []
        /// Whether the app has it open, for as long as it likes.
        var isOfApp = false
    }

    private static let users = Mutex<[File: Users]>([:])

    private let file: File?

    /// To be made before SQLite opens the file, and kept until it has closed it.
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

    /// Whether nobody else in this process has the store open through here.
    package var isAlone: Bool { file.map { file in Self.users.withLock { $0[file]?.count == 1 } } ?? true }

    /// Has a file count as open for the life of the process: the app has it open, and nobody is told when it closes it.
    package static func beginForApp(of file: FileStatus) {
        users.withLock { users in
            var found = users[File(file)] ?? Users()
            guard !found.isOfApp else { return }
            found.isOfApp = true
            found.count += 1
            users[File(file)] = found
        }
    }

    /// A descriptor that was parked, to be read from once more instead of another; nil where there is none.
    ///
    /// Without this, each look at a store that the app has open would cost the process one for good.
    static func takeParked(of path: String) -> Int32? {
        guard users.withLock({ $0.values.contains { !$0.parked.isEmpty } }) else { return nil }
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let descriptor = users.withLock { users -> Int32? in
            guard let parked = users[File(status)]?.parked,
                let place = parked.firstIndex(where: { fcntl($0, F_GETFL) & O_ACCMODE == O_RDONLY })
            else { return nil }
            return users[File(status)]?.parked.remove(at: place)
        }
        if let descriptor { lseek(descriptor, 0, SEEK_SET) }
        return descriptor
    }

    /// Closes a descriptor, or parks it where SQLite has its file open.
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
