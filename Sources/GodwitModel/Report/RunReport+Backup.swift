extension RunReport {
    /// The backup that a run made before its first write.
    public struct Backup: Sendable, Codable {
        /// The folder of the backup; in a plan, the folder that a run would make.
        public var folder: String
        /// The backup's files.
        public var files: [RunReport.Backup.File]

        /// A backup.
        package init(folder: String, files: [RunReport.Backup.File]) {
            (self.folder, self.files) = (folder, files)
        }
    }
}

extension RunReport.Backup {
    /// One file of the app in a backup, with its companions (for example `-wal`).
    public struct File: Sendable, Codable, Hashable {
        /// What the manifest uses the file for.
        package var role: RunReport.Backup.Role
        /// Path inside the container.
        public var file: String
        /// Whether the file existed when the backup was made.
        public var exists: Bool
        /// Size of the file and its companions in bytes.
        public var bytes: Int64

        /// A file.
        package init(role: RunReport.Backup.Role, file: String, exists: Bool, bytes: Int64) {
            (self.role, self.file, self.exists, self.bytes) = (role, file, exists, bytes)
        }
    }
}

extension RunReport.Backup {
    /// The use of a file in the manifest.
    package enum Role: String, Sendable, Codable, CaseIterable {
        /// The first preferences file, which has the completion flag.
        case preferences
        /// The cloud store.
        case cloud
        /// The local store.
        case local
    }
}
