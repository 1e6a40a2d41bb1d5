internal import GodwitFiles
internal import GodwitModel

/// Collects each container once, under any number of names.
struct UniqueContainers {
    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    let cancellation: Cancellation
    private var names: [String] = []
    private var unreadable: [(name: String, error: GodwitError)] = []
    private var known: [Identity: String] = [:]
    /// Rows whose path does not refer to the folder that its normalized name says, as given.
    private var strayed: [(name: String, error: GodwitError)] = []
    /// Further names of a container, with the first one.
    private var again: [(name: String, first: String)] = []

    init(cancellation: Cancellation) { self.cancellation = cancellation }

    /// Adds paths; the name of a container is the first in byte order, names without `..` first.
    mutating func add(_ paths: [String]) throws(GodwitError) {
        var rows: [(given: String, name: String)] = []
        for given in paths where !LexicalPath.parts(of: given).contains(where: PathText.isArchiveResidue) {
            try cancellation.check(.fleet)
            let name = LexicalPath.normalized(given)
            if let error = Self.straying(given, from: name) {
                strayed.append((given, error))
            } else {
                rows.append((given, name))
            }
        }
        // A name without `..` is better, because it can also name a path below another folder.
        rows.sort { one, other in
            let (up, otherUp) = (one.name.hasPrefix("../"), other.name.hasPrefix("../"))
            return up == otherUp ? one.name.utf8.lexicographicallyPrecedes(other.name.utf8) : otherUp
        }
        var last: String?
        for (given, name) in rows {
            try cancellation.check(.fleet)
            if let last, last.utf8.elementsEqual(name.utf8) {
                again.append((given, name))
                continue
            }
            last = name
            do throws(GodwitError) {
                try add(name)
            } catch {
                unreadable.append((name, error.at(.fleet)))
            }
        }
    }

    /// After a link, `..` is not the folder that has the link; using that folder would process another container.
    private static func straying(_ given: String, from name: String) -> GodwitError? {
        guard LexicalPath.parts(of: given).contains("..") else { return nil }
        let (meant, found) = (try? FileStatus.of(given), try? FileStatus.of(name))
        guard let found, meant?.isSameFile(as: found) != true else { return nil }
        return GodwitError(
            .fleet, .noInput,
            "`\(given)` does not lead to `\(name)`: the part before its `..` is a link, or does not exist",
            hint: "Write the path without `..`.")
    }

    private mutating func add(_ name: String) throws(GodwitError) {
        guard let folder = try FileStatus.of(name) else {
            throw GodwitError(
                .fleet, .noInput, "no container at `\(name)`",
                hint:
                    "Correct or remove the row: relative paths start at the current folder, not at the "
                    + "folder of the list.")
        }
        guard folder.isDirectory else {
            throw GodwitError(
                .fleet, .noInput, "`\(name)` is not a folder",
                hint: "List the folders that contain `Library/`, or .xcappdata bundles.")
        }
        // A bundle and the AppData in it are one container.
        let inside = name.hasSuffix(".xcappdata") ? try FileStatus.of(PathText.join(name, "AppData")) : nil
        let status = inside ?? folder
        let identity = Identity(device: status.device, inode: status.inode)
        if let first = known[identity] {
            again.append((name, first))
        } else {
            known[identity] = name
            names.append(name)
        }
    }

    /// The collected containers, with rows that cannot be processed for other reasons.
    func containers(place: String, also rows: [(name: String, error: GodwitError)]) -> FleetContainers {
        var (all, repeated) = (unreadable, again)
        var taken = Set((names + unreadable.map(\.name)).map { Array($0.utf8) })
        for row in strayed + rows {
            if taken.insert(Array(row.name.utf8)).inserted {
                all.append(row)
            } else {
                repeated.append((row.name, row.name))
            }
        }
        return FleetContainers(
            place: place, root: nil, names: names, unreadable: all, warnings: Self.warnings(repeated))
    }

    /// Number of containers that are named in warnings.
    private static let maxNamed = 10

    private static func warnings(_ again: [(name: String, first: String)]) -> [String] {
        let groups = Dictionary(grouping: again) { Array($0.first.utf8) }.values
            .sorted { $0[0].first.utf8.lexicographicallyPrecedes($1[0].first.utf8) }
        var warnings = groups.prefix(maxNamed).map {
            "\($0.count + 1) names lead to the same container `\($0[0].first)`; Godwit processes it once, "
                + "under this name"
        }
        if groups.count > maxNamed {
            warnings.append(
                "\((groups.count - maxNamed).grouped) more containers have several names; Godwit processes "
                    + "each once")
        }
        return warnings
    }
}
