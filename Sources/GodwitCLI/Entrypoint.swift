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
        abstract: "Move an app's data into a store that syncs, once, and verify the result.",
        discussion: """
            Godwit copies legacy settings and favorites into the store, sets duplicates aside, copies the local store to \
            the cloud store once, and exports the result as versioned JSON. It deletes nothing.

            Start with `godwit plan`. It runs on a private copy, shows what `godwit run` would do, and changes nothing.
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
