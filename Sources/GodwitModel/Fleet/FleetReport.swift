/// What `run --all`, `verify --all` or `export --all` came to in the containers of a fleet, or of a shard of it.
public struct FleetReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// The command: `run`, `verify` or `export`.
    public var command: String
    /// The manifest's app.
    public var app: String
    /// The folder, glob or list as given.
    public var folder: String
    /// Version of Godwit.
    public var godwitVersion: String
    /// Whether every container was only rehearsed on a private copy.
    public var dryRun = false
    /// When it began.
    public var startedAt: Instant
    /// The clock, if it was set by hand.
    public var clock: SetClock?
    /// How long it took; of merged reports the sum.
    public var durationMilliseconds: Int64
    /// The fleet as a whole, of which these containers are a share.
    public var fleet: FleetIdentity?
    /// Which share; nil for everything.
    public var shard: Shard?
    /// How many shards this was merged from; nil where it was not.
    public var shards: Int?
    /// How many of the containers an earlier pass had done, by the journal.
    public var doneEarlier = 0
    /// All containers, in the order of their paths.
    public var containers: [FleetEntry]
    /// Containers by verdict.
    public var counts: [String: Int]
    /// The containers that took longest, the slowest first; ten at most.
    public var slowest: [FleetTiming]
    /// Mapped keys that no container has, of those whose preferences were read; nil for none.
    public var absentKeys: [String]?

    /// A report from its entries; they are counted here, and put in the order of their paths.
    public init(
        command: FleetCommand, app: String, folder: String, godwitVersion: String, startedAt: Instant,
        durationMilliseconds: Int64, containers: [FleetEntry]
    ) {
        self.command = command.rawValue
        self.app = app
        self.folder = folder
        self.godwitVersion = godwitVersion
        self.startedAt = startedAt
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

    /// Reads a report; what those of earlier versions do not have is as it was then.
    public init(from decoder: any Decoder) throws {
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
    /// What the command ends with though it came to its end; nil for 0.
    ///
    /// - Parameter isStrict: whether every value must have arrived.
    package func verdictCode(isStrict: Bool) -> ExitCode? {
        let open = containers.filter { !$0.verdict.isDone }
        if open.contains(where: { $0.error?.code != ExitCode.partial.rawValue }) { return .difference }
        let isDoubtful = containers.contains { $0.verdict == .partial || $0.warnings != nil }
        return !open.isEmpty || isStrict && isDoubtful ? .partial : nil
    }
}

/// What can be done to every container of a fleet.
public enum FleetCommand: String, Sendable, Codable, CaseIterable {
    /// All stages.
    case run
    /// Proofs alone.
    case verify
    /// An export of each.
    case export

    /// What can come of a container.
    public var verdicts: [FleetVerdict] {
        switch self {
        case .verify: [.passed, .failed, .unreadable]
        case .run: [.completed, .unchanged, .partial, .failed]
        case .export: [.completed, .unchanged, .failed]
        }
    }
}

/// What can come of a container.
public enum FleetVerdict: String, Sendable, Codable, CaseIterable {
    /// `verify`: every check passed, and all is as expected.
    case passed
    /// `run`: something was changed, and it succeeded; `export`: there is a new export.
    case completed
    /// `run`: there was nothing to do; `export`: an earlier export has the same content.
    case unchanged
    /// `run`: done, but some values ended in `conflict` or `unsupported`.
    case partial
    /// A check found a difference, something is not as expected, or the command ended with an error.
    case failed
    /// `verify`: it could not be verified.
    case unreadable

    /// Whether nothing is left to do: a pass that goes on skips what has such a verdict.
    public var isDone: Bool { self != .failed && self != .unreadable }
}

/// All containers of a fleet, by place, number and name.
///
/// The same names elsewhere, in the backup of another day for instance, are another fleet.
public struct FleetIdentity: Sendable, Codable, Hashable {
    /// How many there are.
    public var containers: Int
    /// SHA-256 over their names in byte order, each followed by NUL; lower-case hex.
    public var sha256: String
    /// The folder that their names count from, absolute and without links; nil where all names are absolute.
    public var root: String?

    /// What a fleet is told by.
    public init(containers: Int, sha256: String, root: String? = nil) {
        self.containers = containers
        self.sha256 = sha256
        self.root = root
    }

    /// Refuses a number that counts nothing.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        containers = try fields.decode(Int.self, forKey: .containers)
        sha256 = try fields.decode(String.self, forKey: .sha256)
        root = try fields.decodeIfPresent(String.self, forKey: .root)
        guard containers >= 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .containers, in: fields, debugDescription: "There can't be fewer than no containers.")
        }
    }

    /// Whether the names are the same, wherever they count from.
    package func hasSameNames(as other: FleetIdentity) -> Bool {
        containers == other.containers && sha256 == other.sha256
    }
}

/// How long a container took.
public struct FleetTiming: Sendable, Codable, Hashable {
    /// Its name.
    public var container: String
    /// How long it took, with waiting for locks.
    public var durationMilliseconds: Int64

    /// How many are told.
    private static let most = 10

    /// The slowest of some containers, the slowest first, then by name.
    static func slowest(of entries: [FleetEntry]) -> [FleetTiming] {
        var slowest: [FleetTiming] = []
        for entry in entries {
            guard let time = entry.durationMilliseconds else { continue }
            guard slowest.count < most || time > slowest[most - 1].durationMilliseconds else { continue }
            let place = slowest.firstIndex { $0.durationMilliseconds < time } ?? slowest.count
            slowest.insert(FleetTiming(container: entry.container, durationMilliseconds: time), at: place)
            if slowest.count > most { slowest.removeLast() }
        }
        return slowest
    }
}
