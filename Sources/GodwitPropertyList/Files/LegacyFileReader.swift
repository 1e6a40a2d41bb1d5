internal import GodwitFiles
package import GodwitModel

/// Reads preferences files: only regular files within the limits, and never a mixture of two versions.
package struct LegacyFileReader: Sendable {
    private let limits: LegacyLimits
    private let attempts: Int
    private let betweenReadAndCheck: @Sendable (String) -> Void

    /// - Parameter betweenReadAndCheck: For tests: called with the path between reading the content and comparing the
    ///   file's status.
    package init(
        limits: LegacyLimits = .standard, attempts: Int = 5,
        betweenReadAndCheck: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.limits, self.attempts, self.betweenReadAndCheck) = (limits, attempts, betweenReadAndCheck)
    }

    /// The file at a path.
    ///
    /// - Parameter mayBeEmpty: whether a file without any bytes has no keys, and is not damaged.
    ///
    /// Throws `noInput` if it is not a regular file, `permission` if it may not be read, `data` if it is damaged, of an
    /// unknown format or too large, `busy` if it kept changing.
    package func read(_ path: String, mayBeEmpty: Bool = false) throws(GodwitError) -> LegacyFile {
        for _ in 0..<attempts {
            guard let (bytes, status) = try readOnce(path) else { continue }
            let document: LegacyDocument
            do throws(GodwitError) {
                let isEmpty = mayBeEmpty && bytes.isEmpty
                document = try LegacyDocument(isEmpty ? PropertyListEditor.emptyPropertyList() : bytes, limits: limits)
            } catch {
                throw error.inFile(path)
            }
            return LegacyFile(
                path: path, format: document.format, size: status.size, modified: status.modified,
                sha256: sha256Hex(bytes), bytes: bytes, root: document.root)
        }
        throw GodwitError(
            .legacy, .busy, "changed while it was read, \(attempts) times",
            hint: "Quit the app that writes it, then run the same command again."
        ).inFile(path)
    }

    /// Content and status of one moment; nil if the file changed during the read.
    private func readOnce(_ path: String) throws(GodwitError) -> ([UInt8], FileStatus)? {
        let file = try OpenFile(reading: path, stage: .legacy)
        let before = try file.status()
        guard !before.isDirectory else {
            throw GodwitError(.legacy, .noInput, "is a folder", hint: "Name a file in it.").inFile(path)
        }
        guard before.isRegularFile else { throw notRegular(path) }
        guard before.size <= Int64(limits.bytes) else {
            throw GodwitError(
                .legacy, .data, "\(before.size.grouped) bytes are over the limit of \(limits.bytes.grouped)",
                hint: "Check that this is the right file."
            ).inFile(path)
        }
        // Files of the proc file system have the size 0 and content; they are not files on a disk.
        guard before.size > 0 || (try? file.bytes(1))?.isEmpty == true else { throw notRegular(path) }
        // One byte more than expected shows that the file grew.
        let bytes = try file.bytes(Int(before.size) + 1)
        betweenReadAndCheck(path)
        guard Int64(bytes.count) == before.size, try file.status() == before else { return nil }
        return (bytes, before)
    }

    private func notRegular(_ path: String) -> GodwitError {
        GodwitError(
            .legacy, .noInput, "not a regular file", hint: "Name a file, not a device, a pipe or a socket."
        ).inFile(path)
    }
}

extension GodwitError {
    /// Returns the error with the file's path before its message, control characters escaped.
    package func inFile(_ path: String) -> GodwitError {
        var error = self
        error.message = "\(path.escapedPath): \(message)"
        return error
    }
}

extension String {
    /// A path for a message: control characters escaped, not truncated.
    fileprivate var escapedPath: String {
        unicodeScalars.map {
            $0.properties.generalCategory == .control ? "\\u{\(String($0.value, radix: 16))}" : String($0)
        }
        .joined()
    }
}
