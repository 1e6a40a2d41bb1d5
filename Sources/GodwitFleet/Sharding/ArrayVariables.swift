internal import GodwitModel

/// Reads the array variables of one scheduler.
struct ArrayVariables {
    let scheduler: ArrayScheduler
    private let values: [String: String]

    /// More digits than any number of tasks has.
    private static let maxDigits = 10

    init(of scheduler: ArrayScheduler, _ variable: (String) -> String?) {
        self.scheduler = scheduler
        values = scheduler.names.reduce(into: [:]) { $0[$1] = variable($1) }
    }

    /// The number in a variable; nil if it is not set.
    ///
    /// An empty variable is an error: in a Job's manifest it refers to something that does not exist, and every task
    /// would process the whole fleet.
    func number(_ name: String) throws(GodwitError) -> Int? {
        guard let text = values[name] else { return nil }
        if scheduler == .gridEngine, text == "undefined" { return nil }
        guard !text.isEmpty, text.utf8.count <= Self.maxDigits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text)
        else {
            let shown = text.utf8.count <= 40 ? text : "\(text.prefix(20))…"
            throw GodwitError(
                .fleet, .usage, "\(name)=\(shown) is not the number of a task",
                hint: "Unset it, or name the shard by --shard I/N; --shard 1/1 is everything.")
        }
        return number
    }

    func count(_ shards: Int?) throws(GodwitError) -> Int {
        switch scheduler {
        case .slurm:
            let count = try required("SLURM_ARRAY_TASK_COUNT")
            if let last = try number("SLURM_ARRAY_TASK_MAX") {
                let first = try required("SLURM_ARRAY_TASK_MIN")
                guard last >= first, try (last - first) / step() + 1 == count else {
                    throw withGaps(count, first, last)
                }
            }
            return count
        case .kubernetes:
            if let count = try number("JOB_COMPLETIONS") { return count }
            // `--shards` gives the same number.
            if let shards { return shards }
            throw missing("JOB_COMPLETIONS")
        case .batch: return try required("AWS_BATCH_JOB_ARRAY_SIZE")
        case .gridEngine:
            let (first, last) = (try required("SGE_TASK_FIRST"), try required("SGE_TASK_LAST"))
            guard last >= first else { throw outside(last, 0) }
            return try (last - first) / step() + 1
        case .pbs:
            if let shards { return shards }
            throw missing("--shards")
        }
    }

    /// The number of this task, from 1.
    func taskNumber(_ index: Int) throws(GodwitError) -> Int {
        switch scheduler {
        case .kubernetes, .batch: return index + 1
        case .pbs:
            guard index == 0 else { return index }
            throw GodwitError(
                .fleet, .usage, "PBS_ARRAY_INDEX is 0, but shards are numbered from 1",
                hint: "Submit the job with `qsub -J 1-N`.")
        case .slurm: return try taskNumber(index, from: required("SLURM_ARRAY_TASK_MIN"))
        case .gridEngine: return try taskNumber(index, from: required("SGE_TASK_FIRST"))
        }
    }

    /// The error for a task that does not exist.
    func outside(_ index: Int, _ count: Int) -> GodwitError {
        GodwitError(
            .fleet, .usage,
            "\(scheduler.indexName)=\(index) is not one of the \(count.counted("task")) of "
                + "\(scheduler.rawValue)",
            hint: scheduler == .pbs
                ? "Submit the job with `qsub -J 1-N` and give --shards the same N."
                : "Name the shard by --shard I/N; --shard 1/1 is everything.")
    }

    private func taskNumber(_ index: Int, from first: Int) throws(GodwitError) -> Int {
        let step = try step()
        guard index >= first, (index - first) % step == 0 else {
            throw GodwitError(
                .fleet, .usage, "\(scheduler.indexName)=\(index) is not a number from \(first) in steps of \(step)",
                hint: "Name the shard by --shard I/N; --shard 1/1 is everything.")
        }
        return (index - first) / step + 1
    }

    private func step() throws(GodwitError) -> Int {
        let name = scheduler == .slurm ? "SLURM_ARRAY_TASK_STEP" : "SGE_TASK_STEPSIZE"
        let step = try scheduler == .slurm ? number(name) ?? 1 : required(name)
        guard step > 0 else {
            throw GodwitError(
                .fleet, .usage, "\(name) is 0", hint: "Name the shard by --shard I/N; --shard 1/1 is everything.")
        }
        return step
    }

    private func required(_ name: String) throws(GodwitError) -> Int {
        guard let number = try number(name) else { throw missing(name) }
        return number
    }

    private func missing(_ name: String) -> GodwitError {
        let what = name == "--shards" ? "--shards is not given" : "\(name) is not set"
        return GodwitError(
            .fleet, .usage, "\(scheduler.indexName) is set, but \(what): the number of shards is unknown",
            hint: scheduler.countHint)
    }

    private func withGaps(_ count: Int, _ first: Int, _ last: Int) -> GodwitError {
        GodwitError(
            .fleet, .usage,
            "Slurm's array has \(count.counted("task")) from \(first) to \(last), with gaps: its numbers "
                + "can't be shards",
            hint: "Submit a contiguous array, such as --array=1-\(count), or name the shard by --shard I/N.")
    }
}
