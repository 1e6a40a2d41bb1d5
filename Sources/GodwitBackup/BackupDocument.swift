internal import GodwitFiles
package import GodwitModel
internal import FoundationLite

/// The content of `backup.json`: the time and the run of a backup, and the path of each of its files.
package struct BackupDocument: Sendable, Codable, Equatable {
    package static let format = "godwit-backup"
    package static let version = 1
    /// Name of the document in the folder of a backup.
    package static let name = "backup.json"
    /// The largest document that is read: 16 MiB.
    static let limit = 16 << 20

    var format = Self.format
    var formatVersion = Self.version
    var minReaderVersion = Self.version
    /// The manifest's app.
    package var app: String
    /// Version of the Godwit that made it.
    var godwitVersion = GodwitVersion.current
    /// The time of the run.
    package var createdAt: Instant
    /// Identifier of the run.
    package var runId: String
    /// The command of the run.
    var command: String
    /// The container, links resolved.
    package var container: String
    /// The files, in the order in which a rollback puts them back.
    package var files: [BackupEntry]

    package init(
        app: String, createdAt: Instant, runId: String, command: String, container: String, files: [BackupEntry] = []
    ) {
        (self.app, self.createdAt, self.runId, self.command) = (app, createdAt, runId, command)
        (self.container, self.files) = (container, files)
    }

    func encoded() throws(GodwitError) -> [UInt8] { try documentBytes(self) }
}

/// One file of the app: its path, and its parts if it existed.
package struct BackupEntry: Sendable, Codable, Equatable {
    package var role: RunReport.Backup.Role
    /// Path inside the container, or inside the group container.
    package var name: String
    /// Which of the group containers, in the order of the command line; nil for the container itself.
    package var group: Int?
    /// The file and its companions; none if the file did not exist.
    package var parts: [BackupPart] = []
    /// The folders that they are in, the outermost first; nil in backups of earlier versions.
    var folders: [BackupFolder]?

    package var exists: Bool { !parts.isEmpty }
    package var bytes: Int64 { parts.reduce(0) { $0 + $1.bytes } }

    package init(role: RunReport.Backup.Role, name: String, group: Int? = nil) {
        (self.role, self.name, self.group) = (role, name, group)
    }
}

/// A folder of the app, to be made again with its rights if it is missing.
package struct BackupFolder: Sendable, Codable, Equatable {
    /// Path inside the container, or inside the group container.
    var path: String
    var mode: UInt32
    var owner: UInt32
    var group: UInt32
}

/// One file of a backup, byte for byte.
package struct BackupPart: Sendable, Codable, Equatable {
    /// The role of the part for its store.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The store or the preferences file.
        case main
        /// The write-ahead log.
        case wal
        /// The rollback journal.
        case journal
        /// A file of Core Data next to a store.
        case externalData
    }

    package var kind: Kind
    /// Path inside the folder of the backup.
    package var file: String
    package var bytes: Int64
    package var sha256: String
    /// Permissions.
    package var mode: UInt32
    /// Owner and group, by number; nil in backups of earlier versions.
    package var owner: UInt32?
    package var group: UInt32?

    /// The suffix after the store's name in the name of the file.
    package var suffix: String {
        switch kind {
        case .wal: "-wal"
        case .journal: "-journal"
        case .main, .externalData: ""
        }
    }
}

/// The content of `after.json`: the state of the files after the run, from which a rollback finds later writes.
package struct FilesAfterRun: Sendable, Codable, Equatable {
    package static let name = "after.json"
    /// SHA-256 by path inside the container, companions included.
    package var sha256: [String: String]
    /// The records that the run wrote, by entity; nil in backups of earlier versions, or if they could not be read.
    package var written: [String: WrittenRecords]?

    package init(_ sha256: [String: String]) { self.sha256 = sha256 }

    /// Whether a store and its companions had the same bytes.
    package func hasSame(_ store: String, as other: FilesAfterRun) -> Bool {
        ["", "-wal", "-journal"].allSatisfy { sha256[store + $0] == other.sha256[store + $0] }
    }

    func encoded() throws(GodwitError) -> [UInt8] { try documentBytes(self) }

    /// Nil if there is no such document, or if it can't be read: then the records are counted one by one.
    package init?(in folder: String) {
        guard let bytes = try? readBytes(folder + "/" + Self.name, limit: BackupDocument.limit, stage: .rollback),
            let read = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return nil }
        self = read
    }
}

private func documentBytes(_ value: some Encodable) throws(GodwitError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    do {
        return Array(try encoder.encode(value)) + [0x0A]
    } catch {
        throw GodwitError(.backup, .bug, "the description of a backup can't be written", underlying: "\(error)")
    }
}

/// JSON of a document in the folder of a backup.
func decode<D: Decodable>(_ type: D.Type, _ bytes: [UInt8]) -> D? { try? JSONDecoder().decode(type, from: Data(bytes)) }
