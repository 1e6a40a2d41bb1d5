import Libc

#if os(Linux)
    /// setxattr(2) and getxattr(2), which Swift's module of the C library lacks.
    enum ExtendedAttributes {
        private typealias Setting =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32
        private typealias Getting =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int) -> Int

        static let accessList = "system.posix_acl_access"

        /// The user 12345 may read and write, the group has no access: acl(5), as the kernel stores it.
        ///
        /// It begins with the number of its format. With it a file's mode is 0660.
        static let ofAnotherUser: [UInt8] =
            [2, 0, 0, 0]
            + entries.flatMap { tag, rights, identifier in
                [UInt8(tag), 0, UInt8(rights), 0] + (0..<4).map { UInt8(truncatingIfNeeded: identifier >> ($0 * 8)) }
            }

        private static let entries = [(1, 6, -1), (2, 6, 12_345), (4, 0, -1), (16, 6, -1), (32, 0, -1)]

        /// False if the file system has no such attributes.
        static func set(_ name: String, to value: [UInt8], of path: String) -> Bool {
            guard let found = dlsym(nil, "setxattr") else { return false }
            return unsafeBitCast(found, to: Setting.self)(path, name, value, value.count, 0) == 0
        }

        /// Nil if the file has no such attribute.
        static func value(_ name: String, of path: String) -> [UInt8]? {
            guard let found = dlsym(nil, "getxattr") else { return nil }
            var value = [UInt8](repeating: 0, count: 1000)
            let count = unsafeBitCast(found, to: Getting.self)(path, name, &value, value.count)
            return count < 0 ? nil : Array(value.prefix(count))
        }
    }
#endif
