internal import Godwit
internal import GodwitFiles
package import GodwitModel

/// The containers of a fleet, or of a shard of it: names in byte order, each once.
///
/// Below a folder a name is the path relative to it; in a list or behind a glob it is the path itself.
package struct FleetContainers: Sendable {
    /// The folder, glob or list as given.
    package let place: String
    /// The folder that names are relative to; nil where a name is a path.
    package let root: String?
    /// The same without links.
    private let realRoot: String?
    /// What there is to do.
    package private(set) var names: [String]
    /// What can't be done, and why: a row each, though nothing is begun there.
    package private(set) var unreadable: [(name: String, error: GodwitError)]
    /// What a person should know though nothing is wrong: a container that has several names.
    package private(set) var warnings: [String]

    package init(
        place: String, root: String?, names: [String], unreadable: [(name: String, error: GodwitError)] = [],
        warnings: [String] = []
    ) {
        self.place = place
        self.root = root
        realRoot = root.flatMap(PathText.real)
        self.names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.unreadable = unreadable
        self.warnings = warnings
    }

    /// The same with more for a person to know.
    func adding(_ warnings: [String]) -> FleetContainers {
        var containers = self
        containers.warnings += warnings
        return containers
    }

    /// How many rows there are.
    package var count: Int { names.count + unreadable.count }

    /// Where a container is.
    package func path(of name: String) -> String {
        guard let root else { return name }
        return name == "." ? root : PathText.join(root, name)
    }

    /// Throws (75) where a container below the folder is reached by a link by now: somebody has put one in its place, and what
    /// it leads to was never a part of the fleet.
    package func requireInPlace(_ name: String) throws(GodwitError) {
        guard let realRoot, let found = PathText.real(path(of: name)) else { return }
        let place = name == "." ? realRoot : PathText.join(realRoot, name)
        guard !found.utf8.elementsEqual(place.utf8) else { return }
        throw GodwitError(
            .fleet, .busy, "\(path(of: name)) was moved or replaced since the containers were looked for.",
            hint: "Run the same command again when it is where it belongs.")
    }

    /// What the fleet is told by: where its names count from, and the names of what can be done and of what can't.
    package var identity: FleetIdentity {
        let all = names + unreadable.map(\.name)
        var identity = FleetIdentity(of: all)
        if let root = root ?? (all.contains { !$0.hasPrefix("/") } ? "." : nil) {
            identity.root = PathText.real(root) ?? root
        }
        return identity
    }

    /// Throws (73) where an output would go under the name of one of the apps' own files.
    package func requireUnreserved(_ outputs: [String?], for work: ContainerWork) throws(GodwitError) {
        for output in outputs.compactMap(\.self) {
            for name in names { try work.pipeline.at(path(of: name)).requireUnreserved(output: output) }
        }
    }

    /// The containers that a condition holds for.
    package func filter(_ isTaken: (String) -> Bool) -> FleetContainers {
        var share = self
        share.names = names.filter(isTaken)
        share.unreadable = unreadable.filter { isTaken($0.name) }
        return share
    }
}

extension FleetIdentity {
    /// What some containers are told by, whatever order their names are in.
    package init(of names: [String]) {
        var bytes: [UInt8] = []
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            bytes += Array(name.utf8)
            bytes.append(0)
        }
        self.init(containers: names.count, sha256: sha256Hex(bytes))
    }
}
