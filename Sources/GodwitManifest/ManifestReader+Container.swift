internal import GodwitModel

/// The paths inside the container: relative, without `..`, and each of another file.
extension ManifestReader {
    func container() throws(GodwitError) -> ContainerPaths {
        guard
            let section = try top.section(
                "container", required: ["preferences", "local", "cloud"], optional: ["syncEvents"])
        else { throw .manifest(file, top.position, "missing key `container` in the manifest") }
        var taken: [TakenPath] = []
        let (preferences, optional) = try preferences(section, &taken)
        let (local, layout) = try local(section, &taken)
        let cloud = try path(section, "cloud", &taken)
        let syncEvents = section["syncEvents"] == nil ? nil : try path(section, "syncEvents", &taken)
        return ContainerPaths(
            preferences: preferences, optionalPreferences: optional, local: local, localLayout: layout, cloud: cloud,
            syncEvents: syncEvents)
    }

    /// A list of `path` or `{ path, optional }`.
    private func preferences(
        _ section: ManifestSection, _ taken: inout [TakenPath]
    ) throws(GodwitError) -> (all: [String], optional: [String]) {
        let items = try section.items("preferences") ?? []
        guard !items.isEmpty, items.count <= 100 else {
            let position = section["preferences"]?.position ?? section.position
            throw .manifest(
                file, position, "`container.preferences` must list 1 to 100 files",
                hint: "List at least the file that has the completion flag.")
        }
        var (paths, optional): ([String], [String]) = ([], [])
        for item in items {
            guard case .mapping = item.node.content else {
                paths.append(try path(item.node, at: item.path, section, &taken))
                continue
            }
            let inner = try ManifestSection(
                item.node, at: item.path, file: file, required: ["path"], optional: ["optional"])
            paths.append(try path(inner, "path", &taken))
            if try inner.boolean("optional") == true { optional.append(paths[paths.count - 1]) }
        }
        return (paths, optional)
    }

    /// `local: path` or `local: { path, layout }`.
    private func local(
        _ section: ManifestSection, _ taken: inout [TakenPath]
    ) throws(GodwitError) -> (String, StoreLayout) {
        guard let node = section["local"], case .mapping = node.content else {
            return (try path(section, "local", &taken), .sqlite)
        }
        let inner = try ManifestSection(
            node, at: "container.local", file: file, required: ["path"], optional: ["layout"])
        return (try path(inner, "path", &taken), try inner.word("layout", StoreLayout.self) ?? .sqlite)
    }

    private func path(
        _ section: ManifestSection, _ key: String, _ taken: inout [TakenPath]
    ) throws(GodwitError) -> String {
        guard let node = section[key] else {
            throw .manifest(file, section.position, "missing key `\(key)` in \(section.title)")
        }
        return try path(node, at: section.path(of: key), section, &taken)
    }

    private func path(
        _ node: ManifestNode, at yamlPath: String, _ section: ManifestSection, _ taken: inout [TakenPath]
    ) throws(GodwitError) -> String {
        let text = try section.text(node, at: yamlPath)
        if let fault = Self.fault(inPath: text) {
            throw section.refusal(
                node, "the path \(named(yamlPath)) \(fault)",
                hint: "Write a path relative to the container, such as `Library/Preferences/name.plist`.")
        }
        let path = TakenPath(yamlPath: yamlPath, path: text)
        for other in taken {
            guard let clash = path.clash(with: other) else { continue }
            throw section.refusal(node, "the path \(named(yamlPath)) \(clash) \(named(other.yamlPath))")
        }
        taken.append(path)
        return text
    }

    /// Why a path is unsafe, as the end of a sentence.
    static func fault(inPath path: String) -> String? {
        if path.hasPrefix("/") { return "is absolute" }
        if path.utf8.contains(UInt8(ascii: "\\")) { return "contains a backslash" }
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            if part.isEmpty { return "has an empty part" }
            if part == ".." { return "leaves the container with `..`" }
            if part == "." { return "has a part `.`" }
            if part == "~" { return "has a part `~`" }
            // Godwit deletes files with such a name as leftovers of a stopped run.
            if part.lowercased().hasPrefix(".godwit-") {
                return "has a part that begins with `.godwit-`, which is reserved"
            }
            if part.utf8.count > 255 { return "has a part of more than 255 bytes" }
        }
        return path.utf8.count > 1000 ? "is longer than 1000 bytes" : nil
    }
}

/// A path that the manifest has already named.
private struct TakenPath {
    let yamlPath: String
    /// In lower case, because Apple's file systems ignore case by default.
    private let folded: String

    init(yamlPath: String, path: String) {
        self.yamlPath = yamlPath
        self.folded = path.lowercased()
    }

    /// How the two paths conflict, as the start of a phrase that ends with the other's name; nil for no conflict.
    func clash(with other: TakenPath) -> String? {
        if folded == other.folded { return "names the same file as" }
        if folded.hasPrefix(other.folded + "/") { return "is inside" }
        if other.folded.hasPrefix(folded + "/") { return "contains" }
        for suffix in ["-wal", "-shm", "-journal"] {
            if folded == other.folded + suffix || folded + suffix == other.folded {
                return "names a file that SQLite makes next to"
            }
        }
        return nil
    }
}
