import GodwitModel
import Foundation
import GodwitFleet
import GodwitTestSupport

/// An invented fleet: names, their results, and the reports and journals of its shards.
struct MadeFleet {
    var command: FleetCommand
    var entries: [FleetEntry]
    var settings = "settings"

    /// This number of containers, with all kinds of verdicts that the command has.
    init(_ count: Int, _ command: FleetCommand = .run, seed: UInt64 = 1) {
        self.command = command
        var random = Dice(state: seed)
        entries = (0..<count).map { number in
            Self.entry("users/\(number)/device \(random.next() % 1_000)", command, random.next())
        }
    }

    static func entry(_ name: String, _ command: FleetCommand, _ number: UInt64 = 0) -> FleetEntry {
        let error = GodwitError(.copy, .data, "The store of \(name) is damaged.", hint: "Restore it.")
        var entry = FleetEntry(container: name, command: command, error: error)
        entry.verdict = command.verdicts[Int(number % UInt64(command.verdicts.count))]
        if entry.verdict.isDone { entry.error = nil }
        entry.durationMilliseconds = Int64(number % 5_000)
        return entry
    }

    var identity: FleetIdentity { FleetIdentity(of: entries.map(\.container)) }

    func entries(of shard: Shard?) -> [FleetEntry] {
        guard let shard else { return entries }
        return entries.filter { shard.takes($0.container) }
    }

    /// The report that a shard's pass writes.
    func report(_ shard: Shard?) -> FleetReport {
        var report = FleetReport(
            command: command, app: "TrainLog", folder: "fleet", godwitVersion: "0.1.0",
            startedAt: Instant(seconds: 1_795_000_000 + Int64(shard?.index ?? 0)), durationMilliseconds: 100,
            containers: entries(of: shard))
        (report.fleet, report.shard, report.doneEarlier) = (identity, shard, 2)
        return report
    }

    func header(_ shard: Shard?) -> JournalHeader {
        JournalHeader(
            godwitVersion: "0.1.0", command: command, app: "TrainLog", folder: "fleet", dryRun: false, fleet: identity,
            shard: shard, share: FleetIdentity(of: entries(of: shard).map(\.container)), settings: settings,
            startedAt: Instant(seconds: 1_795_000_000 + Int64(shard?.index ?? 0)))
    }

    /// The lines of a shard's journal.
    func lines(_ shard: Shard?) throws -> [String] {
        let entries = entries(of: shard)
        return [try Self.line(header(shard))] + (try entries.map(Self.line))
            + [try Self.line(JournalSummary(counts: [:], durationMilliseconds: 100))]
    }

    static func line(_ entry: FleetEntry) throws -> String {
        "{\"messageType\":\"container\",\"entry\":\(try json(entry)),\"report\":{\"outcome\":\"done\"}}"
    }

    static func line(_ header: JournalHeader) throws -> String { String(decoding: header.line, as: UTF8.self) }

    static func line(_ value: some Encodable) throws -> String { try json(value) }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// All shards of a division into `count`.
    static func shards(_ count: Int) -> [Shard] { (1...count).compactMap { Shard(index: $0, count: count) } }

    /// The reports of all shards.
    func reports(_ count: Int) -> [ShardReport] {
        Self.shards(count).compactMap { ShardReport(report($0), in: "\($0.index).json") }
    }
}

/// A random number generator with a seed: SplitMix64.
struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
