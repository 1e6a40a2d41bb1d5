internal import CSystemShim
package import GodwitModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Copies one regular file: by reference where the file system can, inside the kernel else, by hand at last.
package enum FileClone {
    /// Makes `target` (new, 0600) with the bytes of `source` and gives it the same modification time.
    package static func copy(_ source: String, to target: String) throws(GodwitError) {
        let from = try OpenFile(reading: source)
        let status = try from.status()
        guard status.isRegularFile else {
            throw GodwitError(.container, .noInput, "\(source) is not a regular file.")
        }
        let to = try OpenFile(creating: target)
        if !reflink(from.descriptor, to.descriptor) { try copyBytes(from, to) }
        setModificationTime(to.descriptor, status)
        try to.close()
    }

    private static func reflink(_ from: Int32, _ to: Int32) -> Bool {
        #if canImport(Darwin)
            return fcopyfile(from, to, nil, copyfile_flags_t(COPYFILE_DATA | COPYFILE_CLONE_FORCE)) == 0
        #else
            // FICLONE, ioctl_ficlonerange(2): _IOW(0x94, 9, int).
            return ioctl(to, 0x4004_9409, from) == 0
        #endif
    }

    private static func copyBytes(_ from: borrowing OpenFile, _ to: borrowing OpenFile) throws(GodwitError) {
        #if !canImport(Darwin)
            var copied = 0
            while true {
                let count = retryingInterrupts { godwit_copy_file_range(from.descriptor, to.descriptor, 1 << 30) }
                if count == 0 { return }
                if count > 0 {
                    copied += count
                } else if copied == 0 {
                    break
                } else {
                    throw .system("copy", from.path, errno: errno)
                }
            }
        #endif
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = retryingInterrupts { read(from.descriptor, &buffer, buffer.count) }
            if count == 0 { return }
            guard count > 0 else { throw .system("read", from.path, errno: errno) }
            try to.write(Array(buffer[..<count]))
        }
    }

    private static func setModificationTime(_ descriptor: Int32, _ status: FileStatus) {
        let time = timespec(
            tv_sec: time_t(status.modifiedSeconds), tv_nsec: Int(status.modifiedNanoseconds))
        var times = [time, time]
        _ = futimens(descriptor, &times)
    }
}
