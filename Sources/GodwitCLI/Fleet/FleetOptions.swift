import GodwitModel
import ArgumentParser
import Godwit
import GodwitFleet

/// The options of `--all`: the containers, the shard, the number of jobs, and the journal.
struct FleetOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Every container below this folder, matched by this quoted glob, or listed in this file (- for standard input).",
            valueName: "where"))
    var all: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --all: a line of JSON for each container as it finishes, and what to go on from; - for standard output.",
            valueName: "file"), completion: .file())
    var journal: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --all: containers at work at a time, from 1 to 1024 (default: one for each processor).",
            valueName: "n"))
    var jobs: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --all: this share of the containers, 1/8 to 8/8; else a scheduler's array variables say which.",
            valueName: "i/n"))
    var shard: Shard?

    @Option(
        name: .long,
        help: ArgumentHelp("With --all: how many shares there are, for schedulers that do not say.", valueName: "n"))
    var shards: Int?

    @Flag(name: .long, help: .hidden)
    var fleetWorker = false

    /// The shard, with the reason; nil for the whole fleet.
    func share() throws -> (shard: Shard, reason: String)? {
        if let shard { return shard.count == 1 ? nil : (shard, "--shard") }
        return try ArrayTask(shards: shards, environment: ProcessSetup.rawEnvironment).map { ($0.shard, $0.reason) }
    }

    /// Throws (64) if an option needs `--all` or has no meaning.
    func validate() throws {
        for (name, value) in [("--all", all), ("--journal", journal)] where value == "" {
            throw ValidationError("\(name) has an empty name")
        }
        let others = [
            ("--journal", journal != nil), ("--jobs", jobs != nil), ("--shard", shard != nil),
            ("--shards", shards != nil),
        ]
        if all == nil, let (name, _) = others.first(where: \.1) { throw ValidationError("\(name) requires --all") }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
        if let shards, !(1...Shard.most).contains(shards) {
            throw ValidationError("--shards takes a number from 1 to \(Shard.most)")
        }
        if let shard, let shards, shard.count != shards {
            throw ValidationError("--shard \(shard) and --shards \(shards) differ")
        }
    }
}
