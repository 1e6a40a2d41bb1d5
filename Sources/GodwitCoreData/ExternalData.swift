internal import GodwitFiles
package import GodwitModel

/// Data that Core Data keeps outside of a store, in the folder `.<name>_SUPPORT/_EXTERNAL_DATA` next to it.
///
/// The column of such an attribute contains a byte 1 and the data, or a byte 2 and a file name that ends with NUL.
/// Names are untrusted: only letters, digits, `-`, `_` and dots are accepted, the folders must be folders, and the file
/// a regular file, without links.
package struct ExternalData: Sendable {
    /// The possible folders: Core Data omits the store's extension.
    private let folders: [String]

    /// Larger files are not read, because SQLite would not accept a larger value here.
    static let limit: Int64 = 256 << 20

    /// - Parameter path: the store itself, or its path in a full copy of the container.
    package init(besideStore path: String) {
        folders = Self.supportFolders(of: path).map { $0 + "/_EXTERNAL_DATA" }
    }

    /// The folders that Core Data names after a store; they need not exist.
    package static func supportFolders(of path: String) -> [String] {
        let (folder, name) = (PathText.directory(of: path), PathText.lastPart(of: path))
        var names = [name]
        if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex {
            names.insert(String(name[..<dot]), at: 0)
        }
        // Omits names that are too long for a folder.
        return names.map { ".\($0)_SUPPORT" }.filter { $0.utf8.count <= PathText.maxNameBytes }
            .map { PathText.join(folder, $0) }
    }

    /// The meaning of a column's bytes.
    package enum Content: Equatable {
        /// Data inside the store.
        case inline([UInt8])
        /// The bytes of the file.
        case file([UInt8])
        /// A file that is missing or unreadable.
        case dangling
        /// Neither of the two: the attribute keeps no external data.
        case plain
    }

    /// Reads the data of a column's bytes; throws only for a disk error.
    package func content(of bytes: [UInt8]) throws(GodwitError) -> Content {
        switch bytes.first {
        case 1: return .inline(Array(bytes.dropFirst()))
        case 2:
            guard let name = Self.fileName(in: bytes) else { return .dangling }
            for folder in folders {
                if let found = try Self.read(name, in: folder) { return .file(found) }
            }
            return .dangling
        default: return .plain
        }
    }

    /// Whether bytes can only be a reference: a byte 2, a UUID as text, and a NUL or nothing.
    package static func isReference(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.first == 2, bytes.count == 37 || bytes.count == 38 else { return false }
        let name = bytes.dropFirst().prefix(36)
        guard bytes.count == 37 || Array(bytes).last == 0 else { return false }
        return name.enumerated().allSatisfy { place, byte in
            [8, 13, 18, 23].contains(place)
                ? byte == UInt8(ascii: "-")
                : (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
        }
    }

    private static func fileName(in bytes: [UInt8]) -> String? {
        let name = bytes.dropFirst().prefix { $0 != 0 }
        let isPlain = name.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
        }
        guard isPlain, (1...255).contains(name.count), name.first != UInt8(ascii: ".") else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// The bytes of a file; nil if it does not exist or must not be read.
    private static func read(_ name: String, in folder: String) throws(GodwitError) -> [UInt8]? {
        for path in [PathText.directory(of: folder), folder] {
            guard try FileStatus.ofLink(path)?.isDirectory == true else { return nil }
        }
        let path = PathText.join(folder, name)
        guard let status = try FileStatus.ofLink(path), status.isRegularFile, status.size <= limit else { return nil }
        guard let file = try OpenFile.reading(ifThere: path) else { return nil }
        let opened = try file.status()
        guard opened.isSameFile(as: status), opened.isRegularFile, opened.size <= limit else { return nil }
        let bytes = try file.bytes(Int(opened.size))
        return bytes.count == Int(opened.size) ? bytes : nil
    }

    /// Name, size and date of each external file, and their total size; nil if the folder does not exist.
    package static func inventory(besideStore path: String) throws(GodwitError) -> (lines: [String], size: Int64)? {
        var found: (lines: [String], size: Int64)?
        for folder in supportFolders(of: path).map({ $0 + "/_EXTERNAL_DATA" }) {
            guard try FileStatus.ofLink(folder)?.isDirectory == true else { continue }
            var (lines, size) = found ?? ([], 0)
            for name in PathText.names(in: folder).sorted() {
                guard let status = try FileStatus.ofLink(PathText.join(folder, name)), status.isRegularFile else {
                    continue
                }
                lines.append("\(name) \(status.size) \(status.modifiedSeconds).\(status.modifiedNanoseconds)")
                size += status.size
            }
            found = (lines, size)
        }
        return found
    }

    /// The external files of a store.
    package static func files(besideStore path: String) throws(GodwitError) -> [String] {
        var found: [String] = []
        for folder in supportFolders(of: path).map({ $0 + "/_EXTERNAL_DATA" }) {
            guard try FileStatus.ofLink(folder)?.isDirectory == true else { continue }
            for name in PathText.names(in: folder) {
                let file = PathText.join(folder, name)
                if try FileStatus.ofLink(file)?.isRegularFile == true { found.append(file) }
            }
        }
        return found
    }

    /// Copies the external files of a store next to a copy of the store; omits links and folders.
    package static func copy(besideStore path: String, toStore target: String) throws(GodwitError) {
        for (from, to) in zip(supportFolders(of: path), supportFolders(of: target)) {
            let folder = from + "/_EXTERNAL_DATA"
            guard try FileStatus.ofLink(from)?.isDirectory == true, try FileStatus.ofLink(folder)?.isDirectory == true
            else { continue }
            try PathText.makeDirectories(to + "/_EXTERNAL_DATA")
            for name in PathText.names(in: folder) {
                let file = PathText.join(folder, name)
                guard try FileStatus.ofLink(file)?.isRegularFile == true else { continue }
                try FileClone.copy(file, to: to + "/_EXTERNAL_DATA/" + name)
            }
        }
    }
}
