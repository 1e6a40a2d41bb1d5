import Godwit
import GodwitRender
import ArgumentParser

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show sync, active store, pending changes and the last runs.",
        discussion: """
            With --watch it follows the files. A terminal shows the status again after each change; other outputs get one \
            line for each change (--plain), or one report (--json). It changes nothing. Ctrl-C stops it.

            """ + HelpTexts.codes("0   shown\n2   sync is broken, under --exit-code"))

    @OptionGroup var common: CommonOptions

    @Option(
        name: .long, help: "Language of the texts for users of the app: en or ja.",
        completion: .list(["en", "ja"]))
    var lang = "en"

    @Flag(name: .long, help: "Show times as ISO 8601 instead of ages.")
    var absolute = false

    @Flag(name: .long, help: "Follow the files, and show each change until Ctrl-C.")
    var watch = false

    @Flag(name: .long, help: "With --watch: print one line for each change, for logs and screen readers.")
    var plain = false

    @Flag(name: .long, help: "Exit 2 if sync is broken.")
    var exitCode = false

    func validate() throws {
        guard ["en", "ja"].contains(lang) else { throw ValidationError("--lang takes en or ja") }
        guard watch else {
            if plain { throw ValidationError("--plain requires --watch") }
            return
        }
        let others = [
            ("--exit-code", exitCode), ("--quiet", common.quiet), ("--output", common.outputPath != nil),
            ("--format \(common.reportFormat.rawValue)", ![.text, .json].contains(common.reportFormat)),
        ]
        for (option, isGiven) in others where isGiven {
            throw ValidationError("`--watch` and `\(option)` can't both be given")
        }
        if plain, common.reportFormat == .json { throw ValidationError("`--plain` and `--json` can't both be given") }
    }

    func run() throws {
        guard !watch else { return try follow() }
        let report = try common.perform { _ in
            let migration = try common.makeMigration { $0.language = lang }
            let report = try migration.status(cancellation: ProcessSetup.cancellation)
            var setting = common.setting(migration, demands: exitCode ? .workingSync : [])
            setting.style.absolute = absolute
            try common.show(report, setting)
            return report
        }
        if exitCode, report.isSyncBroken { throw CommandExit.Verdict(code: .pending) }
    }
}

extension StatusCommand {
    /// How long one status waits for a store that is in use, in milliseconds; it is tried again later.
    private static let patience = 1000

    private func follow() throws {
        try common.perform { _ in
            let migration = try common.makeMigration {
                $0.language = lang
                $0.lockTimeoutMilliseconds = min($0.lockTimeoutMilliseconds, Self.patience)
            }
            var watch = StatusWatch(migration, account: common.account, network: common.network)
            if common.reportFormat == .json {
                var stream = StatusStream()
                try watch.run(showing: &stream)
            } else if plain || !common.printing.isOnTerminal {
                var log = StatusLog()
                try watch.run(showing: &log)
            } else {
                var style = common.style
                style.absolute = absolute
                ProcessSetup.answerStops()
                var screen = StatusScreen(style)
                defer { screen.leave() }
                try screen.enter()
                try watch.run(showing: &screen)
            }
        }
    }
}

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the last runs, newest first.",
        discussion: HelpTexts.codes("0   shown"))

    @OptionGroup var common: CommonOptions

    func validate() throws { try common.requireFormat(of: HistoryReport.self, named: "history") }

    func run() throws {
        try common.perform { _ in
            let migration = try common.makeMigration()
            try common.show(try migration.history(cancellation: ProcessSetup.cancellation), common.setting(migration))
        }
    }
}
