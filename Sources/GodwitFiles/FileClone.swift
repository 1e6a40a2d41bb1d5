package import GodwitModel
internal import Libc
internal import CSystemShim

/// Copies one regular file: as a clone if the file system can, else inside the kernel, else with read and write.
package enum FileClone {
    /// Creates `target` (0600) with the bytes and the modification time of `source`.
    package static func copy(_ source: String, to target: String) throws(GodwitError) {
        try copy(OpenFile(reading: source), to: target)
    }

    /// The same for a file that may have been removed; false, without a copy, if it was.
    package static func copy(ifThere source: String, to target: String) throws(GodwitError) -> Bool {
        guard let from = try OpenFile.reading(ifThere: source) else { return false }
        try copy(from, to: target)
        return true
    }

    private static func copy(_ from: consuming OpenFile, to target: String) throws(GodwitError) {
        let status = try from.status()
        guard status.isRegularFile else {
            throw GodwitError(.container, .noInput, "`\(from.path)` is not a regular file")
        }
        #if canImport(Darwin)
            if fclonefileat(from.descriptor, AT_FDCWD, target, 0) == 0 { return try finishClone(target, status) }
        #endif
        let to = try OpenFile(creating: target)
        #if canImport(Darwin)
            try copyBytes(from, to, size: status.size)
        #else
            if !reflink(from.descriptor, to.descriptor) { try copyBytes(from, to, size: status.size) }
        #endif
        setModificationTime(to.descriptor, status)
        try to.close()
    }

    /// Gives a copy as many hard links as the original has, up to a limit; in a folder of Godwit's own.
    package static func giveNames(to copy: String, asManyAs original: String, in folder: String) throws(GodwitError) {
        guard let status = try FileStatus.ofLink(original), status.links > 1, try FileStatus.ofLink(copy) != nil else {
            return
        }
        for number in 1..<min(Int(status.links), mostNames) {
            let name = PathText.join(folder, "\(PathText.lastPart(of: copy)).\(number)")
            guard link(copy, name) == 0 else { throw .system("make a hard link to", copy, errno: errno) }
        }
    }

    /// Reports show larger numbers as this one.
    private static let mostNames = 100

    /// Creates a sparse file of this size as a placeholder for a file that is not copied.
    package static func standIn(size: Int64, at target: String) throws(GodwitError) {
        let file = try OpenFile(creating: target)
        if size > 0 { try file.write([0], at: size - 1) }
        try file.close()
    }

    /// Removes all rights from a copy, which is created empty if necessary, like those of a file that cannot be read.
    package static func standForUnreadable(at target: String) throws(GodwitError) {
        if try FileStatus.ofLink(target) == nil { try standIn(size: 0, at: target) }
        guard chmod(target, 0) == 0 else { throw .system("read the permissions of", target, errno: errno) }
    }

    #if canImport(Darwin)
        /// Gives a clone the mode of a private file: clonefile(2) copies the original's mode.
        private static func finishClone(_ path: String, _ original: FileStatus) throws(GodwitError) {
            guard chmod(path, 0o600) == 0 else { throw .system("create", path, errno: errno, missing: .cannotCreate) }
            let clone = try OpenFile(updating: path)
            setModificationTime(clone.descriptor, original)
            try clone.close()
        }
    #else
        /// Shares the blocks of both files: FICLONE, ioctl_ficlonerange(2), `_IOW(0x94, 9, int)`.
        private static func reflink(_ from: Int32, _ to: Int32) -> Bool { ioctl(to, 0x4004_9409, from) == 0 }
    #endif

    private static func copyBytes(
        _ from: borrowing OpenFile, _ to: borrowing OpenFile, size: Int64
    ) throws(GodwitError) {
        #if !canImport(Darwin)
            // A file of size 0 may still give bytes when it is read, as in /proc.
            if size > 0, try copyData(from, to, size: size) { return }
            // Both offsets may be after a hole.
            for descriptor in [from.descriptor, to.descriptor] { lseek(descriptor, 0, SEEK_SET) }
        #endif
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = retryingInterrupts { read(from.descriptor, &buffer, buffer.count) }
            if count == 0 { return }
            guard count > 0 else { throw .system("read", from.path, errno: errno) }
            try to.write(Array(buffer[..<count]))
        }
    }

    #if !canImport(Darwin)
        /// Copies inside the kernel and skips holes, lseek(2).
        ///
        /// A sparse file of terabytes that contains one page must not fill the disk. False if the kernel cannot do
        /// that; nothing was copied then.
        private static func copyData(
            _ from: borrowing OpenFile, _ to: borrowing OpenFile, size: Int64
        ) throws(GodwitError) -> Bool {
            let (seekData, seekHole): (Int32, Int32) = (3, 4)
            var offset: off_t = 0
            var hasCopied = false
            while offset < off_t(size) {
                let start = lseek(from.descriptor, offset, seekData)
                if start < 0, errno == ENXIO { break }
                let isSparse = start >= 0
                let end = isSparse ? lseek(from.descriptor, start, seekHole) : off_t(size)
                offset = max(start, 0)
                lseek(from.descriptor, offset, SEEK_SET)
                lseek(to.descriptor, offset, SEEK_SET)
                while offset < end {
                    let most = UInt(min(end - offset, 1 << 30))
                    let count = retryingInterrupts { godwit_copy_file_range(from.descriptor, to.descriptor, most) }
                    if count < 0, !hasCopied { return false }
                    guard count >= 0 else { throw .system("copy", from.path, errno: errno) }
                    // Another process truncated the file. The comparison of both files reports that.
                    if count == 0 { return true }
                    offset += off_t(count)
                    hasCopied = true
                }
            }
            if offset < off_t(size) {
                let last: [UInt8] = [0]
                let written = retryingInterrupts { pwrite(to.descriptor, last, 1, off_t(size) - 1) }
                guard written == 1 else { throw .system("write", to.path, errno: errno) }
            }
            return true
        }
    #endif

    /// Gives a copy the modification time of what it was made from, if that is a file.
    package static func keepModificationTime(of path: String, in copy: String) {
        guard let status = try? FileStatus.of(path), let file = try? OpenFile(updating: copy) else { return }
        setModificationTime(file.descriptor, status)
    }

    private static func setModificationTime(_ descriptor: Int32, _ status: FileStatus) {
        let time = timespec(
            tv_sec: time_t(status.modifiedSeconds), tv_nsec: Int(status.modifiedNanoseconds))
        var times = [time, time]
        _ = futimens(descriptor, &times)
    }
}
