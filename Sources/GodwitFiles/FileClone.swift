package import GodwitModel
internal import Libc
internal import CSystemShim

/// Copies one regular file: by reference where the file system can, inside the kernel else, by hand at last.
package enum FileClone {
    /// Makes `target` (new, 0600) with the bytes of `source` and gives it the same modification time.
    package static func copy(_ source: String, to target: String) throws(GodwitError) {
        try copy(OpenFile(reading: source), to: target)
    }

    /// The same of a file that may be gone by now; false, and nothing made, where it is.
    package static func copy(ifThere source: String, to target: String) throws(GodwitError) -> Bool {
        guard let from = try OpenFile.reading(ifThere: source) else { return false }
        try copy(from, to: target)
        return true
    }

    private static func copy(_ from: consuming OpenFile, to target: String) throws(GodwitError) {
        let status = try from.status()
        guard status.isRegularFile else {
            throw GodwitError(.container, .noInput, "\(from.path) is not a regular file.")
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

    /// Gives a copy as many names as the original has; in a folder of Godwit's own, and no more than tell the difference.
    package static func giveNames(to copy: String, asManyAs original: String, in folder: String) throws(GodwitError) {
        guard let status = try FileStatus.ofLink(original), status.links > 1, try FileStatus.ofLink(copy) != nil else {
            return
        }
        for number in 1..<min(Int(status.links), mostNames) {
            let name = PathText.join(folder, "\(PathText.lastPart(of: copy)).\(number)")
            guard link(copy, name) == 0 else { throw .system("give a second name to", copy, errno: errno) }
        }
    }

    /// More than this are told as this many.
    private static let mostNames = 100

    /// Makes a file of this size that holds nothing and takes no room, where one is that is not copied.
    package static func standIn(size: Int64, at target: String) throws(GodwitError) {
        let file = try OpenFile(creating: target)
        if size > 0 { try file.write([0], at: size - 1) }
        try file.close()
    }

    /// Makes a file of nothing, or what of a copy there is, one that nobody may read.
    package static func standForUnreadable(at target: String) throws(GodwitError) {
        if try FileStatus.ofLink(target) == nil { try standIn(size: 0, at: target) }
        guard chmod(target, 0) == 0 else { throw .system("take the rights from", target, errno: errno) }
    }

    #if canImport(Darwin)
        /// Gives a clone that clonefile(2) made, with the mode of its original, the mode of a private file.
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
            // What says to be empty may still give bytes when it is read, as in /proc.
            if size > 0, try copyData(from, to, size: size) { return }
            // Both may stand behind a hole by now.
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
        /// Copies inside the kernel, and leaves holes out, lseek(2).
        ///
        /// A file that says to have terabytes and holds a page must not fill the disk. False where the kernel can't,
        /// before anything was copied.
        private static func copyData(
            _ from: borrowing OpenFile, _ to: borrowing OpenFile, size: Int64
        ) throws(GodwitError) -> Bool {
            let (seekData, seekHole): (Int32, Int32) = (3, 4)
            var place: off_t = 0
            var hasCopied = false
            while place < off_t(size) {
                let start = lseek(from.descriptor, place, seekData)
                if start < 0, errno == ENXIO { break }
                let isSparse = start >= 0
                let end = isSparse ? lseek(from.descriptor, start, seekHole) : off_t(size)
                place = max(start, 0)
                lseek(from.descriptor, place, SEEK_SET)
                lseek(to.descriptor, place, SEEK_SET)
                while place < end {
                    let most = UInt(min(end - place, 1 << 30))
                    let count = retryingInterrupts { godwit_copy_file_range(from.descriptor, to.descriptor, most) }
                    if count < 0, !hasCopied { return false }
                    guard count >= 0 else { throw .system("copy", from.path, errno: errno) }
                    // Whoever cut it off meanwhile is met when the files are compared.
                    if count == 0 { return true }
                    place += off_t(count)
                    hasCopied = true
                }
            }
            if place < off_t(size) {
                let last: [UInt8] = [0]
                let written = retryingInterrupts { pwrite(to.descriptor, last, 1, off_t(size) - 1) }
                guard written == 1 else { throw .system("write", to.path, errno: errno) }
            }
            return true
        }
    #endif

    private static func setModificationTime(_ descriptor: Int32, _ status: FileStatus) {
        let time = timespec(
            tv_sec: time_t(status.modifiedSeconds), tv_nsec: Int(status.modifiedNanoseconds))
        var times = [time, time]
        _ = futimens(descriptor, &times)
    }
}
