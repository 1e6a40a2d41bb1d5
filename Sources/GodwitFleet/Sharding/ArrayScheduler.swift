internal import GodwitModel

/// A scheduler that starts one command many times, with environment variables that give each task its number.
enum ArrayScheduler: String, CaseIterable {
    /// <https://slurm.schedmd.com/job_array.html>: from `MIN` to `MAX` in steps; `COUNT` tasks.
    case slurm = "Slurm"
    /// <https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode>: from 0.
    ///
    /// Kubernetes sets no variable for the number of completions; the Job's manifest must pass it.
    case kubernetes = "Kubernetes"
    /// <https://docs.aws.amazon.com/batch/latest/userguide/job_env_vars.html>: from 0.
    case batch = "AWS Batch"
    /// qsub(1) of Grid Engine, <https://gridscheduler.sourceforge.net/htmlman/htmlman1/qsub.html>: from `FIRST` to
    /// `LAST` in steps; without an array all are `undefined`.
    case gridEngine = "Grid Engine"
    /// PBS Professional User's Guide, "Job Arrays", <https://openpbs.org/>: the numbers of `qsub -J`, without a count.
    case pbs = "PBS"

    var names: [String] {
        switch self {
        case .slurm:
            [
                "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
                "SLURM_ARRAY_TASK_STEP",
            ]
        case .kubernetes: ["JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"]
        case .batch: ["AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE"]
        case .gridEngine: ["SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"]
        case .pbs: ["PBS_ARRAY_INDEX"]
        }
    }

    /// The variable with the number of this task.
    var indexName: String {
        switch self {
        case .slurm: "SLURM_ARRAY_TASK_ID"
        case .kubernetes: "JOB_COMPLETION_INDEX"
        case .batch: "AWS_BATCH_JOB_ARRAY_INDEX"
        case .gridEngine: "SGE_TASK_ID"
        case .pbs: "PBS_ARRAY_INDEX"
        }
    }

    /// The variable that gives the number of tasks; nil for none.
    var countName: String? {
        switch self {
        case .slurm: "SLURM_ARRAY_TASK_COUNT"
        case .kubernetes: "JOB_COMPLETIONS"
        case .batch: "AWS_BATCH_JOB_ARRAY_SIZE"
        case .gridEngine: "SGE_TASK_LAST"
        case .pbs: nil
        }
    }

    /// How to give the number of tasks, or avoid it.
    var countHint: String {
        switch self {
        case .kubernetes:
            "Give the container `env: [{name: JOB_COMPLETIONS, value: \"8\"}]` with the number of "
                + "completions of the Job, or name the shard by --shard I/N."
        case .pbs: "Add --shards N to a job that is submitted with `qsub -J 1-N`, or name the shard by --shard I/N."
        default: "Name the shard by --shard I/N; --shard 1/1 is everything."
        }
    }
}
