internal import GodwitFiles
package import GodwitModel
internal import GodwitPropertyList

/// The flag in a property list or JSON file, which is replaced atomically, in its own format.
package struct FlagFile: FlagStore {
    private let path: String
    private let name: String
    private let root: String?
    private let mayBeEmpty: Bool

    /// - Parameters:
    ///   - path: the preferences file, with links resolved.
    ///   - name: its path inside the container.
    ///   - root: the container, inside which folders may be created; nil for anywhere.
    ///   - mayBeEmpty: whether a file without any bytes has no keys, and is not damaged.
    package init(_ path: String, name: String, root: String? = nil, mayBeEmpty: Bool = false) {
        (self.path, self.name, self.root, self.mayBeEmpty) = (path, name, root, mayBeEmpty)
    }

    package func readFlag(_ key: String) throws(GodwitError) -> Bool? {
        guard let status = try FileStatus.of(path), !isEmpty(status) else { return nil }
        let bytes = try readBytes(path, limit: CompletionFlag.limit, stage: .copy)
        return try PropertyListEditor.readFlag(LegacyDocument(bytes).root, key)
    }

    /// The file keeps its owner, its mode, and its extended attributes; a missing one is made.
    package func setFlag(
        _ key: String, to value: Bool, context: RunContext, confirm: () throws(GodwitError) -> Void
    ) throws(GodwitError) {
        try context.requireBackup(beforeWriting: path)
        let before = try FileStatus.of(path)
        let edited = try edited(key, to: value, isNew: before.map(isEmpty) ?? true)
        if before == nil { try PathText.makeDirectories(PathText.directory(of: path), inside: root) }
        let file = try AtomicFile(target: path, identifier: context.makeIdentifier(), stage: .copy)
        try file.write(edited)
        if let before { try file.takeOwnership(FileOwnership(path, before)) }
        guard let before else {
            try confirm()
            do throws(GodwitError) { try file.commit(replacing: false) } catch {
                guard error.code == .cannotCreate, try FileStatus.ofLink(path) != nil else { throw error }
                throw changedMeanwhile
            }
            return
        }
        guard try file.commit(inPlaceOf: before, lastly: confirm) else { throw changedMeanwhile }
    }

    private func isEmpty(_ status: FileStatus) -> Bool { mayBeEmpty && status.size == 0 }

    private func edited(_ key: String, to value: Bool, isNew: Bool) throws(GodwitError) -> [UInt8] {
        if isNew { return try PropertyListEditor.newPropertyList(.binary, with: key, setTo: value) }
        let bytes = try readBytes(path, limit: CompletionFlag.limit, stage: .copy)
        return try PropertyListEditor.setting(key, to: value, in: bytes)
    }

    private var changedMeanwhile: GodwitError {
        GodwitError(
            .copy, .busy, "`\(name)` was changed while the completion flag was being set",
            hint: "Close the app, then run the same command again: only the flag is missing.")
    }
}
