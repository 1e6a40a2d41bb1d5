/// What a rollback put back.
public struct RollbackReport: Sendable, Codable {
    /// `done`, or `alreadyDone` if all files were as in the backup.
    public var outcome: Outcome
    /// The folder of the backup as given.
    public var backup: String
    /// When the backup was made.
    public var madeAt: Instant
    /// The run before which it was made.
    public var runId: String
    /// The files, in the order in which they are put back.
    public var files: [RolledBackFile]
    /// Records by entity that were written since the backup and that the app no longer sees.
    public var newer: [String: Int64]
    /// Records by entity that were deleted since the backup and that the app sees again.
    public var deleted: [String: Int64]
    /// Keys of the preferences whose values are those of the backup again; nil if none changed.
    public var preferences: [String]?
    /// The flag as it is after the rollback.
    public var flag: FlagState?

    /// A rollback that has not done anything yet.
    public init(backup: String, madeAt: Instant, runId: String, files: [RolledBackFile] = []) {
        outcome = .alreadyDone
        self.backup = backup
        self.madeAt = madeAt
        self.runId = runId
        self.files = files
        newer = [:]
        deleted = [:]
    }
}

/// One file of a rollback.
public struct RolledBackFile: Sendable, Codable, Hashable {
    /// What the manifest uses the file for.
    public var role: FileRole
    /// Path inside the container.
    public var file: String
    /// `restored`, `removed` (renamed, since the backup has no such file) or `unchanged`.
    public var action: RollbackAction
    /// The new name of the file that was there before the rollback; nil if there was none, or if it did not change.
    public var keptAs: String?

    /// A file.
    public init(role: FileRole, file: String, action: RollbackAction, keptAs: String? = nil) {
        self.role = role
        self.file = file
        self.action = action
        self.keptAs = keptAs
    }
}

/// What a rollback did with a file.
public enum RollbackAction: String, Sendable, Codable, CaseIterable {
    /// The file is that of the backup again.
    case restored
    /// The backup has no such file; the one that existed has another name now.
    case removed
    /// The file did not differ from the backup.
    case unchanged
}
