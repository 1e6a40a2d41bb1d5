import ArgumentParser

/// The meaning of `-o` in a command's help.
protocol OutputMeaning {
    static var help: ArgumentHelp { get }
}

/// A report, a plan, an export.
enum ResultFile: OutputMeaning {
    static var help: ArgumentHelp {
        ArgumentHelp("Write the result to this file, which must not exist; - is standard output.", valueName: "file")
    }
}

/// The folder for the files of a scheduler.
enum ScheduleFolder: OutputMeaning {
    static var help: ArgumentHelp {
        ArgumentHelp(
            "Write the files into this folder instead of printing them; they must not exist.", valueName: "dir")
    }
}

/// The store that an import creates.
enum NewStore: OutputMeaning {
    static var help: ArgumentHelp {
        ArgumentHelp("The new store; the file must not exist. Optional with --dry-run.", valueName: "store")
    }
}
