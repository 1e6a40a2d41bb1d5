import GodwitModel
import GodwitFleet
import GodwitTestSupport
import Testing

struct ArrayTaskTests {
    private func task(_ variables: [String: String], shards: Int? = nil) throws -> ArrayTask? {
        try ArrayTask(shards: shards) { variables[$0] }
    }

    private func shard(_ variables: [String: String], shards: Int? = nil) throws -> String? {
        try task(variables, shards: shards)?.shard.description
    }

    private func slurm(
        _ id: String, _ count: String, _ min: String, max: String? = nil, step: String? = nil
    ) -> [String: String] {
        var variables = ["SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_COUNT": count, "SLURM_ARRAY_TASK_MIN": min]
        variables["SLURM_ARRAY_TASK_MAX"] = max
        variables["SLURM_ARRAY_TASK_STEP"] = step
        return variables
    }

    private func gridEngine(_ id: String, _ first: String, _ last: String, _ step: String) -> [String: String] {
        ["SGE_TASK_ID": id, "SGE_TASK_FIRST": first, "SGE_TASK_LAST": last, "SGE_TASK_STEPSIZE": step]
    }

    @Test("without array variables there is no shard")
    func none() throws {
        #expect(try task([:]) == nil)
        #expect(try task(["PATH": "/bin", "SLURM_JOB_ID": "7"]) == nil)
        #expect(try task(gridEngine("undefined", "undefined", "undefined", "undefined")) == nil)
        #expect(try task(["SGE_TASK_ID": "undefined"]) == nil)
    }

    @Test("each scheduler's variables give the shard that its manual says")
    func meanings() throws {
        // sbatch --array=0-7, --array=1-8, --array=10-24:2
        #expect(try shard(slurm("0", "8", "0", max: "7", step: "1")) == "1/8")
        #expect(try shard(slurm("8", "8", "1", max: "8")) == "8/8")
        #expect(try shard(slurm("8", "8", "1")) == "8/8")
        #expect(try shard(slurm("24", "8", "10", max: "24", step: "2")) == "8/8")
        #expect(try shard(slurm("12", "8", "10", max: "24", step: "2")) == "2/8")
        #expect(try shard(["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "5"]) == "1/5")
        #expect(try shard(["JOB_COMPLETION_INDEX": "4", "JOB_COMPLETIONS": "5"]) == "5/5")
        #expect(try shard(["AWS_BATCH_JOB_ARRAY_INDEX": "9", "AWS_BATCH_JOB_ARRAY_SIZE": "10"]) == "10/10")
        // qsub -t 1-8, -t 2-10:4 (which ends at 10), -t 1-10:4 (which ends at 9)
        #expect(try shard(gridEngine("3", "1", "8", "1")) == "3/8")
        #expect(try shard(gridEngine("6", "2", "10", "4")) == "2/3")
        #expect(try shard(gridEngine("9", "1", "10", "4")) == "3/3")
        #expect(try shard(["PBS_ARRAY_INDEX": "3"], shards: 8) == "3/8")
    }

    @Test("the reason names the scheduler and its variable")
    func reason() throws {
        #expect(try task(slurm("2", "4", "1"))?.reason == "Slurm (SLURM_ARRAY_TASK_ID=2)")
    }

    @Test("an array with gaps, or a task outside of its steps, is rejected")
    func gaps() throws {
        // sbatch --array=1,3,7
        let error = failure { try task(slurm("3", "3", "1", max: "7", step: "1")) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("with gaps") == true)
        #expect(error?.hint?.contains("--array=1-3") == true)
        #expect(failure { try task(slurm("11", "8", "10", max: "24", step: "2")) }?.code == .usage)
        #expect(failure { try task(slurm("9", "8", "10", max: "24", step: "2")) }?.code == .usage)
        #expect(failure { try task(slurm("9", "8", "1")) }?.code == .usage)
        #expect(failure { try task(slurm("1", "8", "1", step: "0")) }?.code == .usage)
        #expect(failure { try task(slurm("5", "1", "5", max: "4")) }?.code == .usage)
        #expect(failure { try task(gridEngine("5", "8", "1", "1")) }?.code == .usage)
        #expect(failure { try task(gridEngine("12", "1", "8", "1")) }?.code == .usage)
    }

    @Test(
        "missing array variables are rejected with what to do",
        arguments: [
            (["JOB_COMPLETION_INDEX": "0"], "JOB_COMPLETIONS"), (["JOB_COMPLETIONS": "4"], "completionMode: Indexed"),
            (["SLURM_ARRAY_TASK_ID": "1"], "--shard"),
            (["SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "4"], "--shard"),
            (["AWS_BATCH_JOB_ARRAY_INDEX": "0"], "--shard"), (["AWS_BATCH_JOB_ARRAY_SIZE": "4"], "--shard"),
            (["SGE_TASK_ID": "1"], "--shard"), (["PBS_ARRAY_INDEX": "1"], "--shards N"),
            (["SGE_TASK_ID": "1", "SGE_TASK_FIRST": "1", "SGE_TASK_LAST": "4"], "--shard"),
        ])
    func incomplete(_ variables: [String: String], _ hint: String) {
        let error = failure { try task(variables) }
        #expect(error?.code == .usage && error?.stage == .fleet)
        #expect(error?.hint?.contains(hint) == true, "\(error?.hint ?? "")")
    }

    @Test(
        "an array variable that is not a plain number is rejected",
        arguments: [
            "", " 1", "-1", "+1", "1.0", "0x1", "one", "99999999999", "١", String(repeating: "1", count: 5_000),
        ])
    func numbers(_ text: String) {
        for variables in [
            ["JOB_COMPLETION_INDEX": text, "JOB_COMPLETIONS": "4"],
            ["JOB_COMPLETION_INDEX": "1", "JOB_COMPLETIONS": text],
            slurm(text, "4", "1"), slurm("1", "4", text), ["PBS_ARRAY_INDEX": text],
        ] {
            let error = failure { try task(variables, shards: 4) }
            #expect(error?.code == .usage, "\(variables)")
            #expect((error?.message.utf8.count ?? 0) < 200)
        }
    }

    @Test("PBS counts from 1 and gives no number of tasks")
    func pbs() throws {
        let error = failure { try task(["PBS_ARRAY_INDEX": "0"], shards: 4) }
        #expect(error?.code == .usage && error?.hint?.contains("-J 1-N") == true)
        #expect(failure { try task(["PBS_ARRAY_INDEX": "5"], shards: 4) }?.code == .usage)
    }

    @Test("--shards confirms other schedulers, replaces Kubernetes' count, and is rejected without a scheduler")
    func shards() throws {
        #expect(try shard(slurm("2", "4", "1"), shards: 4) == "2/4")
        #expect(failure { try task(slurm("2", "4", "1"), shards: 5) }?.code == .usage)
        #expect(try shard(["JOB_COMPLETION_INDEX": "3"], shards: 4) == "4/4")
        #expect(failure { try task([:], shards: 4) }?.code == .usage)
    }

    @Test("two schedulers must agree, and both are named if they do not")
    func two() throws {
        let kubernetes = ["JOB_COMPLETION_INDEX": "1", "JOB_COMPLETIONS": "4"]
        #expect(try shard(slurm("2", "4", "1").merging(kubernetes) { one, _ in one }) == "2/4")
        let error = failure { try task(slurm("3", "4", "1").merging(kubernetes) { one, _ in one }) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("Slurm") == true && error?.message.contains("Kubernetes") == true)
    }

    @Test("too many shards are rejected")
    func most() {
        #expect(failure { try task(["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "1000001"]) }?.code == .usage)
        #expect(failure { try task(["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "0"]) }?.code == .usage)
    }
}
