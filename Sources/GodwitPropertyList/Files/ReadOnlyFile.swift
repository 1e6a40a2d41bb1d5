package import GodwitModel
internal import Libc

/// The one owner of a descriptor opened for reading; closed when it goes out of scope.
///
/// Were it leaked, the process would hold the descriptor open until it ends; the file itself is never at risk.
struct ReadOnlyFile: ~Copyable {
    private let descriptor: Int32

    /// Opens without waiting: `O_NONBLOCK` keeps a FIFO from blocking until somebody writes to it.
    ///
    /// Symbolic links are followed: whether a path may leave the container is settled before.
    init(_ path: String) throws(GodwitError) {
        guard !path.utf8.contains(0) else { throw FileFault.error(ENOENT, path) }
        var descriptor: Int32
        repeat {
            descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw FileFault.error(errno, path) }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// What the system says about the file now; nil if it says nothing.
    func stamp() -> FileStamp? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return FileStamp(status)
    }

    /// Everything up to the end of the file, or the first `limit` bytes; nil where reading fails.
    func contents(upTo limit: Int, expecting size: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(size, limit))
        while bytes.count < limit {
            // One byte more than expected, so that the end is seen without another turn.
            let wanted = min(limit - bytes.count, max(size - bytes.count, 0) + 1)
            var failed = false
            let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
                var received: Int
                repeat {
                    received = read(descriptor, buffer.baseAddress, wanted)
                } while received < 0 && errno == EINTR
                failed = received < 0
                count = max(received, 0)
            }
            if failed { return nil }
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
        return bytes
    }
}

/// What tells whether a file is still the same: if any of it moved, what was read may be of two minds.
struct FileStamp: Equatable, Sendable {
    enum Kind: Sendable {
        case regular, folder, other
    }

    let kind: Kind
    let device: UInt64
    let inode: UInt64
    /// In bytes.
    let size: Int64
    let modified: Instant
    let changed: Instant

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .folder
        default: kind = .other
        }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            modified = Self.instant(status.st_mtimespec)
            changed = Self.instant(status.st_ctimespec)
        #else
            modified = Self.instant(status.st_mtim)
            changed = Self.instant(status.st_ctim)
        #endif
    }

    private static func instant(_ time: timespec) -> Instant {
        Instant(seconds: Int64(time.tv_sec), attoseconds: Int64(time.tv_nsec) * 1_000_000_000)
    }
}

/// Errors of the system as errors of Godwit.
package enum FileFault {
    /// What an `errno` from opening a path means for the run.
    package static func error(_ number: Int32, _ path: String) -> GodwitError {
        let underlying = String(cString: strerror(number))
        switch number {
        case EACCES, EPERM:
            return refusal(
                path, .permission, "permission denied", hint: "Let the user who runs Godwit read the file.", underlying)
        case ENOENT, ENOTDIR:
            return refusal(path, .noInput, "no such file\(linkTarget(of: path))", hint: "Check the path.", underlying)
        case ELOOP:
            return refusal(
                path, .noInput, "too many symbolic links", hint: "Name the file that they should lead to.", underlying)
        case ENXIO, ENODEV, EOPNOTSUPP: return notRegular(path)
        case EMFILE, ENFILE, ENOMEM:
            return refusal(path, .io, "can't be opened", hint: "Free resources and try again.", underlying)
        default: return refusal(path, .noInput, "can't be opened", hint: "Check the path.", underlying)
        }
    }

    static func notRegular(_ path: String) -> GodwitError {
        refusal(path, .noInput, "not a regular file", hint: "Name a file, not a device, a pipe or a socket.", nil)
    }

    static func refusal(
        _ path: String, _ code: ExitCode, _ what: String, hint: String, _ underlying: String? = nil
    ) -> GodwitError {
        GodwitError(.legacy, code, "\(path.escapedPath): \(what)", hint: hint, underlying: underlying)
    }

    /// Where a dangling symbolic link leads; a missing file that `ls` shows puzzles people.
    private static func linkTarget(of path: String) -> String {
        let target = [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { link in
                link.baseAddress.map { max(readlink(path, $0, link.count), 0) } ?? 0
            }
        }
        return target.isEmpty ? "" : " (symbolic link to \(String(decoding: target, as: UTF8.self).escapedPath))"
    }
}

extension String {
    /// A path as a message may show it: control characters escaped, but nothing cut.
    var escapedPath: String {
        unicodeScalars.map {
            $0.properties.generalCategory == .control ? "\\u{\(String($0.value, radix: 16))}" : String($0)
        }
        .joined()
    }
}
