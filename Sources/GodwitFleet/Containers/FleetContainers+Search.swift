package import Godwit
package import GodwitModel

extension FleetContainers {
    /// Finds the containers of a fleet; a list is read once.
    ///
    /// Links below a folder are not followed. A pattern or list may have several names for one container, recognized by
    /// device and inode: the command works on it once, with the first name in byte order, and gives a warning. A listed
    /// path that does not exist or is not a folder becomes a row that cannot be done. The command checks whether a
    /// folder has files of the app.
    ///
    /// - Parameter expectations: The folder with an expectation for each container below a folder; see
    ///   `Migration.containers`.
    /// - Throws: 66 if no container is found, 65 for a list beyond its limits.
    package static func find(
        _ source: FleetSource, of migration: Migration, expecting expectations: String? = nil,
        cancellation: Cancellation = Cancellation()
    ) throws(GodwitError) -> FleetContainers {
        switch source {
        case .folder(let folder):
            let found = try migration.containers(below: folder, expecting: expectations, cancellation: cancellation)
            let warnings = leftOut(found.links, below: folder)
            let containers = FleetContainers(
                place: folder, root: folder, names: found.names, unreadable: found.unreadable, warnings: warnings)
            guard !containers.isEmpty else {
                throw GodwitError(
                    .fleet, .noInput, "no container of \(migration.app) in `\(folder)` or its folders",
                    hint: warnings.first.map { "Name the target of the link: \($0)." }
                        ?? "Check the paths in the manifest: a container has at least one file of these paths."
                )
            }
            return containers
        case .glob(let pattern): return try matching(pattern, cancellation)
        case .list(let path):
            return try listed(in: ContainerList(reading: path, cancellation: cancellation), place: path, cancellation)
        case .standardInput:
            return try listed(in: ContainerList(reading: nil, cancellation: cancellation), place: "-", cancellation)
        }
    }

    /// The warning about links to containers outside the folder, which were not followed.
    private static func leftOut(_ links: [String], below folder: String) -> [String] {
        guard let first = links.first else { return [] }
        let one = links.count == 1
        return [
            "\(links.count.counted("link")) in `\(folder)` \(one ? "leads" : "lead") to "
                + "\(one ? "a container" : "containers") elsewhere, and \(one ? "was" : "were") not "
                + "followed\(one ? ":" : "; the first is") `\(first)`; a list or a pattern can name "
                + "\(one ? "it" : "them")"
        ]
    }

    /// Adds a warning if some named folders have no files of the app; throws 66 if none has.
    ///
    /// Such folders are processed without a result, for example if a pattern matches one level too high or too low.
    func examined(
        by migration: Migration, _ cancellation: Cancellation
    ) throws(GodwitError) -> FleetContainers {
        var empty: [String] = []
        for name in names {
            try cancellation.check(.fleet)
            // A folder that cannot be read is reported when the command works on it.
            if (try? migration.isContainer(name)) == false { empty.append(name) }
        }
        guard let first = empty.first else { return self }
        let message =
            "\(empty.count.counted("folder")) named by \(place) \(empty.count == 1 ? "has" : "have") no "
            + "file of \(migration.app); the first is `\(first)`"
        guard empty.count < names.count else {
            throw GodwitError(
                .fleet, .noInput, message,
                hint: "Name the folders that contain `Library/`, or the first folders of the manifest's paths.")
        }
        return adding([message])
    }

    private var isEmpty: Bool { names.isEmpty && unreadable.isEmpty }

    private static func matching(_ pattern: String, _ cancellation: Cancellation) throws(GodwitError) -> FleetContainers
    {
        let search = try GlobSearch(pattern, cancellation: cancellation)
        var census = UniqueContainers(cancellation: cancellation)
        try census.add(search.folders)
        let containers = census.containers(place: pattern, also: search.unreadable)
        guard !containers.isEmpty else {
            throw GodwitError(
                .fleet, .noInput, "no folder matches `\(pattern)`",
                hint:
                    "Write the pattern relative to the current folder; for a name that begins with a dot, "
                    + "write the dot.")
        }
        return containers
    }

    private static func listed(
        in list: ContainerList, place: String, _ cancellation: Cancellation
    ) throws(GodwitError) -> FleetContainers {
        var census = UniqueContainers(cancellation: cancellation)
        try census.add(list.paths)
        let wrong = list.wrong.map { (name: $0, error: Self.withoutText) }
        let containers = census.containers(place: place, also: wrong)
        guard !containers.isEmpty else {
            throw GodwitError(
                .fleet, .noInput, "the list \(place == "-" ? "on standard input" : place) is empty",
                hint: "Write the path of a container on each line, relative to the current folder.")
        }
        return containers
    }

    private static var withoutText: GodwitError {
        GodwitError(
            .fleet, .noInput, "this row of the list is not UTF-8, so it is not a path",
            hint: "Write the list as UTF-8, or give the folder another name.")
    }
}
