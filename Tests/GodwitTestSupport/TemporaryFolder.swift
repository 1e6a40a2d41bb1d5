import GodwitFiles
import GodwitModel
import FoundationLite
import Libc

/// A temporary folder for one test; removed with its contents when its owner is released.
///
/// Names are relative to the folder and may contain slashes; parent folders must be created first.
package final class TemporaryFolder: Sendable {
    /// The folder's path with all links resolved, so that paths can be compared as text.
    package let path: String

    package init() throws {
        let parent = PathText.real(FileManager.default.temporaryDirectory.path) ?? "/tmp"
        path = parent + "/godwit-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The full path of a name in the folder.
    package func path(_ name: String) -> String { path + "/" + name }

    /// The same, as a subscript.
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

    /// Makes a folder and its parents, and returns its path.
    @discardableResult
    package func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }

    /// Makes a symbolic link to this destination.
    package func makeLink(_ name: String, to destination: String) throws {
        try check(symlink(destination, path(name)), name)
    }

    /// Gives a file a second name.
    package func makeHardLink(_ name: String, to existing: String) throws {
        try check(link(path(existing), path(name)), name)
    }

    /// Makes a named pipe: opening it in the ordinary way waits forever.
    package func makeFIFO(_ name: String) throws { try check(mkfifo(path(name), 0o600), name) }

    /// Copies the bytes of a file, even while it is open: what a backup or a device download would contain.
    package func copy(_ name: String, to other: String) throws {
        try write(bytes(of: name), to: other)
    }

    /// Copies a store as it is, with its companion files if they exist.
    package func copyStore(_ name: String, to other: String, companions: [String] = ["-wal", "-journal"]) throws {
        for suffix in [""] + companions where exists(name + suffix) { try copy(name + suffix, to: other + suffix) }
    }

    /// Removes one file.
    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    package func setMode(_ mode: UInt32, of name: String) throws { try check(chmod(path(name), mode_t(mode)), name) }

    /// Sets a file's modification date, to the nanosecond.
    package func setModified(seconds: Int64, nanoseconds: Int64 = 0, of name: String) throws {
        let time = timespec(tv_sec: time_t(seconds), tv_nsec: Int(nanoseconds))
        try check(utimensat(AT_FDCWD, path(name), [time, time], AT_SYMLINK_NOFOLLOW), name)
    }

    // MARK: Looking

    package func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    package func text(of name: String) throws -> String { String(decoding: try bytes(of: name), as: UTF8.self) }

    /// Whether the name exists, even as a link to a missing file.
    package func exists(_ name: String) -> Bool {
        var status = stat()
        return lstat(path(name), &status) == 0
    }

    /// The names in the folder or one below it, sorted.
    package func names(in name: String = "") -> [String] { PathText.names(in: name.isEmpty ? path : path(name)) }

    /// The state of the folder: every file with bytes, size, mode, identity and time.
    package func fingerprint() throws -> FolderFingerprint { try FolderFingerprint(path) }

    private func check(_ result: Int32, _ name: String) throws {
        guard result == 0 else { throw GodwitError.system("prepare", path(name), errno: errno) }
    }
}
