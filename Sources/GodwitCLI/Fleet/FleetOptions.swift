import GodwitModel
import ArgumentParser
import Godwit
import GodwitFleet

/// The options of `--all`: the containers, the shard, the number of jobs, and the journal.
struct FleetOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Use every container in this folder, of this quoted glob, or listed in this file (- is standard input).",
            valueName: "where"))
    var all: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --all: write one JSON line for each finished container, and continue from these lines; - is standard output.",
            valueName: "file"), completion: .file())
    var journal: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --all: number of containers in parallel, from 1 to 1024 (default: one for each processor).",
            valueName: "n"))
    var jobs: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --all: use only this shard of the containers, such as 1/8 (default: from the variables that a scheduler sets "
                + "for a job array, such as SLURM_ARRAY_TASK_ID).",
            valueName: "i/n"))
    var shard: Shard?

    @Option(
        name: .long,
        help: ArgumentHelp("With --all: number of shards, for schedulers that do not set it.", valueName: "n"))
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
