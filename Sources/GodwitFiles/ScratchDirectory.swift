package import GodwitModel
internal import Libc

/// A private folder (0700) for clones; gone when its owner goes.
///
/// It is locked for as long as its process lives, so that the next run can tell the folder of a killed run, whose lock
/// the system released, from one in use, and remove it.
package final class ScratchDirectory: Sendable {
    package let path: String
    private let lock: Int32

    /// Makes a new folder below `TMPDIR` (or `/tmp`), after removing those that killed runs left there.
    package init(identifier: String) throws(GodwitError) {
        Self.removeAbandoned()
        let made = PathText.join(Self.parent, OwnFiles.scratchPrefix + String(getuid()) + "-" + identifier)
        path = made
        lock = try Self.makeLocked(made)
    }

    /// Makes and locks the folder; again where another run's sweep took it away before it was locked.
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
        error.hint = "Set TMPDIR to a folder that can be written to, and has room for a private copy of the store."
        return error
    }

    deinit {
        OwnFiles.removeScratch(path)
        close(lock)
    }

    /// A new folder inside.
    package func makeSubdirectory(_ name: String) throws(GodwitError) -> String {
        let directory = path + "/" + name
        try PathText.makeDirectories(directory)
        return directory
    }

    /// `TMPDIR`; else the user's own temporary folder on Apple platforms, where a sandbox may not write to `/tmp`.
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

    /// Removes this user's scratch folders whose process is gone.
    package static func removeAbandoned() {
        let mine = OwnFiles.scratchPrefix + String(getuid()) + "-"
        for name in PathText.names(in: parent, beginningWith: mine) {
            let path = parent + "/" + name
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            // Anybody can make a folder of this name here; only what this user made is this user's to remove.
            if OwnFiles.isMine(descriptor), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
                OwnFiles.isNamed(descriptor, path)
            {
                OwnFiles.removeScratch(path)
            }
            close(descriptor)
        }
    }
}
