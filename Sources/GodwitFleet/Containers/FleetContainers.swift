internal import Godwit
internal import GodwitFiles
package import GodwitModel

/// The containers of a fleet or of a shard: names in byte order, each once.
///
/// Below a folder, a name is a path relative to it; in a list or for a pattern it is the path itself.
package struct FleetContainers: Sendable {
    /// The folder, glob or list as given.
    package let place: String
    /// The folder to which names are relative; nil if a name is a path.
    package let root: String?
    /// `root` with links resolved.
    private let realRoot: String?
    package private(set) var names: [String]
    /// Containers that cannot be processed, with the reason; each is a row of the report.
    package private(set) var unreadable: [(name: String, error: GodwitError)]
    /// Warnings, for example about a container with several names.
    package private(set) var warnings: [String]

    package init(
        place: String, root: String?, names: [String], unreadable: [(name: String, error: GodwitError)] = [],
        warnings: [String] = []
    ) {
        (self.place, self.root) = (place, root)
        realRoot = root.flatMap(PathText.real)
        self.names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        (self.unreadable, self.warnings) = (unreadable, warnings)
    }

    /// Returns the containers with further warnings.
    func adding(_ warnings: [String]) -> FleetContainers {
        var containers = self
        containers.warnings += warnings
        return containers
    }

    /// Number of rows.
    package var count: Int { names.count + unreadable.count }

    package func path(of name: String) -> String {
        guard let root else { return name }
        return name == "." ? root : PathText.join(root, name)
    }

    /// Throws (75) if a container below the folder is now reached through a link: another process replaced it, and the
    /// link's target was never part of the fleet.
    package func requireInPlace(_ name: String) throws(GodwitError) {
        guard let realRoot, let found = PathText.real(path(of: name)) else { return }
        let expected = name == "." ? realRoot : PathText.join(realRoot, name)
        guard !found.utf8.elementsEqual(expected.utf8) else { return }
        throw GodwitError(
            .fleet, .busy, "`\(path(of: name))` was moved or replaced since the search for containers",
            hint: "Put it back, then run the same command again.")
    }

    /// The identity of the fleet: the folder of its names, and all names, including those that cannot be processed.
    package var identity: FleetIdentity {
        let all = names + unreadable.map(\.name)
        var identity = FleetIdentity(of: all)
        if let root = root ?? (all.contains { !$0.hasPrefix("/") } ? "." : nil) {
            identity.root = PathText.real(root) ?? root
        }
        return identity
    }

    /// Throws (73) if an output would have the name of a file of an app.
    package func requireUnreserved(_ outputs: [String?], for work: ContainerWork) throws(GodwitError) {
        for output in outputs.compactMap(\.self) {
            for name in names { try work.migration.at(path(of: name)).requireUnreserved(output: output) }
        }
    }

    package func filter(_ isTaken: (String) -> Bool) -> FleetContainers {
        var share = self
        share.names = names.filter(isTaken)
        share.unreadable = unreadable.filter { isTaken($0.name) }
        return share
    }
}

extension FleetIdentity {
    /// The identity of containers, independent of the order of their names.
    package init(of names: [String]) {
        var bytes: [UInt8] = []
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            bytes += Array(name.utf8)
            bytes.append(0)
        }
        self.init(containers: names.count, sha256: sha256Hex(bytes))
    }
}
