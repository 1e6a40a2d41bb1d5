package import GodwitModel
internal import Libc

#if canImport(Darwin)
    typealias DirectoryStream = UnsafeMutablePointer<DIR>
#else
    typealias DirectoryStream = OpaquePointer
#endif

/// Paths as text: parts, joining, listing; only `real` follows links.
package enum PathText {
    /// The parent folder: `.` for a bare name, `/` for the children of the root.
    package static func directory(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
        return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
    }

    /// The parent folder of a relative path; nil for a bare name.
    package static func directory(ofRelative path: String) -> String? { path.contains("/") ? directory(of: path) : nil }

    package static func lastPart(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// The maximum length of a file's name in bytes, on all file systems that containers are on.
    package static let maxNameBytes = 255

    /// The longest prefix of whole characters that fits into this number of bytes.
    package static func shortened(_ name: String, toBytes room: Int) -> String {
        var name = Substring(name)
        while name.utf8.count > max(0, room) { name.removeLast() }
        return String(name)
    }

    package static func join(_ directory: String, _ relative: String) -> String {
        directory.hasSuffix("/") ? directory + relative : directory + "/" + relative
    }

    /// The text of a symbolic link; nil if it is not a link, or if the text is longer than any path.
    package static func destination(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(link, &buffer, buffer.count)
        guard count >= 0, count < buffer.count else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The destination of a link, relative to the folder from which the link is named; the path itself if it is not a
    /// link.
    package static func followingLink(_ path: String) -> String {
        destination(of: path).map { $0.hasPrefix("/") ? $0 : join(directory(of: path), $0) } ?? path
    }

    /// `Did you mean …?` for a path that does not exist, with the nearest name in its folder; nil if none is near.
    package static func nearestHint(_ path: String) -> String? {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let (folder, name) = (directory(of: path), lastPart(of: path))
        let near = NearestName.nearest(to: name, among: names(in: folder).filter { $0 != name })
        return near.map { "Did you mean `\(folder == "." && !path.hasPrefix("./") ? $0 : join(folder, $0))`?" }
    }

    /// Whether a path is a folder or is inside it; both with links resolved.
    ///
    /// Compares bytes: Swift's strings are equal in every Unicode form, and names on Linux are not.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        path.utf8.elementsEqual(folder.utf8) || path.utf8.starts(with: join(folder, "").utf8)
    }

    /// The path with every link resolved; nil if it does not exist or has a name that is not UTF-8: text cannot
    /// represent such a name exactly, and Godwit must not write to a guessed path.
    package static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }

    /// The names in a folder, sorted by bytes, without `.` and `..`; empty if it cannot be read.
    ///
    /// - Parameter prefix: required start of the names; a temporary folder may have very many others.
    package static func names(in directory: String, beginningWith prefix: String = "") -> [String] {
        guard let stream: DirectoryStream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        return names(in: stream, beginningWith: prefix)
    }

    /// The names in a folder; throws if it cannot be read to its end, because a decision depends on them.
    package static func allNames(in directory: String, stage: GodwitError.Stage) throws(GodwitError) -> [String] {
        guard let stream: DirectoryStream = opendir(directory) else {
            throw .system("read the folder", directory, errno: errno, stage: stage)
        }
        defer { closedir(stream) }
        let found = names(in: stream)
        // readdir(3) does not change `errno` at the end of the folder.
        guard errno == 0 else { throw .system("read the folder", directory, errno: errno, stage: stage) }
        return found
    }

    /// The same without names that are not UTF-8: with replaced characters they would be other names.
    package static func textNames(in directory: String, stage: GodwitError.Stage) throws(GodwitError) -> [String] {
        // Also throws if the folder cannot be read to its end.
        let all = try allNames(in: directory, stage: stage)
        guard all.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else { return all }
        return entries(in: directory) { String(validatingCString: $0) }.filter { $0 != "." && $0 != ".." }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The folders in a folder whose names are not UTF-8, which paths as text cannot reach; each invalid byte as
    /// `\xFF`.
    package static func unreadableFolders(in directory: String) -> [String] {
        entries(in: directory, onlyFolders: true) { name in
            String(validatingCString: name) == nil
                ? escaped(UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }) : nil
        }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Bytes as text, with each byte that is not UTF-8 as `\xFF`.
    package static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        var (text, rest) = ("", Array(bytes)[...])
        while let lead = rest.first {
            let length = (1...4).first { $0 <= rest.count && String(validating: rest.prefix($0), as: UTF8.self) != nil }
            if let length {
                text += String(decoding: rest.prefix(length), as: UTF8.self)
            } else {
                let hex = String(lead, radix: 16, uppercase: true)
                text += "\\x" + (hex.utf8.count == 1 ? "0" : "") + hex
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return text
    }

    /// Whether an archive made on a Mac adds this name; it belongs to no app.
    ///
    /// These are the folder `__MACOSX`, and files `._NAME` with the attributes of NAME (AppleDouble, RFC 1740).
    package static func isArchiveResidue(_ name: String) -> Bool { name == "__MACOSX" || name.hasPrefix("._") }

    /// Calls a closure with the exact bytes of each name in a folder.
    private static func entries(
        in directory: String, onlyFolders: Bool = false, _ make: (UnsafePointer<CChar>) -> String?
    ) -> [String] {
        guard let stream: DirectoryStream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = nextEntry(of: stream) {
            let kind = entry.pointee.d_type
            guard !onlyFolders || kind == UInt8(DT_DIR) || kind == UInt8(DT_UNKNOWN) else { continue }
            withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    if let made = make($0) { found.append(made) }
                }
            }
        }
        return found
    }

    /// The names in an open folder, sorted by bytes; `errno` is 0 unless reading failed.
    static func names(in stream: DirectoryStream, beginningWith prefix: String = "") -> [String] {
        var names: [String] = []
        while let entry = nextEntry(of: stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != "..", name.utf8.starts(with: prefix.utf8) { names.append(name) }
        }
        let failure = errno
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        errno = failure
        return sorted
    }

    /// The next entry; `errno` distinguishes the end (0) from a failure: readdir(3).
    private static func nextEntry(of stream: DirectoryStream) -> UnsafeMutablePointer<dirent>? {
        errno = 0
        return readdir(stream)
    }

    /// Whether this process may write a file, or create files in a folder; nil if it does not exist.
    package static func isWritable(_ path: String) -> Bool? {
        guard access(path, F_OK) == 0 else { return nil }
        return access(path, W_OK) == 0
    }

    /// Whether the volume of a folder has no space left for this user; false if the system does not say.
    package static func isVolumeFull(_ folder: String) -> Bool {
        var volume = statvfs()
        return statvfs(folder, &volume) == 0 && volume.f_blocks > 0 && volume.f_bavail == 0
    }

    private static func makeDurable(_ path: String) throws(GodwitError) {
        do throws(GodwitError) {
            try AtomicFile.flushDirectory(of: path)
        } catch {
            throw error.naming(path, insteadOf: directory(of: path))
        }
    }

    /// Creates a folder and its missing parents, and flushes the new names.
    ///
    /// - Parameters:
    ///   - root: a folder that must exist: if a container was moved away, no new one is created.
    ///   - mode: permissions before the umask; private, unless the folder has no user data.
    package static func makeDirectories(
        _ path: String, inside root: String? = nil, mode: UInt32 = 0o700
    ) throws(GodwitError) {
        if mkdir(path, mode_t(mode)) == 0 { return try makeDurable(path) }
        if errno == EEXIST { return }
        guard errno == ENOENT, directory(of: path) != path else {
            throw .system("make the folder", path, errno: errno, missing: .cannotCreate)
        }
        if let root, !isInside(directory(of: path), root) || directory(of: path).utf8.elementsEqual(root.utf8) {
            throw .system("make the folder", path, errno: ENOENT)
        }
        try makeDirectories(directory(of: path), inside: root, mode: mode)
        if mkdir(path, mode_t(mode)) == 0 { return try makeDurable(path) }
        guard errno == EEXIST else {
            throw .system("make the folder", path, errno: errno, missing: .cannotCreate)
        }
    }
}
