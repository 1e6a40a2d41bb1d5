internal import GodwitBackup
internal import GodwitFiles
internal import GodwitModel

/// Folders next to containers that look like one and have none of the app's files: a misspelt folder must not be missed
/// in silence.
extension ContainerSearch {
    /// Adds them to what can't be worked on (66): no command writes to a folder that may be another app's.
    ///
    /// Next to a single container only the folders of the top count: below it, the others may be its group containers.
    func addStrays(to found: inout Found, below root: String) throws(GodwitError) {
        let known = Self.withAncestors(found.containers + found.unreadable.map(\.folder))
        for parent in Self.parents(of: found.containers) {
            let folder = parent == "." ? root : PathText.join(root, parent)
            for name in (try? PathText.textNames(in: folder, stage: .verify)) ?? [] {
                let inside = parent == "." ? name : "\(parent)/\(name)"
                guard !known.contains(Array(inside.utf8)), !name.hasPrefix("."), !PathText.isArchiveResidue(name),
                    try looksLikeContainer(PathText.join(folder, name))
                else { continue }
                let error = GodwitError.noContainer(
                    PathText.join(folder, name), of: manifest,
                    hint: "Correct the names of the folders in it, or move it out of `\(root)`.")
                found.unreadable.append((inside, error))
            }
        }
    }

    /// Paths, as bytes, with those of all folders that they are in.
    private static func withAncestors(_ paths: [String]) -> Set<[UInt8]> {
        var all: Set<[UInt8]> = []
        for path in paths {
            var next: String? = path
            while let inside = next, all.insert(Array(inside.utf8)).inserted {
                next = PathText.directory(ofRelative: inside)
            }
        }
        return all
    }

    /// The folders in which several containers are, and the top folder if one is, in the order of their paths.
    private static func parents(of containers: [String]) -> [String] {
        var counts: [[UInt8]: Int] = [:]
        for container in containers where container != "." {
            counts[Array((PathText.directory(ofRelative: container) ?? ".").utf8), default: 0] += 1
        }
        let top = Array(".".utf8)
        return counts.filter { $0.key == top || $0.value > 1 }.keys.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a folder is empty, or has a store or a property list, or any file in the folders of a sandbox.
    private func looksLikeContainer(_ folder: String) throws(GodwitError) -> Bool {
        guard try FileStatus.ofLink(folder)?.isDirectory == true, !StoredBackup.isBackup(folder),
            DeviceBackup.refusal(of: folder) == nil
        else { return false }
        guard PathText.names(in: folder).contains(where: { !$0.hasPrefix(".") }) else { return true }
        var walk = ContainerWalk(cancellation: cancellation)
        try walk.walk(folder)
        let files = walk.result
        // A JSON file may be an export or an expectation.
        if !files.stores.isEmpty || files.preferences.contains(where: { !$0.name.lowercased().hasSuffix(".json") }) {
            return true
        }
        let isSandbox = (try? Container(folder)).map { $0.layout != .folder } ?? false
        return isSandbox && (files.otherFiles > 0 || !files.preferences.isEmpty)
    }
}
