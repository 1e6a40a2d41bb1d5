import GodwitFiles
import Libc

/// Scratch folders of this user that no process holds any more.
enum ScratchFolders {
    static func unowned() -> [String] {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let prefix = "\(OwnFiles.scratchPrefix)\(getuid())-"
        return PathText.names(in: parent, beginningWith: prefix).filter { name in
            let descriptor = open(parent + "/" + name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return flock(descriptor, LOCK_EX | LOCK_NB) == 0
        }
    }
}
