internal import GodwitFiles
package import GodwitModel
internal import FoundationLite

/// What a journal tells: the pass it is of, and what came of each container so far.
///
/// A line that was torn (a kill, a full disk, a power cut) counts for nothing: its container is done again, which changes
/// nothing where it was done.
package struct JournalContents: Sendable {
    /// The header of the first pass; nil where there is none yet.
    package private(set) var header: JournalHeader?
    /// The containers in the order of their first line, each with what its last line says.
    package private(set) var entries: [FleetEntry] = []
    /// Containers that were done, and then done again: no pass does that.
    package private(set) var doneTwice: [String] = []
    /// Time of all passes that came to their end.
    package private(set) var durationMilliseconds: Int64 = 0
    /// When the newest pass began.
    package private(set) var lastStart: Instant?
    /// Whether its last line that tells something is the summary of a pass that came to its end.
    package private(set) var isFinished = false
    /// Whether the last line has no newline.
    package private(set) var endsTorn = false

    private var places: [[UInt8]: Int] = [:]

    /// Reads a journal to its end; 65 where it is something else, or of a later version.
    package init(of path: String) throws(GodwitError) {
        var reader = LineReader(file: try OpenFile(reading: path, stage: .fleet))
        guard try reader.status().isRegularFile else {
            throw GodwitError(.fleet, .noInput, "\(path) is not a regular file.", hint: "Name a journal.")
        }
        // A header may be torn as well; but a file that never comes to one is something else.
        var hasOtherLines = false
        while let line = try reader.next() {
            // A power cut may leave zeroes where a line was.
            let bytes = line.bytes.drop { $0 == 0 }
            endsTorn = !line.isWhole
            guard !bytes.isEmpty else { continue }
            let said = Self.line(Data(bytes), in: path)
            guard let said else {
                hasOtherLines = hasOtherLines || !Self.isTornHeader(bytes)
                continue
            }
            try take(said, path)
        }
        if header == nil, hasOtherLines { throw Self.foreign(path) }
    }

    private mutating func take(_ line: JournalLine, _ path: String) throws(GodwitError) {
        isFinished = false
        switch line {
        case .header(let found):
            guard found.journalVersion <= JournalHeader.version else { throw Self.later(path, found.journalVersion) }
            lastStart = found.startedAt
            guard let header else {
                header = found
                return
            }
            guard found.differences(from: header).isEmpty else { throw Self.foreign(path) }
        case .container(let entry):
            guard header != nil else { throw Self.foreign(path) }
            let name = Array(entry.container.utf8)
            guard let place = places[name] else {
                places[name] = entries.count
                entries.append(entry)
                return
            }
            if entries[place].verdict.isDone { doneTwice.append(entry.container) }
            entries[place] = entry
        case .summary(let summary):
            durationMilliseconds = durationMilliseconds.addingClamped(summary.durationMilliseconds)
            isFinished = true
        }
    }

    /// Whether bytes may be what is left of a header.
    private static func isTornHeader(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: JournalHeader.beginning) || JournalHeader.beginning.starts(with: bytes)
    }

    private struct Message: Decodable {
        var messageType: String
        var entry: FleetEntry?
    }

    private static func line(_ bytes: Data, in path: String) -> JournalLine? {
        let decoder = JSONDecoder()
        guard let message = try? decoder.decode(Message.self, from: bytes) else { return nil }
        switch message.messageType {
        case "fleet": return (try? decoder.decode(JournalHeader.self, from: bytes)).map { .header($0) }
        case "container": return message.entry.map { .container($0) }
        case "summary": return (try? decoder.decode(JournalSummary.self, from: bytes)).map { .summary($0) }
        default: return nil
        }
    }

    private static func foreign(_ path: String) -> GodwitError {
        GodwitError(
            .fleet, .data, "\(path) is no journal of one fleet.",
            hint: "Name the journal that `--journal` wrote, or a file that is not there yet.")
    }

    private static func later(_ path: String, _ version: Int) -> GodwitError {
        GodwitError(
            .fleet, .data,
            "\(path) is a journal of version \(version); this Godwit reads version \(JournalHeader.version).",
            hint: "Use the Godwit that wrote it, or a later one.")
    }
}
