internal import GodwitModel
internal import GodwitStore

/// Finds every container of an app below a folder.
///
/// A folder is a container where at least one of the files is there that the manifest names as preferences, local or
/// cloud store; an `.xcappdata` bundle where its `AppData` has one. Nothing is looked for inside a container, and links
/// are not followed.
struct ContainerSearch {
    let manifest: Manifest
    let cancellation: Cancellation

    /// Folders inside one another at most.
    private static let depth = 64

    /// What was found, in the order of the paths: containers, and folders that can't be looked into.
    struct Found {
        var containers: [String] = []
        var unreadable: [(folder: String, error: GodwitError)] = []
    }

    /// Looks through a folder, itself included; paths are relative to it, its own is `.`.
    func find(below root: String) throws(GodwitError) -> Found {
        var found = Found()
        var waiting = [(path: ".", depth: 0)]
        while let (path, depth) = waiting.popLast() {
            try cancellation.check(.verify)
            let folder = path == "." ? root : PathText.join(root, path)
            do throws(GodwitError) {
                if try isContainer(folder) {
                    found.containers.append(path)
                    continue
                }
                guard depth < Self.depth else { continue }
                for name in try PathText.allNames(in: folder, stage: .verify)
                where try FileStatus.ofLink(PathText.join(folder, name))?.isDirectory == true {
                    waiting.append((path == "." ? name : "\(path)/\(name)", depth + 1))
                }
            } catch {
                found.unreadable.append((path, error))
            }
        }
        found.containers.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return found
    }

    private func isContainer(_ folder: String) throws(GodwitError) -> Bool {
        let inside = folder.hasSuffix(".xcappdata") ? PathText.join(folder, "AppData") : folder
        let paths = manifest.container
        for name in paths.preferences + [paths.local, paths.cloud]
        where try FileStatus.ofLink(PathText.join(inside, name)) != nil { return true }
        return false
    }
}
