import Godwit
import GodwitModel
import ArgumentParser

/// The start of the process: make the descriptors safe, parse, run, exit.
@main
enum Entrypoint {
    static func main() {
        Wording.chooseCommandLine()
        ProcessSetup.reopenClosedDescriptors()
        ProcessSetup.turnSignalsIntoErrors()
        ProcessSetup.cancelOnSignals()
        ProcessSetup.returnMemoryEarly()
        SQLiteMemory.limitForProcess()
        do {
            try ProcessSetup.requireReadableWords()
            var command = try GodwitCommand.parseAsRoot()
            try ProcessSetup.requireDescriptors()
            try command.run()
        } catch {
            CommandExit.exit(with: error)
        }
    }
}

struct GodwitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "godwit",
        abstract: "Move an app's data from where it was to where it belongs, once, and prove it.",
        discussion: """
            Legacy settings and favorites go into the structured store, every key gets one record, the local store is \
            copied to the cloud store once, and the result is exported as versioned JSON. Nothing is ever deleted.

            Begin with `godwit plan`: it shows what `godwit run` would do, on a private copy, and changes nothing.
            """,
        version: GodwitCommand.version,
        subcommands: [
            InspectCommand.self, InitCommand.self,
            RunCommand.self, PlanCommand.self, MigrateCommand.self, DedupeCommand.self, CopyCommand.self,
            RollbackCommand.self, ReopenCommand.self, VerifyCommand.self, ExportCommand.self, ImportCommand.self,
            FreshnessCommand.self,
            ForgetCommand.self,
            StatusCommand.self, HistoryCommand.self, ScheduleCommand.self, MergeReportsCommand.self,
        ])
}
