import Godwit
import GodwitModel
import GodwitRender
import ArgumentParser
import GodwitFleet

/// A command over the containers of a fleet: as the process that shares them out, or as one of its workers.
struct FleetCall {
    let common: CommonOptions
    let fleet: FleetOptions
    let kind: ContainerWork.Kind
    var isStrict = false
    /// What decides what is done besides the manifest, for going on only with the very same.
    var settings: [String]
    var adjust: (inout PipelineOptions) -> Void = { _ in }

    /// Does it, prints the report, and ends with its verdict.
    func perform(in place: String) throws {
        if let output = common.outputPath, output == fleet.journal {
            throw ValidationError("--journal and --output name the same file.")
        }
        if common.container != nil { throw ValidationError("--all and --container can't both be given.") }
        guard !fleet.fleetWorker else { return try serve() }
        try common.requireFormat(of: FleetReport.self, named: "\(command.rawValue) --all")
        let printsLines = fleet.journal == "-"
        let report = try common.perform(isOutputTaken: printsLines) { progress in
            let work = try makeWork()
            let run = try prepare(place, work)
            let launch = WorkerProcess.Launch(
                program: ProcessSetup.program ?? CommandLine.arguments[0], words: Self.workerWords,
                command: work.command,
                settings: run.header.settings)
            var report = try run.perform(cancellation: ProcessSetup.cancellation, progress: progress) {
                WorkerProcess(launch, cancellation: ProcessSetup.cancellation)
            }
            report.clock = work.pipeline.clock
            try show(
                report, common.setting(work.pipeline, demands: isStrict ? .everyValue : []),
                onStandardError: printsLines)
            return report
        }
        let failed = report.containers.filter { !$0.verdict.isDone }
        if common.quiet, let first = failed.first {
            ProcessSetup.writeError(
                Array(
                    ("godwit: error: \(failed.count.grouped) of \(report.containers.count.counted("container")) failed, the first "
                        + "is \(first.container.escapingControls).\n").utf8))
        }
        if let code = report.verdictCode(isStrict: isStrict) { throw CommandExit.Verdict(code: code) }
    }

    private var command: FleetCommand {
        switch kind {
        case .run: .run
        case .verify: .verify
        case .export: .export
        }
    }

    /// The side of a worker: nothing but lines on standard output.
    private func serve() throws {
        try common.perform(writesOutputItself: true, isOutputTaken: true) { _ in
            let work = try makeWork()
            try WorkerLoop.serve(work, settings: digest(work), cancellation: ProcessSetup.cancellation)
        }
    }

    private func makeWork() throws -> ContainerWork {
        ContainerWork(try common.makePipeline(writesReport: false, adjusting: adjust), kind)
    }

    private func digest(_ work: ContainerWork) -> String {
        // Account and network decide which store is the active one.
        work.settingsDigest(
            settings + common.groupContainer.map { "group \($0)" } + [
                "account \(common.account.defaultValueDescription)",
                "network \(common.network.defaultValueDescription)",
            ])
    }

    /// What is to be done, and the journal that says what is done.
    private func prepare(_ place: String, _ work: ContainerWork) throws -> FleetRun {
        let share = try fleet.share()
        let whole = try work.containers(in: FleetSource(place), cancellation: ProcessSetup.cancellation)
        for warning in whole.warnings { tell(warning) }
        if let share { tell("shard \(share.shard) of \(whole.count.counted("container")): \(share.reason)") }
        try whole.requireUnreserved(
            [common.outputPath, common.summaryPath, fleet.journal == "-" ? nil : fleet.journal], for: work)
        let containers = share.map { share in whole.filter(share.shard.takes) } ?? whole
        var header = JournalHeader(
            command: work.command, app: work.pipeline.app, folder: place, dryRun: work.isDryRun, fleet: whole.identity,
            shard: share?.shard, share: containers.identity, settings: digest(work),
            startedAt: common.now ?? ReportOutput.now)
        header.clock = work.pipeline.clock
        let journal = try fleet.journal.map {
            try FleetJournal(
                $0, header, lockTimeoutMilliseconds: Int(clamping: common.lockTimeout.milliseconds),
                cancellation: ProcessSetup.cancellation)
        }
        if let finished = journal?.finished, journal?.earlier.allSatisfy(\.verdict.isDone) == true {
            tell(
                "the pass of \(finished.readable) came to its end, says the journal: "
                    + "nothing is looked at again. A new pass takes a new journal.")
        }
        return FleetRun(
            header: header, containers: containers, journal: journal, jobs: fleet.jobs ?? FleetRun.processors)
    }

    /// A line on standard error that is no error; `--quiet` keeps it.
    private func tell(_ line: String) {
        guard !common.quiet else { return }
        ProcessSetup.writeError(Array("godwit: \(line.escapingControls)\n".utf8))
    }

    /// The report goes where the result of a command goes; beside lines that standard output is for, to standard error.
    private func show(_ report: FleetReport, _ setting: ReportSetting, onStandardError: Bool) throws {
        guard onStandardError, common.outputPath == nil else { return try common.show(report, setting) }
        common.summarize(report, setting)
        guard !common.quiet else { return }
        ProcessSetup.writeError(try common.reportFormat.bytes(of: report, setting: setting))
    }

    /// This very command line with the flag that makes a worker of it, right behind the command's name: what follows `--`
    /// would be no flag.
    private static var workerWords: [String] {
        var words = CommandLine.arguments
        words.insert("--fleet-worker", at: min(2, words.count))
        return words
    }
}
