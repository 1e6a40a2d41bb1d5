extension RunReport {
    /// The result of a rollback.
    public struct Rollback: Sendable, Codable {
        /// `done`, or `alreadyDone` if all files were equal to the backup.
        public var outcome: Outcome
        /// The folder of the backup as given.
        public var backup: String
        /// When the backup was made.
        public var madeAt: Instant
        /// The run for which the backup was made.
        public var runId: String
        /// The files, in the order in which they are restored.
        public var files: [RunReport.Rollback.File]
        /// Records by entity that were written after the backup; the app no longer sees them.
        public var newer: [String: Int64]
        /// Records by entity that the store no longer had; the app sees them again.
        public var deleted: [String: Int64]
        /// Keys of the preferences that have the backup's values again; nil if none changed.
        public var preferences: [String]?
        /// The completion flag after the rollback.
        public var flag: RunReport.Flag?

        /// A rollback that has not started.
        package init(backup: String, madeAt: Instant, runId: String, files: [RunReport.Rollback.File] = []) {
            outcome = .alreadyDone
            (self.backup, self.madeAt, self.runId, self.files) = (backup, madeAt, runId, files)
            newer = [:]
            deleted = [:]
        }
    }
}

extension RunReport.Rollback {
    /// One file of a rollback.
    public struct File: Sendable, Codable, Hashable {
        /// The use of the file in the manifest.
        package var role: RunReport.Backup.Role
        /// Path inside the container.
        public var file: String
        /// `restored`, `removed` (renamed, because the backup has no such file) or `unchanged`.
        public var action: RunReport.Rollback.Action
        /// The new name of the file that existed before the rollback; nil if none existed or it did not change.
        public var keptAs: String?

        /// A file.
        package init(
            role: RunReport.Backup.Role, file: String, action: RunReport.Rollback.Action, keptAs: String? = nil
        ) {
            (self.role, self.file, self.action, self.keptAs) = (role, file, action, keptAs)
        }
    }
}

extension RunReport.Rollback {
    /// The change that a rollback made to a file.
    public enum Action: String, Sendable, Codable, CaseIterable {
        /// The file is the backup's again.
        case restored
        /// The backup has no such file; the existing file was renamed.
        case removed
        /// The file was equal to the backup.
        case unchanged
    }
}
