import GodwitFiles
import GodwitModel
import FoundationLite
import Libc

/// A folder of a test's own; gone with all that is in it when its owner goes.
///
/// Names are relative to the folder and may hold slashes; folders on the way must be made first.
package final class TemporaryFolder: Sendable {
    /// The folder, with every link on the way resolved, so that paths compare as text.
    package let path: String

    package init() throws {
        let parent = PathText.real(FileManager.default.temporaryDirectory.path) ?? "/tmp"
        path = parent + "/godwit-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The full path of a name inside.
    package func path(_ name: String) -> String { path + "/" + name }

    /// A path inside, as subscripts read well where paths are many.
    package subscript(_ name: String) -> String { path(name) }

    // MARK: Making

    /// Writes a file, and returns its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    /// Writes a text file, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// Makes a folder and those on the way, and returns its path.
    @discardableResult
    package func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }

    /// Makes a symbolic link with this text in it.
    package func makeLink(_ name: String, to destination: String) throws {
        try check(symlink(destination, path(name)), name)
    }

    /// Gives a file a second name.
    package func makeHardLink(_ name: String, to existing: String) throws {
        try check(link(path(existing), path(name)), name)
    }

    /// Makes a named pipe: whoever opens it in the ordinary way waits for ever.
    package func makeFIFO(_ name: String) throws { try check(mkfifo(path(name), 0o600), name) }

    /// Copies a file as it is, whatever is open on it: what a backup or a device download would hold.
    package func copy(_ name: String, to other: String) throws {
        try write(bytes(of: name), to: other)
    }

    /// Copies a store with those of its companions that are there, as they lie.
    package func copyStore(_ name: String, to other: String, companions: [String] = ["-wal", "-journal"]) throws {
        for suffix in [""] + companions where exists(name + suffix) { try copy(name + suffix, to: other + suffix) }
    }

    /// Removes one file.
    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    package func setMode(_ mode: UInt32, of name: String) throws { try check(chmod(path(name), mode_t(mode)), name) }

    /// Dates a file, to the nanosecond.
    package func setModified(seconds: Int64, nanoseconds: Int64 = 0, of name: String) throws {
        let time = timespec(tv_sec: time_t(seconds), tv_nsec: Int(nanoseconds))
        try check(utimensat(AT_FDCWD, path(name), [time, time], AT_SYMLINK_NOFOLLOW), name)
    }

    // MARK: Looking

    package func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    package func text(of name: String) throws -> String { String(decoding: try bytes(of: name), as: UTF8.self) }

    /// Whether there is anything of this name, be it a link that leads nowhere.
    package func exists(_ name: String) -> Bool {
        var status = stat()
        return lstat(path(name), &status) == 0
    }

    /// The names in the folder or one below it, sorted.
    package func names(in name: String = "") -> [String] { PathText.names(in: name.isEmpty ? path : path(name)) }

    /// The folder as it is now: every file with bytes, size, mode, identity and time.
    package func fingerprint() throws -> FolderFingerprint { try FolderFingerprint(path) }

    private func check(_ result: Int32, _ name: String) throws {
        guard result == 0 else { throw GodwitError.system("prepare", path(name), errno: errno) }
    }
}
