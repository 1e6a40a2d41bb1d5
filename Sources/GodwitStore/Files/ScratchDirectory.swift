package import GodwitModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A private folder (0700) for clones; gone when its owner goes.
///
/// It is locked for as long as its process lives, so that the next run can tell the folder of a killed run, whose lock
/// the system released, from one in use, and remove it.
package final class ScratchDirectory: Sendable {
    package let path: String
    private let lock: Int32

    /// Makes a new folder below `TMPDIR` (or `/tmp`), after removing those that killed runs left there.
    package init(identifier: String) throws(GodwitError) {
        let parent = Self.parent
        Self.removeAbandoned(in: parent)
        path = PathText.join(parent, OwnFiles.scratchPrefix + String(getuid()) + "-" + identifier)
        guard mkdir(path, 0o700) == 0 else {
            throw .system("make the scratch folder", path, errno: errno, missing: .cannotCreate)
        }
        lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if lock >= 0 { _ = flock(lock, LOCK_EX | LOCK_NB) }
    }

    deinit {
        OwnFiles.removeScratch(path)
        if lock >= 0 { close(lock) }
    }

    /// A new folder inside.
    package func makeSubdirectory(_ name: String) throws(GodwitError) -> String {
        let directory = path + "/" + name
        try PathText.makeDirectories(directory)
        return directory
    }

    private static var parent: String {
        guard let value = getenv("TMPDIR") else { return "/tmp" }
        let text = String(cString: value)
        return text.isEmpty ? "/tmp" : text
    }

    private static func removeAbandoned(in parent: String) {
        let mine = OwnFiles.scratchPrefix + String(getuid()) + "-"
        for name in PathText.names(in: parent, beginningWith: mine) {
            let path = parent + "/" + name
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            var status = stat()
            // Anybody can make a folder of this name here; only what this user made is this user's to remove.
            let isMine = fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
            // A folder younger than five seconds may be one whose owner has not come to lock it yet.
            let isOld = isMine && FileStatus(status).modifiedSeconds + 5 < Int64(time(nil))
            if isOld, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { OwnFiles.removeScratch(path) }
            close(descriptor)
        }
    }
}
