internal import GodwitFiles
package import GodwitModel

/// The completion flag in the first preferences file, which shows the app that the receipt exists.
///
/// Invariant: the flag is set only after the receipt is durable. The file is replaced atomically, in its own format,
/// and no other key changes. The encoding is passed in, because this stage knows no file formats.
package struct CompletionFlag: Sendable {
    private let path: String
    private let name: String
    private let root: String?
    private let key: String
    private let coder: Coder

    /// Reads and writes the flag in a file format.
    package struct Coder: Sendable {
        /// The flag in a file's bytes; nil if the key is missing.
        ///
        /// Throws if it is not a boolean.
        package let read: @Sendable (_ bytes: [UInt8], _ key: String) throws(GodwitError) -> Bool?
        /// The file's bytes with the key set; a new file if there are none.
        package let set: @Sendable (_ bytes: [UInt8]?, _ key: String, _ value: Bool) throws(GodwitError) -> [UInt8]

        package init(
            read: @escaping @Sendable (_ bytes: [UInt8], _ key: String) throws(GodwitError) -> Bool?,
            set: @escaping @Sendable (_ bytes: [UInt8]?, _ key: String, _ value: Bool) throws(GodwitError) -> [UInt8]
        ) {
            self.read = read
            self.set = set
        }
    }

    /// - Parameters:
    ///   - path: the preferences file, with links resolved.
    ///   - root: the container, inside which folders may be created; nil for anywhere.
    package init(path: String, name: String, root: String? = nil, key: String, coder: Coder) {
        self.root = root
        self.path = path
        self.name = name
        self.key = key
        self.coder = coder
    }

    /// The maximum size of a preferences file: 64 MiB.
    package static let limit = 64 << 20

    /// Whether the flag is true; false for a missing file or key.
    package func isSet() throws(GodwitError) -> Bool {
        guard try FileStatus.of(path) != nil else { return false }
        let bytes = try readBytes(path, limit: Self.limit, stage: .copy)
        return try naming { () throws(GodwitError) in try coder.read(bytes, key) ?? false }
    }

    /// Adds the file's name to errors of the coder, which sees only bytes.
    private func naming<R>(_ body: () throws(GodwitError) -> R) throws(GodwitError) -> R {
        do throws(GodwitError) {
            return try body()
        } catch {
            var failure = error
            failure.message = "\(name): \(error.message)"
            throw failure
        }
    }

    /// The flag for reports.
    package func state() throws(GodwitError) -> FlagState {
        FlagState(file: name, key: key, isSet: try isSet())
    }

    /// Sets the flag; the file keeps its owner, mode and extended attributes.
    ///
    /// - Parameters:
    ///   - value: false to make the app use the local store again.
    ///   - confirm: called immediately before the file is replaced; throws if the flag must not be set.
    package func set(
        to value: Bool = true, context: RunContext,
        confirm: () throws(GodwitError) -> Void = { () throws(GodwitError) in }
    ) throws(GodwitError) {
        try context.faultPoint(.beforeFlag)
        try context.requireBackup(beforeWriting: path)
        let before = try FileStatus.of(path)
        let bytes = before == nil ? nil : try readBytes(path, limit: Self.limit, stage: .copy)
        let edited = try naming { () throws(GodwitError) in try coder.set(bytes, key, value) }
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
            return try context.faultPoint(.afterFlag)
        }
        guard try file.commit(inPlaceOf: before, lastly: confirm) else { throw changedMeanwhile }
        try context.faultPoint(.afterFlag)
    }

    private var changedMeanwhile: GodwitError {
        GodwitError(
            .copy, .busy, "\(name) was changed while the flag was being set.",
            hint: "Close the app and run the same command again: all else is done.")
    }
}
