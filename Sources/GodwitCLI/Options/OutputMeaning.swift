import ArgumentParser

/// What `-o` names, as a command's help says it.
protocol OutputMeaning {
    static var help: ArgumentHelp { get }
}

/// A report, a plan, an export.
enum ResultFile: OutputMeaning {
    static var help: ArgumentHelp {
        ArgumentHelp("Write the result to this new file; - is standard output.", valueName: "file")
    }
}

/// Where the files of a scheduler go.
enum ScheduleFolder: OutputMeaning {
    static var help: ArgumentHelp {
        ArgumentHelp("Write the files into this folder, as new ones, instead of printing them.", valueName: "dir")
    }
}

/// The store that an import makes.
enum NewStore: OutputMeaning {
    static var help: ArgumentHelp {
        ArgumentHelp("The new store; nothing may be there yet. May be left out with --dry-run.", valueName: "store")
    }
}
