import Godwit
import GodwitModel
import GodwitRender
import ArgumentParser
import GodwitFleet

/// A command on the containers of a fleet: the main process, or one of its workers.
struct FleetCall {
    let common: CommonOptions
    let fleet: FleetOptions
    let kind: ContainerWork.Kind
    var isStrict = false
    /// The settings besides the manifest that decide what is done; a journal resumes only with the same ones.
    var settings: [String]
    var adjust: (inout MigrationOptions) -> Void = { _ in }

    /// Runs the command, prints the report, and exits with its verdict.
    func perform(in source: String) throws {
        if let output = common.outputPath, output == fleet.journal {
            throw ValidationError("--journal and --output name the same file")
        }
        if common.container != nil { throw ValidationError("`--all` and `--container` can't both be given") }
        guard !fleet.fleetWorker else { return try serve() }
        try common.requireFormat(of: FleetReport.self, named: "\(command.rawValue) --all")
        let printsLines = fleet.journal == "-"
        let report = try common.perform(isOutputTaken: printsLines) { progress in
            let work = try makeWork()
            let run = try prepare(source, work)
            let launch = WorkerProcess.Launch(
                program: ProcessSetup.program ?? CommandLine.arguments[0], words: Self.workerWords,
                command: work.command,
                settings: run.header.settings)
            var report = try run.perform(cancellation: ProcessSetup.cancellation, progress: progress) {
                WorkerProcess(launch, cancellation: ProcessSetup.cancellation)
            }
            report.clock = work.migration.clock
            try show(
                report, common.setting(work.migration, demands: isStrict ? .everyValue : []),
                onStandardError: printsLines)
            return report
        }
        let failed = report.containers.filter { !$0.verdict.isDone }
        if common.quiet, let first = failed.first {
            ProcessSetup.writeError(
                Array(
                    ("godwit: error: \(failed.count.grouped) of "
                        + "\(report.containers.count.counted("container")) failed; the first is "
                        + "`\(first.container.escapingControls)`\n").utf8))
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

    /// The worker's side: only lines on standard output.
    private func serve() throws {
        try common.perform(writesOutputItself: true, isOutputTaken: true) { _ in
            let work = try makeWork()
            try WorkerLoop.serve(work, settings: digest(work), cancellation: ProcessSetup.cancellation)
        }
    }

    private func makeWork() throws -> ContainerWork {
        ContainerWork(try common.makeMigration(writesReport: false, adjusting: adjust), kind)
    }

    private func digest(_ work: ContainerWork) -> String {
        // Account and network decide which store is active.
        work.settingsDigest(
            settings + common.groupContainer.map { "group \($0)" } + [
                "account \(common.account.defaultValueDescription)",
                "network \(common.network.defaultValueDescription)",
            ])
    }

    /// Finds the containers and opens the journal.
    private func prepare(_ source: String, _ work: ContainerWork) throws -> FleetRun {
        let share = try fleet.share()
        let whole = try work.containers(in: FleetSource(source), cancellation: ProcessSetup.cancellation)
        for warning in whole.warnings { report(warning) }
        if let share { report("shard \(share.shard) of \(whole.count.counted("container")): \(share.reason)") }
        try whole.requireUnreserved(
            [common.outputPath, common.summaryPath, fleet.journal == "-" ? nil : fleet.journal], for: work)
        let containers = share.map { share in whole.filter(share.shard.takes) } ?? whole
        var header = JournalHeader(
            command: work.command, app: work.migration.app, folder: source, dryRun: work.isDryRun,
            fleet: whole.identity,
            shard: share?.shard, share: containers.identity, settings: digest(work),
            startedAt: common.now ?? ReportOutput.now)
        header.clock = work.migration.clock
        let journal = try fleet.journal.map {
            try FleetJournal(
                $0, header, lockTimeoutMilliseconds: Int(clamping: common.lockTimeout.milliseconds),
                cancellation: ProcessSetup.cancellation)
        }
        if let finished = journal?.finished, journal?.earlier.allSatisfy(\.verdict.isDone) == true {
            report(
                "the journal is complete since \(finished.readable): no container is read again. A new run "
                    + "takes a new journal.")
        }
        return FleetRun(
            header: header, containers: containers, journal: journal, jobs: fleet.jobs ?? FleetRun.processors)
    }

    /// Prints a line on standard error that is not an error, unless `--quiet` is given.
    private func report(_ line: String) {
        guard !common.quiet else { return }
        ProcessSetup.writeError(Array("godwit: \(line.escapingControls)\n".utf8))
    }

    /// Prints the report as other commands do; to standard error if standard output has the lines of the journal.
    private func show(_ report: FleetReport, _ setting: ReportSetting, onStandardError: Bool) throws {
        guard onStandardError, common.outputPath == nil else { return try common.show(report, setting) }
        common.summarize(report, setting)
        guard !common.quiet else { return }
        ProcessSetup.writeError(try common.reportFormat.bytes(of: report, setting: setting))
    }

    /// This command line with the worker flag, directly after the command's name, because after `--` it would not be a
    /// flag.
    private static var workerWords: [String] {
        var words = CommandLine.arguments
        words.insert("--fleet-worker", at: min(2, words.count))
        return words
    }
}
