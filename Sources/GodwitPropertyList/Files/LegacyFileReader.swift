package import GodwitModel

/// Opens and reads legacy files: regular files within the limits only, and never half of one version and half of another.
package struct LegacyFileReader: Sendable {
    private let sha256: @Sendable ([UInt8]) -> String
    private let limits: LegacyLimits
    private let attempts: Int
    private let betweenReadAndCheck: @Sendable (String) -> Void

    /// A reader; hashing is injected, so that this target needs no cryptography.
    ///
    /// `betweenReadAndCheck` is for tests: it is called with the path after the content was read and before the file is
    /// looked at again.
    package init(
        limits: LegacyLimits = .standard, attempts: Int = 5,
        betweenReadAndCheck: @escaping @Sendable (String) -> Void = { _ in },
        sha256: @escaping @Sendable ([UInt8]) -> String
    ) {
        self.sha256 = sha256
        self.limits = limits
        self.attempts = attempts
        self.betweenReadAndCheck = betweenReadAndCheck
    }

    /// The file at a path.
    ///
    /// Throws `noInput` where there is no regular file, `permission` where it may not be read, `data` where it is damaged,
    /// of an unknown format or too large, `busy` where it kept changing.
    package func read(_ path: String) throws(GodwitError) -> LegacyFile {
        for _ in 0..<attempts {
            guard let (bytes, stamp) = try readOnce(path) else { continue }
            let document: LegacyDocument
            do throws(GodwitError) {
                document = try LegacyDocument(bytes, limits: limits)
            } catch {
                throw error.inFile(path)
            }
            return LegacyFile(
                path: path, format: document.format, size: stamp.size, modified: stamp.modified,
                sha256: sha256(bytes), bytes: bytes, root: document.root)
        }
        throw FileFault.refusal(
            path, .busy, "changed while it was read, \(attempts) times",
            hint: "Quit the app that writes it, then run the same command again.")
    }

    /// Content and stamp of one moment; nil if the file changed meanwhile.
    private func readOnce(_ path: String) throws(GodwitError) -> ([UInt8], FileStamp)? {
        let file = try ReadOnlyFile(path)
        guard let before = file.stamp() else { throw FileFault.notRegular(path) }
        switch before.kind {
        case .regular: break
        case .folder: throw FileFault.refusal(path, .noInput, "is a folder", hint: "Name a file inside it.")
        case .other: throw FileFault.notRegular(path)
        }
        guard before.size <= Int64(limits.bytes) else {
            throw FileFault.refusal(
                path, .data, "\(before.size) bytes are over the limit of \(limits.bytes)",
                hint: "Settings and favourites are never that large; check that this is the file you mean.")
        }
        guard let bytes = file.contents(upTo: limits.bytes + 1, expecting: Int(before.size)) else {
            throw FileFault.refusal(path, .noInput, "unreadable", hint: "Check the disk, then run the command again.")
        }
        betweenReadAndCheck(path)
        guard let after = file.stamp(), after == before else { return nil }
        if Int64(bytes.count) == before.size { return (bytes, before) }
        // Files of the proc file system say they are empty and are not: they are no files on a disk.
        if before.size == 0 { throw FileFault.notRegular(path) }
        return nil
    }
}

extension GodwitError {
    /// The same error with the file's path before its message.
    package func inFile(_ path: String) -> GodwitError {
        var error = self
        error.message = "\(path.escapedPath): \(message)"
        return error
    }
}
