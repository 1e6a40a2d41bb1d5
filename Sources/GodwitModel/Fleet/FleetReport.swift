/// The result of `run --all`, `verify --all` or `export --all` for a fleet or one shard of it.
package struct FleetReport: Sendable, Codable {
    /// Version of this format.
    package var reportVersion = 1
    /// The command: `run`, `verify` or `export`.
    package var command: String
    /// The manifest's app.
    package var app: String
    /// The folder, glob or list as given.
    package var folder: String
    /// Version of Godwit.
    package var godwitVersion: String
    /// Whether this was a plan: every container was only run as a clone.
    package var dryRun = false
    /// When the command began.
    package var startedAt: Instant
    /// The clock, if it was set by an option.
    package var clock: SetClock?
    /// Duration; for merged reports the sum.
    package var durationMilliseconds: Int64
    /// The whole fleet to which these containers belong.
    package var fleet: FleetIdentity?
    /// The shard; nil for the whole fleet.
    package var shard: Shard?
    /// Number of shards that were merged into this report; nil if none were.
    package var shards: Int?
    /// Number of containers that the journal shows as done by an earlier run.
    package var doneEarlier = 0
    /// All containers, sorted by path.
    package var containers: [FleetEntry]
    /// Number of containers by verdict.
    package var counts: [String: Int]
    /// The slowest containers, slowest first; 10 at most.
    package var slowest: [FleetTiming]
    /// Mapped keys that no container has, among containers whose preferences were read; nil for none.
    package var absentKeys: [String]?

    /// Sorts the entries by path and counts them.
    package init(
        command: FleetCommand, app: String, folder: String, godwitVersion: String, startedAt: Instant,
        durationMilliseconds: Int64, containers: [FleetEntry]
    ) {
        self.command = command.rawValue
        (self.app, self.folder, self.godwitVersion, self.startedAt) = (app, folder, godwitVersion, startedAt)
        self.durationMilliseconds = durationMilliseconds
        self.containers = containers.sorted { $0.container.utf8.lexicographicallyPrecedes($1.container.utf8) }
        counts = command.verdicts.reduce(into: [:]) { $0[$1.rawValue] = 0 }
        for entry in containers { counts[entry.verdict.rawValue, default: 0] += 1 }
        slowest = FleetTiming.slowest(of: self.containers)
        let read = self.containers.compactMap(\.absentKeys)
        let absent = (read.first ?? []).filter { key in
            read.allSatisfy { $0.contains { $0.utf8.elementsEqual(key.utf8) } }
        }
        absentKeys = absent.isEmpty ? nil : absent
    }

    /// Reads a report; fields that earlier versions did not write get their default.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        reportVersion = try fields.decode(Int.self, forKey: .reportVersion)
        command = try fields.decode(String.self, forKey: .command)
        app = try fields.decode(String.self, forKey: .app)
        folder = try fields.decode(String.self, forKey: .folder)
        godwitVersion = try fields.decode(String.self, forKey: .godwitVersion)
        dryRun = try fields.decodeIfPresent(Bool.self, forKey: .dryRun) ?? false
        startedAt = try fields.decode(Instant.self, forKey: .startedAt)
        clock = try fields.decodeIfPresent(SetClock.self, forKey: .clock)
        durationMilliseconds = try fields.decode(Int64.self, forKey: .durationMilliseconds)
        fleet = try fields.decodeIfPresent(FleetIdentity.self, forKey: .fleet)
        shard = try fields.decodeIfPresent(Shard.self, forKey: .shard)
        shards = try fields.decodeIfPresent(Int.self, forKey: .shards)
        doneEarlier = try fields.decodeIfPresent(Int.self, forKey: .doneEarlier) ?? 0
        containers = try fields.decode([FleetEntry].self, forKey: .containers)
        counts = try fields.decode([String: Int].self, forKey: .counts)
        slowest = try fields.decodeIfPresent([FleetTiming].self, forKey: .slowest) ?? []
        absentKeys = try fields.decodeIfPresent([String].self, forKey: .absentKeys)
    }
}

extension FleetReport {
    /// The exit code of a command that reached its end; nil for 0.
    ///
    /// - Parameter isStrict: Whether a partial result or a warning also gives an exit code, `partial`.
    package func verdictCode(isStrict: Bool) -> GodwitError.Code? {
        let open = containers.filter { !$0.verdict.isDone }
        if open.contains(where: { $0.error?.code != GodwitError.Code.partial.rawValue }) { return .difference }
        let isDoubtful = containers.contains { $0.verdict == .partial || $0.warnings != nil }
        return !open.isEmpty || isStrict && isDoubtful ? .partial : nil
    }
}

/// A command that can run on every container of a fleet.
package enum FleetCommand: String, Sendable, Codable, CaseIterable {
    /// All stages.
    case run
    /// Only the checks.
    case verify
    /// One export of each container.
    case export

    /// The verdicts that this command can give.
    package var verdicts: [FleetVerdict] {
        switch self {
        case .verify: [.passed, .failed, .unreadable]
        case .run: [.completed, .unchanged, .partial, .failed]
        case .export: [.completed, .unchanged, .failed]
        }
    }
}

/// The verdict on one container.
package enum FleetVerdict: String, Sendable, Codable, CaseIterable {
    /// `verify`: every check passed and the expectation is met.
    case passed
    /// `run`: changed something and succeeded; `export`: wrote a new export.
    case completed
    /// `run`: nothing to do; `export`: an earlier export has the same content.
    case unchanged
    /// `run`: complete, but some values have the outcome `conflict` or `unsupported`.
    case partial
    /// A check failed, the expectation is not met, or the command ended with an error.
    case failed
    /// `verify`: the container could not be verified.
    case unreadable

    /// Whether nothing is left to do; a resumed fleet skips such containers.
    package var isDone: Bool { self != .failed && self != .unreadable }
}

/// Identifies a fleet by the folder, the number and the names of its containers.
///
/// The same names in another folder (for example in the backup of another day) are another fleet.
package struct FleetIdentity: Sendable, Codable, Hashable {
    /// Number of containers.
    package var containers: Int
    /// SHA-256 over the names in byte order, each followed by NUL; lower-case hex.
    package var sha256: String
    /// The folder to which the names are relative, absolute and without links; nil if all names are absolute.
    package var root: String?

    /// An identity from its parts.
    package init(containers: Int, sha256: String, root: String? = nil) {
        (self.containers, self.sha256, self.root) = (containers, sha256, root)
    }

    /// Rejects a negative number.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        containers = try fields.decode(Int.self, forKey: .containers)
        sha256 = try fields.decode(String.self, forKey: .sha256)
        root = try fields.decodeIfPresent(String.self, forKey: .root)
        guard containers >= 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .containers, in: fields, debugDescription: "There can't be fewer than no containers.")
        }
    }

    /// Whether the names are the same, in any folder.
    package func hasSameNames(as other: FleetIdentity) -> Bool {
        containers == other.containers && sha256 == other.sha256
    }
}

/// The time that one container took.
package struct FleetTiming: Sendable, Codable, Hashable {
    /// The container's name.
    package var container: String
    /// Duration, including the wait for locks.
    package var durationMilliseconds: Int64

    private static let maxListed = 10

    /// The slowest containers, slowest first; at the same duration in the order given.
    static func slowest(of entries: [FleetEntry]) -> [FleetTiming] {
        var slowest: [FleetTiming] = []
        for entry in entries {
            guard let time = entry.durationMilliseconds else { continue }
            guard slowest.count < maxListed || time > slowest[maxListed - 1].durationMilliseconds else { continue }
            let index = slowest.firstIndex { $0.durationMilliseconds < time } ?? slowest.count
            slowest.insert(FleetTiming(container: entry.container, durationMilliseconds: time), at: index)
            if slowest.count > maxListed { slowest.removeLast() }
        }
        return slowest
    }
}
