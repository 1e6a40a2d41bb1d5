internal import GodwitFiles
package import GodwitModel

/// Where a command's result goes: standard output, or a new file that appears whole.
package enum ReportOutput {
    /// The time, for reports and errors that have none of their own.
    package static var now: Instant { SystemEnvironment.now }

    /// Throws (73) if something of that name is there already.
    package static func requireAbsent(_ path: String) throws(GodwitError) {
        try OwnFiles.requireLasting(path, stage: .status)
        guard try FileStatus.ofLink(path, unusable: .cannotCreate) != nil else { return }
        throw GodwitError(
            .status, .cannotCreate, "`\(path)` already exists", hint: "Choose another name, or move it away first.")
    }

    /// Writes a new file; what is there already stays, and is as good where it has the very same bytes.
    ///
    /// So several files that were to be written can be gone on with after a stop. Throws 73 if there is something else.
    package static func writeUnlessSame(_ bytes: [UInt8], to path: String, stage: GodwitError.Stage) throws(GodwitError)
    {
        if try FileStatus.ofLink(path, unusable: .cannotCreate)?.isRegularFile == true,
            (try? readBytes(path, limit: bytes.count, stage: stage)) == bytes
        {
            return
        }
        try requireAbsent(path)
        try write(bytes, to: path, stage: stage)
    }

    /// Writes a finished result; nil or `-` is standard output, and 73 is thrown where the file is there already.
    package static func write(
        _ bytes: [UInt8], to path: String?, stage: GodwitError.Stage = .status
    ) throws(GodwitError) {
        guard let path, path != "-" else { return try StandardOutput.write(bytes, stage: stage) }
        let file = try AtomicFile(
            target: path, identifier: SystemEnvironment.makeIdentifier(), mode: 0o644, isOutput: true, stage: stage)
        try file.write(bytes)
        try file.commit(replacing: false)
    }
}
