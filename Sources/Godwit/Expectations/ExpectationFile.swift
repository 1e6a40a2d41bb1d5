internal import GodwitFiles
internal import GodwitModel
internal import GodwitPropertyList

/// A committed expectation on the disk.
struct ExpectationFile {
    let path: String

    /// The most that is read.
    static let limit = 16 << 20

    /// The content of the file; nil if it does not exist.
    ///
    /// Throws 66 if it is not a regular file, 65 if it is not an expectation.
    func read() throws(GodwitError) -> ExpectedState? {
        guard let status = try FileStatus.ofLink(path) else { return nil }
        guard !status.isDirectory else {
            throw GodwitError(
                .verify, .noInput, "`\(path)` is a folder",
                hint: "Name a file, or compare every container with the folder: add --all.")
        }
        let bytes = try readBytes(path, limit: Self.limit, stage: .verify)
        let document: LegacyValue
        do throws(GodwitError) {
            document = try JSONReader.read(bytes, limits: LegacyLimits(bytes: Self.limit, depth: 16))
        } catch {
            throw GodwitError(
                .verify, .data, "`\(path)` can't be read as an expectation",
                hint: "Correct it, or restore the committed one.",
                underlying: error.underlying ?? error.message)
        }
        return try ExpectedState(document, file: path)
    }

    /// The content of the file; throws 66 if it does not exist.
    func readRequired() throws(GodwitError) -> ExpectedState {
        guard let expectation = try read() else {
            throw GodwitError(
                .verify, .noInput, "no expectation at `\(path)`",
                hint: "Write it with --update-expect, read it, and commit it.")
        }
        return expectation
    }

    /// Writes an expectation whole or not at all; false if the file says just that already.
    ///
    /// Only what was read as an expectation is ever replaced: 73 for anything else.
    func write(_ expectation: ExpectedState, replacing isThere: Bool) throws(GodwitError) -> Bool {
        let bytes = expectation.bytes
        let status = try FileStatus.ofLink(path, unusable: .cannotCreate)
        if isThere, let status {
            guard status.isRegularFile else {
                throw GodwitError(
                    .verify, .cannotCreate, "`\(path)` is a link; it is not replaced", hint: "Name the file itself.")
            }
            if try readBytes(path, limit: Self.limit, stage: .verify) == bytes { return false }
        }
        let file = try AtomicFile(
            target: path, identifier: SystemEnvironment.makeIdentifier(), mode: (status?.mode ?? 0o644) & 0o777,
            isOutput: true,
            stage: .verify)
        try file.write(bytes)
        try file.commit(replacing: isThere)
        return true
    }
}
