package import GodwitModel
package import GodwitPropertyList

/// A file that a run may write, and its path.
package struct BackupSource: Sendable {
    package let role: RunReport.Backup.Role
    /// Where the file is, links resolved.
    package let path: String
    /// Its name in messages.
    package let name: String
    /// Path inside its container, links resolved.
    package let relative: String
    /// Which of the group containers; nil for the container itself.
    package let group: Int?
    /// The domain that the file belongs to, which is read instead; nil for a file.
    package let domain: (any PreferencesDomain)?

    package init(
        role: RunReport.Backup.Role, path: String, name: String, relative: String, group: Int?,
        domain: (any PreferencesDomain)? = nil
    ) {
        (self.role, self.path, self.name, self.relative, self.group) = (role, path, name, relative, group)
        self.domain = domain
    }

    var isStore: Bool { role != .preferences }
}

extension BackupSource {
    /// The suffixes of files next to it that belong to it.
    package static let companions = ["-wal", "-journal"]

    /// Each file of the source that exists, with its name in the folder's tree: the file itself last.
    var names: [(suffix: String, kind: BackupPart.Kind)] {
        isStore ? [("-wal", .wal), ("-journal", .journal), ("", .main)] : [("", .main)]
    }
}
