internal import GodwitFiles
package import GodwitModel
internal import FoundationLite

/// Godwit's own file in a container during a rollback, from which the same command completes it.
///
/// Invariant: it is on the disk before the first file is renamed, and removed after the last file has its name.
package struct RollbackMarker: Sendable, Codable {
    /// The folder of the backup, links resolved.
    package var backup: String
    /// The run before which the backup was made.
    package var runId: String
    /// The time in the new names of the files.
    package var stem: String
    /// Newer records that may be only in the renamed files after it.
    package var newer: Int64

    package init(backup: String, runId: String, stem: String, newer: Int64) {
        (self.backup, self.runId, self.stem, self.newer) = (backup, runId, stem, newer)
    }

    /// The marker in one of these folders; nil if no rollback is open.
    package static func find(in folders: [String]) throws(GodwitError) -> (folder: String, marker: RollbackMarker)? {
        for folder in folders {
            let path = PathText.join(folder, OwnFiles.rollbackMarker)
            guard try FileStatus.ofLink(path) != nil else { continue }
            let bytes = try readBytes(path, limit: 1 << 20, stage: .rollback)
            guard let marker = decode(RollbackMarker.self, bytes) else {
                throw GodwitError(
                    .rollback, .data, "`\(path)` is damaged",
                    hint: "Remove the file, then run the same \(name: .rollback) again.")
            }
            return (folder, marker)
        }
        return nil
    }

    func write(in folder: String, _ context: RunContext) throws(GodwitError) {
        let path = PathText.join(folder, OwnFiles.rollbackMarker)
        let file = try AtomicFile(target: path, identifier: context.makeIdentifier(), stage: .rollback)
        do { try file.write(Array(JSONEncoder().encode(self))) } catch let error as GodwitError {
            throw error
        } catch {
            throw GodwitError(.rollback, .bug, "the state of a rollback can't be written", underlying: "\(error)")
        }
        try file.commit(replacing: true)
    }

    /// Throws (65) if a rollback began in one of these folders and did not end.
    package static func requireNone(in folders: [String]) throws(GodwitError) {
        guard let (folder, marker) = try find(in: folders) else { return }
        throw GodwitError(
            .container, .data,
            "a rollback to `\(marker.backup)` was interrupted: some files in `\(folder)` are older than others",
            hint: Wording.text(
                commandLine: "Complete it with the same `godwit rollback` command.",
                library: "Complete it with the same call of `Migration.rollback(to:)`."))
    }
}
