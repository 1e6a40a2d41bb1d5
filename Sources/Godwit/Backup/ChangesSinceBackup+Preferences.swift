internal import GodwitFiles
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitBackup
internal import GodwitCopy

/// The app's changes to its preferences since a backup.
extension ChangesSinceBackup {
    func isFlagInBackup() throws(GodwitError) -> Bool {
        let entry = backup.document.files.first { $0.role == .preferences }
        guard let entry else { return try scope.flag.isSet() }
        guard let path = backup.path(of: entry) else { return false }
        return try FlagFile(path, name: path, mayBeEmpty: true).readFlag(scope.manifest.copy.flag) ?? false
    }

    /// Keys of the preferences, except the flag, with values that differ from the backup; nil if there are none.
    func changedKeys() throws(GodwitError) -> [String]? {
        guard let destination = destinations.first(where: { $0.entry.role == .preferences }),
            let path = backup.path(of: destination.entry),
            let now = destination.domain.map({ try? $0.read() }) ?? preferences(destination.path),
            let before = preferences(path)
        else { return nil }
        let keys = LegacyDocument.keysThatDiffer(now, before).filter { key in
            !key.utf8.elementsEqual(scope.manifest.copy.flag.utf8)
        }
        return keys.isEmpty ? nil : keys
    }

    /// A preferences file; nil if it can't be read.
    private func preferences(_ path: String) -> LegacyDocument? {
        guard let bytes = try? readBytes(path, limit: CompletionFlag.limit, stage: .rollback) else { return nil }
        return try? LegacyDocument(unordered: bytes)
    }
}
