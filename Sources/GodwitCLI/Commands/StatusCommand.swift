import ArgumentParser
import Godwit
import GodwitReport

/// `godwit status`.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Sync state, active store, pending changes, last runs.",
        discussion: HelpTexts.codes("0   shown\n2   sync is broken, under --exit-code"))

    @OptionGroup var common: CommonOptions

    @Option(
        name: .long, help: "The language of what users of the app would be told: en or ja.",
        completion: .list(["en", "ja"]))
    var lang = "en"

    @Flag(name: .long, help: "Exit 2 when sync is broken.")
    var exitCode = false

    func validate() throws {
        guard ["en", "ja"].contains(lang) else { throw ValidationError("--lang takes en or ja.") }
    }

    func run() throws {
        let report = try common.perform { _ in
            let pipeline = try common.makePipeline { $0.language = lang }
            let report = try pipeline.status(cancellation: ProcessSetup.cancellation)
            try common.show(report, common.setting(pipeline, demands: exitCode ? .workingSync : []))
            return report
        }
        if exitCode, report.sync.status.isBroken { throw Ending.Verdict(code: .pending) }
    }
}

/// `godwit history`.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Past runs, newest first.",
        discussion: HelpTexts.codes("0   shown"))

    @OptionGroup var common: CommonOptions

    func validate() throws { try common.requireFormat(of: HistoryReport.self, named: "history") }

    func run() throws {
        try common.perform { _ in
            let pipeline = try common.makePipeline()
            try common.show(try pipeline.history(cancellation: ProcessSetup.cancellation), common.setting(pipeline))
        }
    }
}
