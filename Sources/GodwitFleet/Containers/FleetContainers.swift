internal import Godwit
package import GodwitModel
internal import GodwitStore

/// The containers of a fleet, or of a shard of it: names in byte order, each once.
///
/// Below a folder a name is the path relative to it; in a list or behind a glob it is the path itself.
package struct FleetContainers: Sendable {
    /// The folder, glob or list as given.
    package let place: String
    /// The folder that names are relative to; nil where a name is a path.
    package let root: String?
    /// What there is to do.
    package private(set) var names: [String]
    /// What can't be done, and why: a row each, though nothing is begun there.
    package private(set) var unreadable: [(name: String, error: GodwitError)]

    package init(
        place: String, root: String?, names: [String], unreadable: [(name: String, error: GodwitError)] = []
    ) {
        self.place = place
        self.root = root
        self.names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.unreadable = unreadable
    }

    /// How many rows there are.
    package var count: Int { names.count + unreadable.count }

    /// Where a container is.
    package func path(of name: String) -> String {
        guard let root else { return name }
        return name == "." ? root : PathText.join(root, name)
    }

    /// What the fleet is told by: the names of what can be done and of what can't.
    package var identity: FleetIdentity {
        let all = (names + unreadable.map(\.name)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return FleetIdentity(containers: all.count, sha256: sha256Hex(all.flatMap { Array($0.utf8) + [0] }))
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
