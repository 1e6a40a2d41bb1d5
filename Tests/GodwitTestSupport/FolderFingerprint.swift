import GodwitFiles
import FoundationLite

/// Everything in a folder, so that a test can prove that nothing was touched.
///
/// Access times are left out: reading a file is allowed.
package struct FolderFingerprint: Sendable, Equatable {
    /// The files by their path below the folder.
    package private(set) var files: [String: File] = [:]

    /// One file, folder or link.
    package struct File: Sendable, Hashable {
        package let bytes: [UInt8]
        package let size: Int64
        package let mode: UInt32
        package let inode: UInt64
        package let modifiedSeconds: Int64
        package let modifiedNanoseconds: Int64
    }

    package init(_ folder: String) throws { try add(folder, below: "") }

    /// Names of the files, sorted.
    package var names: [String] { files.keys.sorted() }

    /// One line for each file that differs; empty when nothing differs.
    package func differences(from earlier: FolderFingerprint) -> [String] {
        Set(files.keys).union(earlier.files.keys).sorted().compactMap { name in
            switch (earlier.files[name], files[name]) {
            case (nil, _?): return "\(name) is new"
            case (_?, nil): return "\(name) is gone"
            case (let before?, let now?) where before.bytes != now.bytes: return "\(name) has other bytes"
            case (let before?, let now?) where before != now: return "\(name) has another size, mode, inode or time"
            default: return nil
            }
        }
    }

    private mutating func add(_ folder: String, below prefix: String) throws {
        for name in PathText.names(in: folder) {
            let path = folder + "/" + name
            guard let status = try FileStatus.ofLink(path) else { continue }
            let bytes = status.isRegularFile ? Array(try Data(contentsOf: URL(filePath: path))) : []
            files[prefix + name] = File(
                bytes: bytes, size: status.size, mode: status.mode, inode: status.inode,
                modifiedSeconds: status.modifiedSeconds, modifiedNanoseconds: status.modifiedNanoseconds)
            if status.isDirectory { try add(path, below: prefix + name + "/") }
        }
    }
}
