internal import GodwitFiles
package import GodwitModel
internal import FoundationLite

/// The contents of a journal: the run's settings, and the result of each container so far.
///
/// An incomplete line (a kill, a full disk, a power cut) is skipped: its container is processed again, which changes
/// nothing if it was done.
package struct JournalContents: Sendable {
    /// The header of the first run; nil if there is none yet.
    package private(set) var header: JournalHeader?
    /// The containers in the order of their first lines, each with the result of its last line.
    package private(set) var entries: [FleetEntry] = []
    /// Containers that were processed again after they were done, which no run does.
    package private(set) var doneTwice: [String] = []
    /// Duration of all complete runs.
    package private(set) var durationMilliseconds: Int64 = 0
    package private(set) var lastStart: Instant?
    /// Whether its last readable line is the summary of a complete run.
    package private(set) var isFinished = false
    /// Whether the last line has no newline.
    package private(set) var endsTorn = false

    private var entryIndices: [[UInt8]: Int] = [:]

    /// Reads a journal to its end; throws 65 for another file, or for a later version.
    package init(of path: String) throws(GodwitError) {
        var reader = LineReader(file: try OpenFile(reading: path, stage: .fleet))
        guard try reader.status().isRegularFile else {
            throw GodwitError(.fleet, .noInput, "`\(path)` is not a regular file", hint: "Name a journal.")
        }
        // A header may be incomplete too; but a file without any header is not a journal.
        var hasOtherLines = false
        while let line = try reader.next() {
            // A power cut may leave zeros instead of a line.
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
            guard let index = entryIndices[name] else {
                entryIndices[name] = entries.count
                entries.append(entry)
                return
            }
            if entries[index].verdict.isDone { doneTwice.append(entry.container) }
            entries[index] = entry
        case .summary(let summary):
            durationMilliseconds = durationMilliseconds.addingClamped(summary.durationMilliseconds)
            isFinished = true
        }
    }

    /// Whether bytes may be part of a header.
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
            .fleet, .data, "`\(path)` is not a journal of one fleet",
            hint: "Name the journal that `--journal` wrote, or a new file.")
    }

    private static func later(_ path: String, _ version: Int) -> GodwitError {
        GodwitError(
            .fleet, .data,
            "`\(path)` is a journal of version \(version); this Godwit reads version \(JournalHeader.version)",
            hint: "Use the Godwit that wrote it, or a later one.")
    }
}
