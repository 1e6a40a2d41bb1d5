package import GodwitModel
internal import Libc
internal import CSystemShim

/// The one owner of a file descriptor; closes it when it goes.
///
/// A descriptor that is written to must be closed with `close()`, whose error matters: a full disk may be told only
/// there. If that is forgotten, the descriptor is closed all the same and the error is lost.
package struct OpenFile: ~Copyable {
    private let owned: Descriptor
    package let path: String

    /// The number for system calls; valid while this owner lives.
    package var descriptor: Int32 { owned.number }

    /// Opens an existing file for reading; never blocks on a FIFO.
    package init(reading path: String, stage: Stage = .container) throws(GodwitError) {
        try self.init(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, mode: 0, action: "open", stage: stage)
    }

    /// Opens a file that may be gone by now; nil where it is.
    ///
    /// An app's journal comes and goes with every commit, also between two looks at it: what could not be opened and is
    /// there a moment later is tried once more. A link to a file that does not exist stays an error.
    package static func reading(ifThere path: String, stage: Stage = .container) throws(GodwitError) -> OpenFile? {
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

    /// Makes a new file for writing; an existing one, or a link in its place, is an error.
    package init(creating path: String, mode: UInt32 = 0o600, stage: Stage = .container) throws(GodwitError) {
        try self.init(
            path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: mode, action: "create", stage: stage)
    }

    /// Opens an existing file for changing bytes in place, or for locks that exclude others; a link in its place is an
    /// error.
    package init(updating path: String, stage: Stage = .container) throws(GodwitError) {
        try self.init(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode: 0, action: "open", stage: stage)
    }

    /// Opens an existing file for adding to its end, and for looking at what it begins with; a link in its place is an
    /// error.
    package init(extending path: String, stage: Stage = .container) throws(GodwitError) {
        try self.init(
            path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode: 0, action: "open", stage: stage)
    }

    /// Opens a folder, to lock it or to flush it.
    package init(directory path: String, stage: Stage = .container) throws(GodwitError) {
        try self.init(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0, action: "open the folder", stage: stage)
    }

    /// A descriptor of its own for standard input.
    package init(standardInput stage: Stage) throws(GodwitError) {
        path = "standard input"
        let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .system("read", path, errno: errno, stage: stage) }
        owned = Descriptor(number: copy)
    }

    private init(_ path: String, _ flags: Int32, mode: UInt32, action: String, stage: Stage) throws(GodwitError) {
        // The system would take what is before such a byte for the path.
        guard !path.utf8.contains(0) else { throw .system(action, path, errno: ENOENT, stage: stage) }
        let parked = flags & (O_ACCMODE | O_DIRECTORY) == O_RDONLY ? OpenStoreGuard.takeParked(of: path) : nil
        let opened = parked ?? retryingInterrupts { open(path, flags, mode_t(mode)) }
        guard opened >= 0 else {
            let missing: ExitCode = action == "create" ? .cannotCreate : .noInput
            throw .system(action, path, errno: errno, stage: stage, missing: missing)
        }
        owned = Descriptor(number: opened)
        self.path = path
    }

    /// Size, times and identity.
    package func status() throws(GodwitError) -> FileStatus {
        var raw = stat()
        guard fstat(descriptor, &raw) == 0 else { throw .system("examine", path, errno: errno) }
        return FileStatus(raw)
    }

    /// Fills a buffer with what lies at a place, as far as the file goes; returns how many bytes that is.
    package func read(into space: UnsafeMutableRawBufferPointer, at place: Int64) throws(GodwitError) -> Int {
        guard let count = filled(space, from: descriptor, at: place) else { throw .system("read", path, errno: errno) }
        return count
    }

    /// So many bytes from a place on; fewer where the file ends before.
    package func bytes(_ count: Int, at place: Int64 = 0) throws(GodwitError) -> [UInt8] {
        var found = [UInt8](repeating: 0, count: count)
        let length = found.withUnsafeMutableBytes { filled($0, from: descriptor, at: place) }
        guard let length else { throw .system("read", path, errno: errno) }
        found.removeLast(count - length)
        return found
    }

    /// Writes all bytes, however many calls that takes.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(GodwitError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = retryingInterrupts { Libc.write(descriptor, rest.baseAddress, rest.count) }
            guard written > 0 else { throw .system("write", path, errno: written == 0 ? ENOSPC : errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    /// Writes all bytes of an array.
    package func write(_ bytes: [UInt8]) throws(GodwitError) {
        var failure: GodwitError?
        bytes.withUnsafeBytes { buffer in
            do throws(GodwitError) { try write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Writes all bytes of an array at a place, however many calls that takes.
    package func write(_ bytes: [UInt8], at offset: Int64) throws(GodwitError) {
        var place = 0
        while place < bytes.count {
            let written = bytes[place...].withUnsafeBytes { rest in
                retryingInterrupts { pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(place)) }
            }
            guard written > 0 else { throw .system("write", path, errno: written == 0 ? ENOSPC : errno) }
            place += written
        }
    }

    /// Gives whole blocks in a range back to the system, which then reads as zeros.
    ///
    /// For the sorted records of an export alone, which nobody else sees.
    ///
    /// - Returns: false where the file system can't.
    package func giveBack(_ range: Range<Int64>) -> Bool {
        godwit_release_range(descriptor, range.lowerBound, range.upperBound - range.lowerBound) == 0
    }

    /// Brings the file to the disk; a failure is final, since a second try may succeed without having written:
    /// <https://lwn.net/Articles/752063/>.
    package func flush() throws(GodwitError) {
        let number = Self.flush(descriptor)
        guard number == 0 else { throw .system("flush", path, errno: number) }
    }

    /// The same by number, on whichever thread: 0, or what the system says.
    static func flush(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            // fsync alone leaves the bytes in the drive's cache on Apple systems: fcntl(2), F_FULLFSYNC. It serves only
            // where a file system does not know the call: after any other error it would hide that bytes were lost.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
            if ![ENOTSUP, ENOTTY, EINVAL].contains(errno) { return errno }
        #endif
        return fsync(descriptor) == 0 ? 0 : errno
    }

    /// Closes the file and says so if that failed.
    package consuming func close() throws(GodwitError) {
        let path = path
        guard owned.close() == 0 else { throw .system("close", path, errno: errno) }
    }
}

/// The bare descriptor, closed exactly once.
///
/// Not private: the optimised build of other modules destroys it, and can't link to a private type (Swift 6.3).
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
