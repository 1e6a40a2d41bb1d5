internal import GodwitFiles
package import GodwitModel
internal import FoundationLite

extension ShardReport {
    /// Largest size of a journal or report in bytes.
    package static let longest = 1 << 30

    /// Reads journals and reports; for a folder, every `.jsonl` file directly inside.
    ///
    /// Throws 66 for a path that does not exist and for a folder without journals, 65 for a file that is neither a
    /// journal nor a report.
    package static func all(
        at paths: [String], cancellation: Cancellation = Cancellation()
    ) throws(GodwitError) -> [ShardReport] {
        var found: [ShardReport] = []
        for path in paths {
            for file in try files(at: path) {
                try cancellation.check(.fleet)
                found.append(try ShardReport(reading: file))
            }
        }
        return found
    }

    private static func files(at path: String) throws(GodwitError) -> [String] {
        guard try FileStatus.of(path)?.isDirectory == true else { return [path] }
        let names = try PathText.textNames(in: path, stage: .fleet)
            .filter { $0.hasSuffix(".jsonl") && !$0.hasPrefix(".") }
        guard !names.isEmpty else {
            throw GodwitError(
                .fleet, .noInput, "no journal in `\(path)`",
                hint: "Give the journals of the folder names that end with .jsonl, or name each file.")
        }
        return names.map { PathText.join(path, $0) }
    }

    /// Reads one file; its content decides whether it is a journal or a report.
    package init(reading path: String) throws(GodwitError) {
        guard let status = try FileStatus.of(path) else {
            throw GodwitError(
                .fleet, .noInput, "`\(path)` does not exist", hint: "Name the journal or the JSON report of each shard."
            )
        }
        guard status.isRegularFile else {
            throw GodwitError(.fleet, .noInput, "`\(path)` is not a regular file", hint: "Name a journal or a report.")
        }
        guard status.size <= Int64(Self.longest) else {
            throw .tooLarge(path, size: status.size, limit: Self.longest, stage: .fleet)
        }
        let read =
            try Self.isJournal(path)
            ? ShardReport(JournalContents(of: path), in: path)
            : try Self.report(in: path).flatMap { ShardReport($0, in: path) }
        guard let read else { throw Self.neither(path) }
        self = read
    }

    /// Number of incomplete lines that are accepted before the first line of a journal.
    private static let maxIncompleteLines = 64

    /// Whether one of the first lines is a line of a journal.
    private static func isJournal(_ path: String) throws(GodwitError) -> Bool {
        struct Message: Decodable { var messageType: String }
        var reader = LineReader(file: try OpenFile(reading: path, stage: .fleet))
        for _ in 0..<maxIncompleteLines {
            // A report on one line may be longer than any line of a journal.
            guard let line = try? reader.next() else { return false }
            let bytes = line.bytes.drop { $0 == 0 }
            if (try? JSONDecoder().decode(Message.self, from: Data(bytes))) != nil { return true }
        }
        return false
    }

    private static func report(in path: String) throws(GodwitError) -> FleetReport? {
        struct Version: Decodable { var reportVersion: Int }
        let bytes = Data(try readBytes(path, limit: longest, stage: .fleet))
        let decoder = JSONDecoder()
        if let report = try? decoder.decode(FleetReport.self, from: bytes), report.reportVersion == 1 { return report }
        if let version = try? decoder.decode(Version.self, from: bytes).reportVersion, version > 1 {
            throw GodwitError(
                .fleet, .data, "`\(path)` is a report of version \(version); this Godwit reads version 1",
                hint: "Use the Godwit that wrote it, or a later one.")
        }
        return nil
    }

    private static func neither(_ path: String) -> GodwitError {
        GodwitError(
            .fleet, .data, "`\(path)` is neither a journal nor a report of a fleet",
            hint: "Name a file that `--all` wrote with --journal FILE, or with --json -o FILE.")
    }
}
