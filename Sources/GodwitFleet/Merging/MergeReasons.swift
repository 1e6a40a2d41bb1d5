internal import GodwitModel

/// Why reports are not those of the shards of one fleet: pure, all reasons at once, the most severe first.
struct MergeReasons {
    /// Clauses without a full stop; empty if nothing prevents a merge.
    private(set) var texts: [String] = []

    init(of shards: [ShardReport]) {
        guard let first = shards.first else { return }
        for other in shards.dropFirst() { addDifferences(of: other, from: first) }
        addWholes(shards)
        // For different fleets, further checks have no meaning.
        guard texts.isEmpty else { return }
        addShards(shards)
        for shard in shards { addContainers(of: shard) }
        addContainersInSeveral(shards)
        for shard in shards { addShare(of: shard) }
        guard texts.isEmpty else { return }
        addUnion(shards, first.fleet)
    }

    /// Adds differences in what all shards of a fleet share.
    private mutating func addDifferences(of other: ShardReport, from first: ShardReport) {
        var found: [String] = []
        if other.command != first.command { found.append("command") }
        if !other.app.utf8.elementsEqual(first.app.utf8) { found.append("app") }
        if other.dryRun != first.dryRun { found.append("--dry-run") }
        if let one = other.settings, let two = first.settings, one != two { found.append("manifest or options") }
        if other.fleet?.root != first.fleet?.root {
            found.append("folder that names are relative to")
        } else if other.fleet != first.fleet {
            found.append("fleet")
        }
        if let one = other.shard, let two = first.shard, one.count != two.count {
            found.append("number of shards (\(one.count.grouped), not \(two.count.grouped))")
        }
        guard !found.isEmpty else { return }
        texts.append("\(other.file) has another \(found.joined(separator: ", another ")) than \(first.file)")
    }

    /// A report of a whole fleet cannot be merged with others.
    private mutating func addWholes(_ shards: [ShardReport]) {
        guard shards.count > 1 else { return }
        for shard in shards where shard.shard == nil {
            texts.append("\(shard.file) is of a whole fleet, not of a shard")
        }
        for shard in shards where shard.shard != nil && shard.fleet == nil {
            texts.append("\(shard.file) does not name its fleet")
        }
    }

    private mutating func addShards(_ shards: [ShardReport]) {
        guard let count = shards.first?.shard?.count else { return }
        let byIndex = Dictionary(grouping: shards) { $0.shard?.index ?? 0 }
        for index in 1...count {
            let files = byIndex[index] ?? []
            if files.isEmpty { texts.append("shard \(index)/\(count) is missing") }
            if files.count > 1 {
                texts.append("shard \(index)/\(count) occurs twice (\(files.map(\.file).joined(separator: ", ")))")
            }
        }
    }

    /// Adds containers that belong to another shard, or that a shard has more than once.
    private mutating func addContainers(of report: ShardReport) {
        for name in report.doneTwice { texts.append("\(name) was processed twice, as \(report.file) says") }
        var known: Set<[UInt8]> = []
        for entry in report.entries where !known.insert(Array(entry.container.utf8)).inserted {
            texts.append("\(entry.container) occurs twice in \(report.file)")
        }
        guard let shard = report.shard else { return }
        for entry in report.entries where !shard.takes(entry.container) {
            let right = Shard.index(of: entry.container, among: shard.count)
            texts.append(
                "\(entry.container) is in \(report.file), but belongs to shard \(right)/\(shard.count), "
                    + "not \(shard)")
        }
    }

    private mutating func addContainersInSeveral(_ shards: [ShardReport]) {
        var shardIndices: [[UInt8]: Int] = [:]
        for (index, report) in shards.enumerated() {
            for entry in report.entries {
                guard let other = shardIndices.updateValue(index, forKey: Array(entry.container.utf8)) else { continue }
                // Inside the same shard, this is already reported.
                guard shards[other].shard != report.shard else { continue }
                texts.append("\(entry.container) is in \(shards[other].file) and in \(report.file)")
            }
        }
    }

    /// Compares with the containers in the journal's header.
    private mutating func addShare(of report: ShardReport) {
        guard let share = report.share else { return }
        let found = FleetIdentity(of: report.entries.map(\.container))
        guard !found.hasSameNames(as: share) else { return }
        let name = report.shard.map { "shard \($0)" } ?? "the fleet"
        if found.containers < share.containers {
            let missing = share.containers - found.containers
            texts.append(
                "\(missing.grouped) of the \(share.containers.counted("container")) of \(name) "
                    + "\(missing == 1 ? "is" : "are") missing (\(report.file))")
        } else {
            texts.append("\(report.file) has other containers than \(name)")
        }
    }

    /// Compares all shards together with the fleet.
    private mutating func addUnion(_ shards: [ShardReport], _ fleet: FleetIdentity?) {
        guard let fleet else { return }
        let found = FleetIdentity(of: shards.flatMap { $0.entries.map(\.container) })
        guard !found.hasSameNames(as: fleet) else { return }
        switch fleet.containers - found.containers {
        case let missing where missing > 0:
            texts.append(
                "\(missing.grouped) of the fleet's \(fleet.containers.counted("container")) "
                    + "\(missing == 1 ? "is" : "are") missing")
        case 0: texts.append("the containers are not those of the fleet")
        case let more:
            texts.append("there are \((-more).grouped) more than the fleet's \(fleet.containers.counted("container"))")
        }
    }
}
