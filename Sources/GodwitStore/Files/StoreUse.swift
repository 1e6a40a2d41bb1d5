import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A store that SQLite has open in this process; while it lives, no descriptor on that file is really closed.
///
/// The locks that SQLite takes on a file belong to the process, and the system releases all of them as soon as the
/// process closes *any* descriptor on that file, one that only looked at the header included: an app could then commit
/// in the middle of a read that is to show one moment, or beside a writing transaction. Such descriptors are parked here
/// and closed when SQLite is done with the file. Source: <https://sqlite.org/howtocorrupt.html#_posix_advisory_locks>.
final class StoreUse: Sendable {
    /// A file, whatever its names.
    private struct File: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    private struct Users {
        var count = 0
        var parked: [Int32] = []
    }

    private static let users = Mutex<[File: Users]>([:])

    private let file: File?

    /// To be made before SQLite opens the file, and kept until it has closed it.
    init(of path: String) {
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
            if left.count == 0 { for descriptor in left.parked { _ = systemClose(descriptor) } }
        }
    }

    /// Whether nobody else in this process has the store open through here.
    var isAlone: Bool { file.map { file in Self.users.withLock { $0[file]?.count == 1 } } ?? true }

    /// Closes a descriptor, or parks it where SQLite has its file open.
    static func close(_ descriptor: Int32) -> Int32 {
        users.withLock { users in
            var status = stat()
            guard !users.isEmpty, fstat(descriptor, &status) == 0, users[File(status)] != nil else {
                return systemClose(descriptor)
            }
            users[File(status)]?.parked.append(descriptor)
            return 0
        }
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
        Darwin.close(descriptor)
    #elseif canImport(Glibc)
        Glibc.close(descriptor)
    #else
        Musl.close(descriptor)
    #endif
}
