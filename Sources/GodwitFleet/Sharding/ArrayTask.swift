package import GodwitModel

/// The shard that a scheduler's array variables mean.
///
/// Contradictory or missing variables are an error: a guessed shard would be processed twice or not at all.
package struct ArrayTask: Sendable {
    package let shard: Shard
    /// The scheduler and its variable: `Slurm (SLURM_ARRAY_TASK_ID=12)`.
    package let reason: String

    /// Reads the environment; nil if this is not a task of an array.
    ///
    /// - Parameters:
    ///   - shards: The number of shards in `--shards`; only PBS needs it, for others it must agree.
    ///   - variable: The value of an environment variable; nil if it is not set.
    package init?(shards: Int? = nil, environment variable: (String) -> String?) throws(GodwitError) {
        var found: [ArrayTask] = []
        for scheduler in ArrayScheduler.allCases {
            guard let task = try ArrayTask(scheduler, shards, variable) else { continue }
            found.append(task)
        }
        guard let first = found.first else {
            guard shards == nil else {
                throw GodwitError(
                    .fleet, .usage,
                    "--shards gives the number of shards, but no array variable gives the number of "
                        + "this one",
                    hint: "Name the shard by --shard I/N.")
            }
            return nil
        }
        if let other = found.first(where: { $0.shard != first.shard }) {
            throw GodwitError(
                .fleet, .usage,
                "\(first.reason) means shard \(first.shard), but \(other.reason) means shard \(other.shard)",
                hint: "Name the shard by --shard I/N; --shard 1/1 is everything.")
        }
        self = first
    }

    private init(shard: Shard, reason: String) { (self.shard, self.reason) = (shard, reason) }

    private init?(
        _ scheduler: ArrayScheduler, _ shards: Int?, _ variable: (String) -> String?
    ) throws(GodwitError) {
        let variables = ArrayVariables(of: scheduler, variable)
        guard let index = try variables.number(scheduler.indexName) else {
            if let name = scheduler.countName, try variables.number(name) != nil {
                throw GodwitError(
                    .fleet, .usage,
                    "\(name) is set, but \(scheduler.indexName) is not: the number of this shard is unknown",
                    hint: scheduler == .kubernetes
                        ? "Give the Job `completionMode: Indexed`, or name the shard by --shard I/N."
                        : scheduler.countHint)
            }
            return nil
        }
        let count = try variables.count(shards)
        let number = try variables.taskNumber(index)
        guard let shard = Shard(index: number, count: count) else {
            throw variables.outside(index, count)
        }
        if let shards, shards != count {
            throw GodwitError(
                .fleet, .usage, "--shards is \(shards), but \(scheduler.rawValue) has \(count.counted("task"))",
                hint: "Remove --shards, or submit as many tasks.")
        }
        self.init(shard: shard, reason: "\(scheduler.rawValue) (\(scheduler.indexName)=\(index))")
    }
}
