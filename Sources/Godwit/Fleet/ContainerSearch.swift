internal import GodwitFiles
internal import GodwitModel
internal import GodwitBackup

/// Finds every container of an app below a folder.
///
/// A folder is a container where at least one of the files is there that the manifest names as preferences, local or
/// cloud store, a log or journal of a store, or a file with a similar name; an `.xcappdata` bundle where its `AppData` has one, or is missing. Nothing is looked for inside a container, and links
/// are not followed: containers behind them are reported, unless they are below the folder as well.
struct ContainerSearch {
    let manifest: Manifest
    let cancellation: Cancellation

    /// Folders inside one another at most.
    static let depth = 64

    /// The results in the order of the paths: containers, and folders that cannot be read.
    struct Found {
        var containers: [String] = []
        var unreadable: [(folder: String, error: GodwitError)] = []
        /// Links to containers that are elsewhere.
        var links: [String] = []
        /// The reasons why backups of devices are not containers.
        var backups: [GodwitError] = []
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
                    if folder.hasSuffix(".xcappdata"), try isLink(PathText.join(folder, "AppData")) {
                        found.unreadable.append((path, Self.linked(folder)))
                    } else {
                        found.containers.append(path)
                    }
                    continue
                }
                guard depth < Self.depth, !StoredBackup.isBackup(folder) else { continue }
                if let error = DeviceBackup.refusal(of: folder) {
                    found.backups.append(error)
                    continue
                }
                for name in try PathText.textNames(in: folder, stage: .verify) where !PathText.isArchiveResidue(name) {
                    guard let status = try FileStatus.ofLink(PathText.join(folder, name)) else { continue }
                    let inside = path == "." ? name : "\(path)/\(name)"
                    if status.isDirectory { waiting.append((inside, depth + 1)) }
                    if status.isSymbolicLink, leadsAway(inside, from: root) { found.links.append(inside) }
                }
                for name in PathText.unreadableFolders(in: folder) {
                    found.unreadable.append((path == "." ? name : "\(path)/\(name)", Self.unreadable))
                }
            } catch {
                found.unreadable.append((path, error))
            }
        }
        found.containers.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        found.links.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return found
    }

    func isContainer(_ folder: String) throws(GodwitError) -> Bool {
        let isBundle = folder.hasSuffix(".xcappdata")
        let inside = isBundle ? PathText.join(folder, "AppData") : folder
        // Without its AppData a bundle is one that lost it.
        if isBundle, try FileStatus.of(inside) == nil { return true }
        let paths = manifest.container
        let stores = [paths.local, paths.cloud].flatMap { [$0, $0 + "-wal", $0 + "-journal"] }
        for name in paths.preferences + stores
        where try FileStatus.ofLink(PathText.join(inside, name)) != nil { return true }
        // A folder with files only under similar names is included: the command fails for it by name.
        return Container.hasSimilarFile(to: paths.preferences + [paths.local, paths.cloud], in: inside)
    }

    /// Whether the target of a link is a container outside of the folder.
    private func leadsAway(_ link: String, from root: String) -> Bool {
        guard let top = PathText.real(root), let real = PathText.real(PathText.join(root, link)) else { return false }
        return real != top && !real.hasPrefix(top == "/" ? top : top + "/") && (try? isContainer(real)) == true
    }

    private func isLink(_ path: String) throws(GodwitError) -> Bool {
        try FileStatus.ofLink(path)?.isSymbolicLink == true
    }

    private static func linked(_ folder: String) -> GodwitError {
        GodwitError(
            .container, .noInput, "the AppData folder in `\(folder)` is a link, which is not followed",
            hint: "Name the target of the link, or remove the bundle from the list.")
    }

    private static var unreadable: GodwitError {
        GodwitError(
            .container, .noInput, "the name of this folder is not UTF-8, so Godwit can't search it",
            hint: "Give it another name.")
    }
}
