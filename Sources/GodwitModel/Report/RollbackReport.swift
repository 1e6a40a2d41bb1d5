/// The result of a rollback.
public struct RollbackReport: Sendable, Codable {
    /// `done`, or `alreadyDone` if all files were equal to the backup.
    public var outcome: Outcome
    /// The folder of the backup as given.
    public var backup: String
    /// When the backup was made.
    public var madeAt: Instant
    /// The run for which the backup was made.
    public var runId: String
    /// The files, in the order in which they are restored.
    public var files: [RolledBackFile]
    /// Records by entity that were written after the backup; the app no longer sees them.
    public var newer: [String: Int64]
    /// Records by entity that were deleted after the backup; the app sees them again.
    public var deleted: [String: Int64]
    /// Keys of the preferences that have the backup's values again; nil if none changed.
    public var preferences: [String]?
    /// The completion flag after the rollback.
    public var flag: FlagState?

    /// A rollback that has not started.
    public init(backup: String, madeAt: Instant, runId: String, files: [RolledBackFile] = []) {
        outcome = .alreadyDone
        (self.backup, self.madeAt, self.runId, self.files) = (backup, madeAt, runId, files)
        newer = [:]
        deleted = [:]
    }
}

/// One file of a rollback.
public struct RolledBackFile: Sendable, Codable, Hashable {
    /// The use of the file in the manifest.
    public var role: FileRole
    /// Path inside the container.
    public var file: String
    /// `restored`, `removed` (renamed, because the backup has no such file) or `unchanged`.
    public var action: RollbackAction
    /// The new name of the file that existed before the rollback; nil if none existed or it did not change.
    public var keptAs: String?

    /// A file.
    public init(role: FileRole, file: String, action: RollbackAction, keptAs: String? = nil) {
        (self.role, self.file, self.action, self.keptAs) = (role, file, action, keptAs)
    }
}

/// What a rollback did with a file.
public enum RollbackAction: String, Sendable, Codable, CaseIterable {
    /// The file is the backup's again.
    case restored
    /// The backup has no such file; the existing file was renamed.
    case removed
    /// The file was equal to the backup.
    case unchanged
}
