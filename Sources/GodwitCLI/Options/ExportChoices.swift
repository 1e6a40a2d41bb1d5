import Godwit
import ArgumentParser

/// The content, the form and the limits of an export: for `export` and `schedule`.
struct ExportChoices: ParsableArguments {
    @Flag(name: .long, help: "Write JSON Lines: a header line, one line for each record, an integrity line.")
    var lines = false

    @Flag(name: .long, help: "Compress the export with gzip.")
    var gzip = false

    @Option(
        name: .long,
        help: ArgumentHelp("Compression level from 1 (fastest) to 9 (smallest); with --gzip.", valueName: "1-9"))
    var level: Int?

    @Option(
        name: .long,
        help: ArgumentHelp("Export only this entity; may be repeated.", valueName: "name"))
    var entity: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Exit 65 if the store has fewer records; also with --since.", valueName: "n")
    )
    var minRecords: Int64?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Exit 65 if the number of records, in total or of one entity, fell by more than this percentage since the "
                + "newest export in the folder.", valueName: "50%"))
    var maxShrink: Percentage?

    func validate() throws {
        if let minRecords, minRecords < 0 { throw ValidationError("--min-records takes a number from 0") }
        if let level, !(1...9).contains(level) { throw ValidationError("--level takes a number from 1 to 9") }
        if level != nil, !gzip { throw ValidationError("--level requires --gzip") }
    }

    var options: ExportOptions {
        var options = ExportOptions(lines: lines, gzip: gzip, level: level ?? 6)
        options.entities = entity
        options.minRecords = minRecords
        options.maxShrinkPercent = maxShrink?.value
        return options
    }

    /// These options as words of a command line.
    var words: [String] {
        var words = (lines ? ["--lines"] : []) + (gzip ? ["--gzip"] : [])
        if let level { words += ["--level", "\(level)"] }
        words += entity.flatMap { ["--entity", $0] }
        if let minRecords { words += ["--min-records", "\(minRecords)"] }
        if let maxShrink { words += ["--max-shrink", "\(maxShrink.value)%"] }
        return words
    }
}
