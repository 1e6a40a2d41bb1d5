internal import GodwitFiles
package import GodwitModel
internal import FoundationLite

/// The index of a folder of exports, `exports.jsonl`: one line for each of the last attempts, oldest first.
///
/// It is replaced as a whole, so it is never incomplete. No command depends on it: exports are recognized by their
/// content. Only the index shows that an attempt failed.
package struct ExportIndex: Sendable {
    package static let name = "exports.jsonl"
    /// Maximum number of attempts.
    package static let most = 500
    /// Maximum size in bytes for reading and writing; many entities make long lines.
    private static let mostBytes = 8 << 20

    package private(set) var attempts: [ExportAttempt] = []
    private let path: String

    /// The index of a folder; empty if it does not exist.
    ///
    /// - Throws: 73 if the name belongs to something else; 77 if it is not readable.
    package init(of folder: String, stage: GodwitError.Stage) throws(GodwitError) {
        path = PathText.join(folder, Self.name)
        guard let status = try FileStatus.ofLink(path, unusable: .cannotCreate) else { return }
        guard status.isRegularFile, status.size <= Self.mostBytes else { throw foreign(stage) }
        // A power cut may replace a line with zero bytes.
        let lines = try readBytes(path, limit: Self.mostBytes, stage: stage).split { $0 == 0x0A || $0 == 0 }
        let decoder = JSONDecoder()
        attempts = lines.compactMap { try? decoder.decode(ExportAttempt.self, from: Data($0)) }
        // Skips lines of later versions; a file without any readable line is not an index.
        guard !attempts.isEmpty || lines.isEmpty else { throw foreign(stage) }
    }

    private func foreign(_ stage: GodwitError.Stage) -> GodwitError {
        GodwitError(
            stage, .cannotCreate, "`\(path)` is not an index of exports; it is not replaced",
            hint: "Choose another folder, or give that file another name.")
    }

    package func last(app: String, selection: [String]?) -> ExportAttempt? {
        attempts.last { $0.app.utf8.elementsEqual(app.utf8) && $0.selection == selection }
    }

    /// The name of the newest known export of a series, also if later attempts failed.
    package func lastExport(app: String, selection: [String]?) -> String? {
        attempts.last { $0.app.utf8.elementsEqual(app.utf8) && $0.selection == selection && $0.file != nil }?.file
    }

    /// Adds an attempt and writes the index; the caller holds the folder's lock.
    ///
    /// Removes the oldest attempts if there are too many, or if the index would become too large to be read.
    package mutating func record(_ attempt: ExportAttempt, identifier: String) throws(GodwitError) {
        attempts = attempts.suffix(Self.most - 1) + [attempt]
        let lines = try Self.lines(of: attempts)
        var size = lines.reduce(0) { $0 + $1.count }
        var dropped = 0
        while size > Self.mostBytes, dropped < lines.count - 1 {
            size -= lines[dropped].count
            dropped += 1
        }
        attempts.removeFirst(dropped)
        let bytes = Array(lines[dropped...].joined())
        let before = try FileStatus.ofLink(path)
        let file = try AtomicFile(
            target: path, identifier: identifier, mode: before == nil ? 0o644 : 0o600, isOutput: true, stage: .export)
        if let before { try file.takeRights(FileOwnership(path, before)) }
        try file.write(bytes)
        try file.commit(replacing: before != nil)
    }

    private static func lines(of attempts: [ExportAttempt]) throws(GodwitError) -> [[UInt8]] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var lines: [[UInt8]] = []
        do {
            for attempt in attempts {
                let line = try encoder.encode(attempt)
                lines.append(Array(line) + [0x0A])
            }
        } catch {
            throw GodwitError(.export, .bug, "the index of exports can't be written", underlying: "\(error)")
        }
        return lines
    }
}
