package import GodwitModel

/// A directory laid out as an app sandbox, with every path of the manifest found inside it.
///
/// Invariant: a resolved path lies inside the container (or a group container) after every link is followed. A manifest
/// must not be able to point Godwit at files that are not the app's.
package struct Container: Sendable {
    /// As given on the command line.
    package let given: String
    /// With links resolved.
    package let root: String
    /// The group containers, likewise.
    package let groups: [String]
    /// How it is laid out.
    package let layout: InspectedLayout
    /// Where files were looked for, before a rehearsal put copies of them together.
    package let places: [String]

    /// Opens a container: a directory laid out as a sandbox, an `.xcappdata` bundle, whose `AppData` it is, or macOS's
    /// `Containers/<id>`, whose `Data` it is.
    package init(_ path: String, groups: [String] = []) throws(GodwitError) {
        given = path
        (root, layout) = try Self.resolveRoot(path)
        var resolved: [String] = []
        for group in groups { resolved.append(try Self.resolveRoot(group).root) }
        self.groups = resolved
        places = [root] + resolved
    }

    /// A private copy of a container, for a rehearsal: reports name the one it stands for.
    package init(rehearsing original: Container, at copy: String) throws(GodwitError) {
        given = original.given
        root = try Self.resolveRoot(copy, isPlain: true).root
        layout = original.layout
        groups = []
        places = original.places
    }

    /// Where else another file of this name is, besides the first place that has one; only that one is used.
    package func otherPlaces(of relative: String) throws(GodwitError) -> [String] {
        var found: [(place: String, file: FileStatus)] = []
        for place in places {
            // A place may be named twice, or lead to another by a link.
            guard let file = try FileStatus.of(PathText.join(place, relative)),
                !found.contains(where: { $0.file.isSameFile(as: file) })
            else { continue }
            found.append((place, file))
        }
        return found.dropFirst().map(\.place)
    }

    /// - Parameter isPlain: whether the folder itself is the container, whatever lies in it.
    private static func resolveRoot(
        _ path: String, isPlain: Bool = false
    ) throws(GodwitError) -> (root: String, layout: InspectedLayout) {
        guard let status = try FileStatus.of(path) else {
            throw GodwitError(
                .container, .noInput, "There is no container \(path).",
                hint: PathText.nearestHint(path)
                    ?? "Name the app's sandbox directory with --container, or set GODWIT_CONTAINER.")
        }
        guard status.isDirectory else {
            throw GodwitError(
                .container, .noInput, "The container \(path) is not a directory.",
                hint: "Name the directory that holds Library/.")
        }
        guard let real = PathText.real(path) else {
            throw GodwitError(
                .container, .noInput, "The container \(path) lies under a name that is not UTF-8.",
                hint: "Rename that folder; Godwit handles names that are UTF-8.")
        }
        if isPlain { return (real, .folder) }
        if let refusal = DeviceBackup.refusal(of: real, named: path) { throw refusal }
        guard real.hasSuffix(".xcappdata") else { return try layout(of: real) }
        guard let inside = PathText.real(real + "/AppData"), try FileStatus.of(inside)?.isDirectory == true else {
            throw GodwitError(
                .container, .noInput, "\(path) has no AppData inside.",
                hint: "Download the container again from Xcode.")
        }
        return (inside, .xcappdata)
    }

    /// A folder that is no sandbox, but has one in it where a downloaded bundle or macOS puts it.
    private static func layout(of real: String) throws(GodwitError) -> (root: String, layout: InspectedLayout) {
        if try isSandbox(real) { return (real, .sandbox) }
        for (name, layout) in [("AppData", InspectedLayout.xcappdata), ("Data", .macOS)] {
            // A link may lead to anybody's data.
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

    /// The full path of a file named in the manifest, whether or not it is there; 78 where it leaves the container.
    package func resolve(_ relative: String) throws(GodwitError) -> String {
        for base in [root] + groups {
            let path = PathText.join(base, relative)
            guard try FileStatus.ofLink(path) != nil else { continue }
            return try Self.resolve(path, below: base, relative)
        }
        return try Self.resolve(PathText.join(root, relative), below: root, relative)
    }

    /// The full path of a file in the container, or in one of the group containers by its number, whether or not it is there.
    package func resolve(_ relative: String, inGroup group: Int?) throws(GodwitError) -> (path: String, root: String) {
        // In a rehearsal all of them are one folder.
        let base = group.flatMap { groups.indices.contains($0) ? groups[$0] : nil } ?? root
        return (try Self.resolve(PathText.join(base, relative), below: base, relative), base)
    }

    private static func resolve(_ path: String, below base: String, _ relative: String) throws(GodwitError) -> String {
        // Missing parts at the end have no real path yet: the deepest folder that is there decides.
        var existing = path
        var missing: [String] = []
        while PathText.real(existing) == nil {
            let link = try FileStatus.ofLink(existing)
            guard link == nil else {
                throw GodwitError(
                    .container, .noInput, "\(relative) is a symbolic link that leads nowhere.",
                    hint: "Remove the link or restore what it led to.")
            }
            missing.insert(PathText.lastPart(of: existing), at: 0)
            existing = PathText.directory(of: existing)
        }
        let real = PathText.real(existing) ?? existing
        // Dots behind a part that is missing are no link's doing yet, but would lead out once it was made.
        guard !missing.contains(".."), PathText.isInside(real, base) else {
            guard PathText.real(base) != nil else {
                throw GodwitError(
                    .container, .noInput, "There is no container \(base) any more.",
                    hint: "Run the same command again when the container is where it belongs.")
            }
            throw GodwitError(
                .container, .manifest, "\(relative) leads out of the container.",
                hint: "Only files inside the container can be named, also through symbolic links.")
        }
        return missing.isEmpty ? real : real + "/" + missing.joined(separator: "/")
    }

    /// Throws (78) where two stores are one file, also through a link.
    package func requireDistinct(_ first: String, _ second: String, names: (String, String)) throws(GodwitError) {
        let one = try FileStatus.of(first)
        let other = try FileStatus.of(second)
        let isSame =
            first.utf8.elementsEqual(second.utf8) || (one.flatMap { a in other.map { a.isSameFile(as: $0) } } ?? false)
        guard !isSame else {
            throw GodwitError(
                .container, .manifest, "\(names.0) and \(names.1) are one and the same file.",
                hint: "Name two different files as `local:` and `cloud:` in the manifest.")
        }
    }
}
