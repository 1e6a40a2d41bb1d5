package import GodwitModel
internal import Libc

extension GodwitError {
    /// Maps the `errno` of a failed system call to an exit code and a hint.
    ///
    /// - Parameters:
    ///   - action: what was tried, as in "can't \(action) PATH".
    ///   - number: `errno` right after the call.
    package static func system(
        _ action: String, _ path: String, errno number: Int32, stage: GodwitError.Stage = .container,
        missing: GodwitError.Code = .noInput
    ) -> GodwitError {
        let (code, hint): (GodwitError.Code, String?) =
            switch number {
            case ENOENT, ENOTDIR: (missing, danglingLinkHint(path) ?? "Check the path.")
            case EPERM where isDataProtected: (.permission, "Run after the first unlock of the device.")
            case EACCES, EPERM: (.permission, "Check who owns the file and its folder, and their modes.")
            case EROFS: (.permission, "Mount the file system so that it can be written to.")
            case EEXIST: (.cannotCreate, "Choose another name, or move the existing file away.")
            case ENXIO, ENODEV, EOPNOTSUPP: (.noInput, "Name a regular file, not a socket or a device.")
            case ELOOP: (.noInput, "Remove the loop of symbolic links.")
            case EISDIR: (.cannotCreate, "Name a file, not a folder.")
            case ENAMETOOLONG: (missing, "Choose a shorter path or name.")
            case ENOSPC, EDQUOT: (.io, "Free some space on this volume, then run the same command again.")
            case EFBIG: (.io, "Raise the file-size limit (`ulimit -f`), then run the same command again.")
            default: (.io, "Check the volume, then run the same command again.")
            }
        return GodwitError(stage, code, "can't \(action) `\(path)`", hint: hint, underlying: systemText(number))
    }
}

/// Whether files can't be read from the start of the device until it is first unlocked; then a call fails with EPERM.
///
/// Source: <https://support.apple.com/guide/security/secb010e978a>.
private var isDataProtected: Bool {
    #if canImport(Darwin) && !os(macOS)
        true
    #else
        false
    #endif
}

/// A hint for a link to a file that does not exist: `ls` shows such a link like a file.
private func danglingLinkHint(_ path: String) -> String? {
    guard let target = PathText.destination(of: path) else { return nil }
    return "Correct the symbolic link: its target `\(target)` does not exist."
}

package func systemText(_ number: Int32) -> String {
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text)
}

/// Repeats a call as long as a signal interrupts it.
@inline(__always)
package func retryingInterrupts<T: FixedWidthInteger>(_ call: () -> T) -> T {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
