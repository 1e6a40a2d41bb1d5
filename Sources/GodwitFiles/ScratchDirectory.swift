package import GodwitModel
internal import Libc

/// A private folder (0700) for clones; deinit removes it.
///
/// It is locked as long as its process lives. So the next run can recognize and remove the folder of a killed run,
/// whose lock the system has released.
package final class ScratchDirectory: Sendable {
    package let path: String
    private let lock: Int32

    /// Removes the folders that killed runs left, then creates a new one in `TMPDIR` (or `/tmp`).
    package init(identifier: String) throws(GodwitError) {
        Self.removeAbandoned()
        let made = PathText.join(Self.parent, OwnFiles.scratchPrefix + String(getuid()) + "-" + identifier)
        path = made
        lock = try Self.makeLocked(made)
    }

    /// Creates and locks the folder; tries again if another run removed it before it was locked.
    private static func makeLocked(_ path: String) throws(GodwitError) -> Int32 {
        while true {
            guard mkdir(path, 0o700) == 0 else {
                throw Self.unusable("make the scratch folder", path, errno)
            }
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if descriptor < 0, errno != ENOENT {
                let failure = errno
                OwnFiles.removeScratch(path)
                throw Self.unusable("open the scratch folder", path, failure)
            }
            if descriptor >= 0, OwnFiles.lockAgainstSweep(descriptor, path) { return descriptor }
            close(descriptor)
        }
    }

    private static func unusable(_ action: String, _ path: String, _ number: Int32) -> GodwitError {
        var error = GodwitError.system(action, path, errno: number, missing: .cannotCreate)
        error.hint = "Set TMPDIR to a folder that can be written to, and has space for a private copy of the store."
        return error
    }

    deinit {
        OwnFiles.removeScratch(path)
        close(lock)
    }

    package func makeSubdirectory(_ name: String) throws(GodwitError) -> String {
        let directory = path + "/" + name
        try PathText.makeDirectories(directory)
        return directory
    }

    /// `TMPDIR`, or the user's temporary folder on Apple platforms, where a sandboxed app may not write to `/tmp`.
    static var parent: String {
        if let value = getenv("TMPDIR"), value.pointee != 0 { return String(cString: value) }
        #if canImport(Darwin)
            // confstr(3).
            var path = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = confstr(_CS_DARWIN_USER_TEMP_DIR, &path, path.count)
            if count > 1, count <= path.count {
                return path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? "/tmp"
            }
        #endif
        return "/tmp"
    }

    /// Removes this user's scratch folders whose process has ended.
    package static func removeAbandoned() {
        let mine = OwnFiles.scratchPrefix + String(getuid()) + "-"
        for name in PathText.names(in: parent, beginningWith: mine) {
            let path = parent + "/" + name
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            // Any user can create a folder of this name here.
            if OwnFiles.isMine(descriptor), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
                OwnFiles.isNamed(descriptor, path)
            {
                OwnFiles.removeScratch(path)
            }
            close(descriptor)
        }
    }
}
