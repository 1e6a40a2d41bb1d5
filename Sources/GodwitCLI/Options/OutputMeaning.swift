import ArgumentParser

/// The meaning of `-o` in a command's help.
protocol OutputMeaning {
    static var help: ArgumentHelp { get }
}

/// A report, a plan, an export.
enum ResultFile: OutputMeaning {
    static var help: ArgumentHelp {
        ArgumentHelp("Write the result to this new file; - is standard output.", valueName: "file")
    }
}

/// The folder for the files of a scheduler.
enum ScheduleFolder: OutputMeaning {
    static var help: ArgumentHelp {
        ArgumentHelp("Write the files into this folder, as new ones, instead of printing them.", valueName: "dir")
    }
}

/// The store that an import creates.
enum NewStore: OutputMeaning {
    static var help: ArgumentHelp {
        ArgumentHelp("The new store; nothing may be there yet. May be left out with --dry-run.", valueName: "store")
    }
}
