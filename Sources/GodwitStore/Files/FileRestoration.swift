package import GodwitModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Copies of files that take the place of others: same bytes, same modification time, on the disk.
package enum FileRestoration {
    /// Copies a file to a temporary name of Godwit's own and flushes it.
    ///
    /// - Parameters:
    ///   - mode: its permissions.
    ///   - model: the file whose owner, access list and attributes it gets; nil for none.
    package static func copy(
        _ source: String, to temporary: String, mode: UInt32, ownedLike model: FileOwnership?, stage: Stage
    ) throws(GodwitError) {
        do throws(GodwitError) {
            try FileClone.copy(source, to: temporary)
            let file = try OpenFile(updating: temporary, stage: stage)
            if let model { try file.take(model, withAttributes: true) }
            guard fchmod(file.descriptor, mode_t(mode & 0o7777)) == 0 else {
                throw .system("set the mode of", temporary, errno: errno, stage: stage)
            }
            try file.flush()
            try file.close()
        } catch {
            throw error.at(stage)
        }
    }

    /// Gives a file of a container another name in its folder, durably; nothing is replaced.
    ///
    /// - Returns: false if there is no such file.
    package static func giveName(
        _ target: String, to path: String, stage: Stage
    ) throws(GodwitError) -> Bool {
        guard try FileStatus.ofLink(path) != nil else { return false }
        try AtomicFile.rename(path, to: target, replacing: false, stage: stage)
        try AtomicFile.flushDirectory(of: target)
        return true
    }
}
