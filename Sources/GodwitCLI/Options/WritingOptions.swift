import Godwit
import GodwitRender
import ArgumentParser

/// The options of commands that write to the container.
struct WritingOptions: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Report what would change; run on a private copy only.")
    var dryRun = false

    @Flag(name: .long, help: "Plan first; on any warning, exit 3 and write nothing.")
    var strict = false

    @Flag(
        name: .long,
        help: "Exit 65 if a store in WAL mode has no -wal file. An app that closed it cleanly leaves none either.")
    var requireWal = false

    @Flag(
        name: .long,
        help: "Accept a missing local store, and preferences without a mapped key: the stage counts as completed.")
    var allowEmpty = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The schema version of an app's store, if Godwit cannot find it from the tables of the store.",
            valueName: "version"))
    var baseline: Int?

    @OptionGroup var backing: BackupOption
}

/// The folder of the backup made before the first write.
struct BackupOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Before the first write, copy each file that will change into a new folder in this folder.",
            valueName: "dir"),
        completion: .directory)
    var backup: String?

    func validate() throws {
        if backup == "" { throw ValidationError("--backup has an empty name") }
    }
}

/// The values of these options, for commands that have only some of them.
struct RunChoices {
    var dryRun = false
    var strict = false
    var requireWal = false
    var allowEmpty = false
    var baseline: Int?
    var backup: String?
}

extension WritingOptions {
    var choices: RunChoices {
        RunChoices(
            dryRun: dryRun, strict: strict, requireWal: requireWal, allowEmpty: allowEmpty, baseline: baseline,
            backup: backing.backup)
    }
}

/// A command that runs a pipeline and prints its report.
protocol ReportingCommand: ParsableCommand {
    var common: CommonOptions { get }
}

extension ReportingCommand {
    /// Runs a pipeline command, prints its report, and exits with its verdict.
    ///
    /// - Parameters:
    ///   - plan: The saved plan with which the run must agree.
    ///   - savingPlan: Whether to write a plan as JSON and print the report as text.
    func report(
        _ command: Godwit.Command, _ choices: RunChoices, following plan: String? = nil,
        savingPlan: Bool = false, exitCodeForChanges: Bool = false,
        adjusting adjust: (inout MigrationOptions) -> Void = { _ in }
    ) throws {
        try report(
            command.rawValue, choices, savingPlan: savingPlan, exitCodeForChanges: exitCodeForChanges, adjusting: adjust
        ) { migration, progress in
            try migration.perform(
                command, dryRun: choices.dryRun, following: try plan.map { try SavedPlan(path: $0) },
                cancellation: ProcessSetup.cancellation, progress: progress)
        }
    }

    /// Runs any work of a pipeline in the same way, with the name for messages.
    func report(
        _ name: String, _ choices: RunChoices, savingPlan: Bool = false, exitCodeForChanges: Bool = false,
        adjusting adjust: (inout MigrationOptions) -> Void = { _ in },
        _ work: (Migration, @escaping @Sendable (RunProgress) -> Void) throws -> RunReport
    ) throws {
        var demands: ReportDemands = choices.strict ? .everyValue : []
        if exitCodeForChanges { demands.insert(.nothingPending) }
        let report = try common.perform { progress in
            let migration = try common.makeMigration { options in
                options.allowsEmpty = choices.allowEmpty
                options.baseline = choices.baseline
                options.isStrict = choices.strict
                options.requiresLog = choices.requireWal
                options.backupPath = choices.backup
                // A report in JSON may be saved as a plan.
                options.keepsBasis = savingPlan || common.reportFormat == .json
                adjust(&options)
            }
            let report = try work(migration, progress)
            do {
                let setting = common.setting(migration, demands: demands)
                try common.show(report, as: savingPlan ? .json : nil, setting)
                if savingPlan { common.printPlan(report, migration, setting) }
            } catch let error as GodwitError where report.hasCommittedChanges {
                var failure = error
                failure.hint = "Check the result with `godwit status`: the \(name) was done."
                throw failure
            }
            return report
        }
        let hasDiverged = report.warnings.contains { $0.code == "divergedFromPlan" }
        let isUnexpected = report.expectation?.verdict == .differs
        if report.verify?.outcome == .failed || hasDiverged || isUnexpected {
            throw CommandExit.Verdict(code: .difference)
        }
        if choices.strict, report.isDoubtful {
            // The report shows the warnings; without it, only an exit code would remain.
            if common.quiet {
                throw CommandExit.Failure(
                    error: report.strictError, format: common.reportFormat == .json ? .json : .text,
                    style: common.errorStyle, isQuiet: true)
            }
            throw CommandExit.Verdict(code: .partial)
        }
        if exitCodeForChanges, report.outcome.hasChanges { throw CommandExit.Verdict(code: .pending) }
    }
}
