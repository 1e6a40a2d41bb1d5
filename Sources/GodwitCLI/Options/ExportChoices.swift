import Godwit
import ArgumentParser

/// The content, the form and the limits of an export: for `export` and `schedule`.
struct ExportChoices: ParsableArguments {
    @Flag(name: .long, help: "JSON lines: a header line, a line for each record, an integrity line.")
    var lines = false

    @Flag(name: .long, help: "Pack the document with gzip.")
    var gzip = false

    @Option(
        name: .long,
        help: ArgumentHelp("How hard to pack, from 1 (quickest) to 9 (smallest); with --gzip.", valueName: "1-9"))
    var level: Int?

    @Option(
        name: .long,
        help: ArgumentHelp("Export this entity only; may be given several times.", valueName: "name"))
    var entity: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Refuse a store of fewer records, also with --since (exit 65).", valueName: "n")
    )
    var minRecords: Int64?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Refuse an export that has more than this share fewer records, all together or of one entity, than the "
                + "newest in the folder (exit 65).", valueName: "50%"))
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
