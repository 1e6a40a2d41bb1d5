package import GodwitModel

/// The folder with the data of one app, in which every path of the manifest is resolved.
///
/// Invariant: after all links are followed, a resolved path is inside the container or a group container. A manifest
/// cannot refer to files of others.
package struct Container: Sendable {
    package let given: String
    package let root: String
    /// The group containers, with links resolved.
    package let groups: [String]
    package let layout: InspectedLayout
    /// The folders that were searched; for a copy, those of the original container.
    package let places: [String]

    /// Opens a container: a sandbox directory, an `.xcappdata` bundle (its `AppData`), or a folder `Containers/<id>` of
    /// macOS (its `Data`).
    package init(_ path: String, groups: [String] = []) throws(GodwitError) {
        given = path
        (root, layout) = try Self.resolveRoot(path)
        var resolved: [String] = []
        for group in groups { resolved.append(try Self.resolveRoot(group).root) }
        self.groups = resolved
        places = [root] + resolved
    }

    /// A private copy of a container, for a plan; reports name the original.
    package init(dryRunOf original: Container, at copy: String) throws(GodwitError) {
        given = original.given
        root = try Self.resolveRoot(copy, isPlain: true).root
        layout = original.layout
        groups = []
        places = original.places
    }

    /// The other folders that have a file with this name; only the file in the first folder is used.
    package func otherPlaces(of relative: String) throws(GodwitError) -> [String] {
        var found: [(place: String, file: FileStatus)] = []
        for place in places {
            // A folder may be named twice, or be a link to another one.
            guard let file = try FileStatus.of(PathText.join(place, relative)),
                !found.contains(where: { $0.file.isSameFile(as: file) })
            else { continue }
            found.append((place, file))
        }
        return found.dropFirst().map(\.place)
    }

    /// - Parameter isPlain: whether the folder itself is the container, in any layout.
    private static func resolveRoot(
        _ path: String, isPlain: Bool = false
    ) throws(GodwitError) -> (root: String, layout: InspectedLayout) {
        guard let status = try FileStatus.of(path) else {
            throw GodwitError(
                .container, .noInput, "no container at `\(path)`",
                hint: PathText.nearestHint(path)
                    ?? Wording.text(
                        commandLine: "Name the app's container with --container, or set GODWIT_CONTAINER.",
                        library: "Check the folder of the `ContainerLocation`."))
        }
        guard status.isDirectory else {
            throw GodwitError(
                .container, .noInput, "the container `\(path)` is not a folder",
                hint: "Name the folder that contains `Library/`.")
        }
        guard let real = PathText.real(path) else {
            throw GodwitError(
                .container, .noInput, "the path of the container `\(path)` has a name that is not UTF-8",
                hint: "Give that folder a name in UTF-8.")
        }
        if isPlain { return (real, .folder) }
        if let refusal = DeviceBackup.refusal(of: real, named: path) { throw refusal }
        guard real.hasSuffix(".xcappdata") else { return try layout(of: real) }
        guard let inside = PathText.real(real + "/AppData"), try FileStatus.of(inside)?.isDirectory == true else {
            throw GodwitError(
                .container, .noInput, "`\(path)` has no AppData folder",
                hint: "Download the container again from Xcode.")
        }
        return (inside, .xcappdata)
    }

    /// Finds the sandbox in a folder that is not a sandbox itself: a downloaded bundle, or a container of macOS.
    private static func layout(of real: String) throws(GodwitError) -> (root: String, layout: InspectedLayout) {
        if try isSandbox(real) { return (real, .sandbox) }
        for (name, layout) in [("AppData", InspectedLayout.xcappdata), ("Data", .macOS)] {
            // A link may refer to data of another app or user.
            guard try FileStatus.ofLink(real + "/" + name)?.isDirectory == true, try isSandbox(real + "/" + name) else {
                continue
            }
            return (real + "/" + name, layout)
        }
        return (real, .folder)
    }

    private static func isSandbox(_ folder: String) throws(GodwitError) -> Bool {
        for name in ["Library", "Documents"] {
            if try FileStatus.of(PathText.join(folder, name))?.isDirectory == true { return true }
        }
        return false
    }

    /// The full path of a file named in the manifest, which need not exist; 78 if it is outside of the container.
    package func resolve(_ relative: String) throws(GodwitError) -> String {
        for base in [root] + groups {
            let path = PathText.join(base, relative)
            guard try FileStatus.ofLink(path) != nil else { continue }
            return try Self.resolve(path, below: base, relative)
        }
        return try Self.resolve(PathText.join(root, relative), below: root, relative)
    }

    /// The full path of a file in the container, or in the group container with this index; it need not exist.
    package func resolve(_ relative: String, inGroup group: Int?) throws(GodwitError) -> (path: String, root: String) {
        // In a plan, all of them are copied into one folder.
        let base = group.flatMap { groups.indices.contains($0) ? groups[$0] : nil } ?? root
        return (try Self.resolve(PathText.join(base, relative), below: base, relative), base)
    }

    private static func resolve(_ path: String, below base: String, _ relative: String) throws(GodwitError) -> String {
        // Missing parts at the end have no real path yet, so the deepest existing folder decides.
        var existing = path
        var missing: [String] = []
        while PathText.real(existing) == nil {
            let link = try FileStatus.ofLink(existing)
            guard link == nil else {
                throw GodwitError(
                    .container, .noInput, "`\(relative)` is a symbolic link to a file that does not exist",
                    hint: "Remove the link, or restore its target.")
            }
            missing.insert(PathText.lastPart(of: existing), at: 0)
            existing = PathText.directory(of: existing)
        }
        let real = PathText.real(existing) ?? existing
        // A `..` after a missing part would leave the folder as soon as that part is created.
        guard !missing.contains(".."), let inside = try Self.path(of: real, below: base) else {
            guard PathText.real(base) != nil else {
                throw GodwitError(
                    .container, .noInput, "the container `\(base)` does not exist any more",
                    hint: "Put the container back, then run the same command again.")
            }
            throw GodwitError(
                .container, .manifest, "`\(relative)` is outside of the container",
                hint: "Name a file inside the container, also for the target of a symbolic link.")
        }
        return missing.isEmpty ? inside : inside + "/" + missing.joined(separator: "/")
    }

    /// A path, links resolved, as one that begins with a folder's path; nil if the folder is not above it.
    ///
    /// Folders are compared by identity: a volume may ignore letter case or Unicode form, and may be mounted twice.
    package static func path(of real: String, below folder: String) throws(GodwitError) -> String? {
        if PathText.isInside(real, folder) { return real }
        guard let identity = try FileStatus.of(folder) else { return nil }
        var names: [String] = []
        var ancestor = real
        while try FileStatus.of(ancestor)?.isSameFile(as: identity) != true {
            guard ancestor.utf8.count > 1 else { return nil }
            names.insert(PathText.lastPart(of: ancestor), at: 0)
            ancestor = PathText.directory(of: ancestor)
        }
        return names.reduce(folder) { PathText.join($0, $1) }
    }

    /// Throws (78) if two stores are one file, also through a link.
    package func requireDistinct(_ first: String, _ second: String, names: (String, String)) throws(GodwitError) {
        let one = try FileStatus.of(first)
        let other = try FileStatus.of(second)
        let isSame =
            first.utf8.elementsEqual(second.utf8) || (one.flatMap { a in other.map { a.isSameFile(as: $0) } } ?? false)
        guard !isSame else {
            throw GodwitError(
                .container, .manifest, "`\(names.0)` and `\(names.1)` are the same file",
                hint: "Name two different files as `local:` and `cloud:` in the manifest.")
        }
    }
}
