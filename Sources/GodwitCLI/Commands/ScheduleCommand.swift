import Godwit
import GodwitRender
import ArgumentParser
import GodwitService

struct ScheduleCommand: ParsableCommand {
    enum Scheduler: String, EnumerableFlag {
        case systemd, launchd, cron

        static func help(for value: Self) -> ArgumentHelp? {
            switch value {
            case .systemd: "A hardened service and its timer for systemd."
            case .launchd: "An agent for launchd."
            case .cron: "A line for a crontab."
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Print a systemd timer, launchd agent or crontab line for export.",
        usage: "godwit schedule (--systemd | --launchd | --cron) --into <dir> [<options>]",
        discussion: """
            Prints a configuration with absolute paths, with which a scheduler runs `godwit export --into DIR --if-changed` \
            at an interval. It changes nothing. Manifest, container and folder must exist.

            \(HelpTexts.codes("0   printed, or written"))
            """)

    @Flag(exclusivity: .exclusive) var scheduler: Scheduler

    @Option(
        name: .long,
        help: ArgumentHelp("The folder of exports, which must exist.", valueName: "dir"),
        completion: .directory)
    var into: String

    @Option(name: .long, help: ArgumentHelp("Interval of the exports.", valueName: "5m"))
    var every: Span = .oneHour

    @Flag(
        name: .long,
        help: "Keep one `export --every` running instead, which also exports on changes; not with --cron.")
    var resident = false

    @Flag(
        name: .customLong("for-user"),
        help: "Write units for the systemd instance of a user, which supports less hardening.")
    var forUser = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Path of the godwit to run (default: the name of this program on the command line).", valueName: "file"),
        completion: .file())
    var program: String?

    @OptionGroup var choices: ExportChoices

    @OptionGroup var common: SharedOptions<ScheduleFolder>

    func validate() throws {
        guard !into.isEmpty else { throw ValidationError("--into has an empty name") }
        guard common.reportFormat == .text else { throw ValidationError("`godwit schedule` prints text only") }
        guard (1_000...31_622_400_000).contains(every.milliseconds) else {
            throw ValidationError("--every takes a duration from 1s to 366d")
        }
        if forUser, scheduler != .systemd { throw ValidationError("--for-user requires --systemd") }
    }

    func run() throws {
        try common.perform(writesOutputItself: true) { _ in
            let migration = try common.makeMigration(writesReport: false)
            try migration.requireFolder(into)
            try migration.requireContainer()
            try migration.requireExportable(choices.options)
            let export = try scheduled(migration.app)
            let files: [ScheduleFile] =
                switch scheduler {
                case .systemd: try export.systemdUnits(isForUser: forUser)
                case .launchd: [try export.launchdAgent()]
                case .cron: [try export.crontabLine()]
                }
            if let folder = common.outputPath {
                for file in files {
                    try ReportOutput.writeUnlessSame(
                        Array(file.text.utf8), to: "\(folder)/\(file.name)", stage: .export)
                }
                guard !common.quiet else { return }
            }
            try ReportOutput.write(Array(shown(files).utf8), to: nil)
        }
    }

    /// Each file under a comment with its destination; for written files, their names and destinations.
    private func shown(_ files: [ScheduleFile]) -> String {
        if let folder = common.outputPath {
            return files.map { "\(folder)/\($0.name) belongs in \($0.place)\n" }.joined()
        }
        // A comment before the declaration would make an agent's XML invalid.
        guard scheduler == .systemd else { return files.map(\.text).joined() }
        return files.map { "# \($0.place)/\($0.name)\n\($0.text)" }.joined(separator: "\n")
    }

    private func scheduled(_ app: String) throws -> ScheduledExport {
        let here = ProcessSetup.currentFolder
        func absolute(_ path: String) -> String { CommandLineText.absolute(path, from: here) }
        guard let program = program ?? ProcessSetup.calledName ?? ProcessSetup.program else {
            throw ValidationError("missing path of the godwit to run (--program)")
        }
        let (manifest, container, folder) = (
            absolute(common.manifestPath), absolute(common.containerPath), absolute(into)
        )
        let groups = common.groupContainer.map(absolute)
        let name = absolute(program)
        var words = [name, "export", "-m", manifest, "-c", container, "--into", folder]
        words += groups.flatMap { ["--group-container", $0] } + choices.words
        words += resident ? ["--every", every.description] : ["--if-changed"]
        for (name, word) in [
            ("--account", common.account.word(from: here)), ("--network", common.network.word(from: here)),
        ] where word != "unknown" {
            words += [name, word]
        }
        if scheduler == .cron { words.append("-q") }
        let states = [common.account.file, common.network.file].compactMap(\.self).map(absolute)
        let inputs = [manifest, container] + groups + states
        return ScheduledExport(
            app: app, words: words, folder: folder, inputs: inputs,
            places: ([folder, name] + inputs).map { CommandLineText.target(of: $0) }, every: every,
            isResident: resident, user: ProcessSetup.user,
            logs: ProcessSetup.environment("HOME").map { $0 + "/Library/Logs" })
    }
}
