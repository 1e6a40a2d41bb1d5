package import GodwitModel
internal import Libc
internal import CSystemShim

/// The only owner of a file descriptor; deinit closes it.
///
/// After writing, call `close()`, because a full disk may be reported only there. Otherwise that error is lost.
package struct OpenFile: ~Copyable {
    private let owned: Descriptor
    package let path: String

    /// Valid as long as this owner exists.
    package var descriptor: Int32 { owned.number }

    /// Opens an existing file for reading; never blocks on a FIFO.
    package init(reading path: String, stage: GodwitError.Stage = .container) throws(GodwitError) {
        try self.init(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, mode: 0, action: "open", stage: stage)
    }

    /// Opens a file that may have been removed; nil if it was.
    ///
    /// An app's journal is created and removed with every commit. So if opening fails but the file exists a moment
    /// later, it is tried again. A link to a file that does not exist stays an error.
    package static func reading(
        ifThere path: String, stage: GodwitError.Stage = .container
    ) throws(GodwitError) -> OpenFile? {
        var attempt = 0
        while true {
            do throws(GodwitError) {
                return try OpenFile(reading: path, stage: stage)
            } catch {
                guard let status = try FileStatus.ofLink(path) else { return nil }
                attempt += 1
                guard error.code == .noInput, status.isRegularFile, attempt < 100 else { throw error }
            }
        }
    }

    /// Creates a file for writing; throws if the name exists, also as a link.
    package init(creating path: String, mode: UInt32 = 0o600, stage: GodwitError.Stage = .container) throws(GodwitError)
    {
        try self.init(
            path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: mode, action: "create", stage: stage)
    }

    /// Opens an existing file to overwrite bytes or to take exclusive locks; throws if it is a link.
    package init(updating path: String, stage: GodwitError.Stage = .container) throws(GodwitError) {
        try self.init(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode: 0, action: "open", stage: stage)
    }

    /// Opens an existing file to append to it and to read its start; throws if it is a link.
    package init(extending path: String, stage: GodwitError.Stage = .container) throws(GodwitError) {
        try self.init(
            path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode: 0, action: "open", stage: stage)
    }

    package init(directory path: String, stage: GodwitError.Stage = .container) throws(GodwitError) {
        try self.init(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0, action: "open the folder", stage: stage)
    }

    /// A duplicate of the descriptor of standard input.
    package init(standardInput stage: GodwitError.Stage) throws(GodwitError) {
        path = "standard input"
        let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .system("read", path, errno: errno, stage: stage) }
        owned = Descriptor(number: copy)
    }

    private init(
        _ path: String, _ flags: Int32, mode: UInt32, action: String, stage: GodwitError.Stage
    ) throws(GodwitError) {
        // The system would end the path at a zero byte.
        guard !path.utf8.contains(0) else { throw .system(action, path, errno: ENOENT, stage: stage) }
        let parked = flags & (O_ACCMODE | O_DIRECTORY) == O_RDONLY ? OpenStoreGuard.takeParked(of: path) : nil
        let opened = parked ?? retryingInterrupts { open(path, flags, mode_t(mode)) }
        guard opened >= 0 else {
            let missing: GodwitError.Code = action == "create" ? .cannotCreate : .noInput
            throw .system(action, path, errno: errno, stage: stage, missing: missing)
        }
        owned = Descriptor(number: opened)
        self.path = path
    }

    package func status() throws(GodwitError) -> FileStatus {
        var raw = stat()
        guard fstat(descriptor, &raw) == 0 else { throw .system("examine", path, errno: errno) }
        return FileStatus(raw)
    }

    /// Fills a buffer from an offset, up to the end of the file; returns the number of bytes.
    package func read(into space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(GodwitError) -> Int {
        guard let count = filled(space, from: descriptor, at: offset) else { throw .system("read", path, errno: errno) }
        return count
    }

    /// Up to `count` bytes from an offset; fewer at the end of the file.
    package func bytes(_ count: Int, at offset: Int64 = 0) throws(GodwitError) -> [UInt8] {
        var found = [UInt8](repeating: 0, count: count)
        let length = found.withUnsafeMutableBytes { filled($0, from: descriptor, at: offset) }
        guard let length else { throw .system("read", path, errno: errno) }
        found.removeLast(count - length)
        return found
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(GodwitError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = retryingInterrupts { Libc.write(descriptor, rest.baseAddress, rest.count) }
            guard written > 0 else { throw .system("write", path, errno: written == 0 ? ENOSPC : errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    package func write(_ bytes: [UInt8]) throws(GodwitError) {
        var failure: GodwitError?
        bytes.withUnsafeBytes { buffer in
            do throws(GodwitError) { try write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    package func write(_ bytes: [UInt8], at offset: Int64) throws(GodwitError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { rest in
                retryingInterrupts { pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(written)) }
            }
            guard count > 0 else { throw .system("write", path, errno: count == 0 ? ENOSPC : errno) }
            written += count
        }
    }

    /// Returns whole blocks in a range to the file system; they then read as zeros.
    ///
    /// Only for the sorted records of an export, in a file that no other process uses.
    ///
    /// - Returns: false if the file system cannot do that.
    package func giveBack(_ range: Range<Int64>) -> Bool {
        godwit_release_range(descriptor, range.lowerBound, range.upperBound - range.lowerBound) == 0
    }

    /// Flushes the file to the disk.
    ///
    /// A failure is final: a second fsync may succeed although the bytes were lost, <https://lwn.net/Articles/752063/>.
    package func flush() throws(GodwitError) {
        let number = Self.flush(descriptor)
        guard number == 0 else { throw .system("flush", path, errno: number) }
    }

    /// The same for a descriptor, on any thread: 0, or an `errno`.
    static func flush(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            // On Apple systems, fsync leaves the bytes in the drive's cache: fcntl(2), F_FULLFSYNC. Use fsync only if
            // the file system does not support that call: after any other error it would hide lost bytes.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
            if ![ENOTSUP, ENOTTY, EINVAL].contains(errno) { return errno }
        #endif
        return fsync(descriptor) == 0 ? 0 : errno
    }

    package consuming func close() throws(GodwitError) {
        let path = path
        guard owned.close() == 0 else { throw .system("close", path, errno: errno) }
    }
}

/// A descriptor that is closed exactly once.
///
/// Not private: in optimized builds, other modules destroy it and cannot link to a private type (Swift 6.3).
package struct Descriptor: ~Copyable {
    let number: Int32

    init(number: Int32) { self.number = number }

    deinit { _ = OpenStoreGuard.close(number) }

    consuming func close() -> Int32 {
        let number = number
        discard self
        return OpenStoreGuard.close(number)
    }
}
