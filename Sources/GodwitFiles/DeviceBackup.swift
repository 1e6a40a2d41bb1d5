package import GodwitModel

/// The backup of a whole device that Finder or iTunes makes.
///
/// The files of apps have hashed names in it, and only `Manifest.db` (`Manifest.mbdb` before iOS 10) has the real ones.
/// A store may have the name `Manifest.db` too, so the name is not enough.
package enum DeviceBackup {
    /// The error (66) if a folder is such a backup; nil otherwise.
    ///
    /// - Parameter name: its name in the message; nil for its path.
    package static func refusal(of folder: String, named name: String? = nil) -> GodwitError? {
        guard isBackup(folder) else { return nil }
        return GodwitError(
            .container, .noInput,
            "`\(name ?? folder)` is a Finder or iTunes backup of a device, not the container of an app",
            hint:
                "Copy the app's files out of the backup under their own names first, with a program that "
                + "reads device backups."
        )
    }

    private static func isBackup(_ folder: String) -> Bool {
        func isThere(_ name: String, _ isKind: (FileStatus) -> Bool) -> Bool {
            (try? FileStatus.ofLink(PathText.join(folder, name))).flatMap(\.self).map(isKind) ?? false
        }
        let lists = ["Manifest.db", "Manifest.mbdb"].filter { isThere($0, \.isRegularFile) }
        guard !lists.isEmpty, !isThere("Library", \.isDirectory), !isThere("Documents", \.isDirectory) else {
            return false
        }
        // Every backup has these, encrypted or not. An incomplete one may still have its list.
        if isThere("Manifest.plist", \.isRegularFile),
            isThere("Info.plist", \.isRegularFile) || isThere("Status.plist", \.isRegularFile)
        {
            return true
        }
        return lists.contains { isListOfFiles(PathText.join(folder, $0)) }
    }

    /// Whether a file begins like such a list: with the table `Files` of a store, or the four letters of the older
    /// format.
    private static func isListOfFiles(_ path: String) -> Bool {
        guard let file = try? OpenFile(reading: path), let head = try? file.bytes(1 << 16) else { return false }
        if head.starts(with: "mbdb".utf8) { return true }
        guard head.starts(with: "SQLite format 3\0".utf8) else { return false }
        let text = String(decoding: head, as: UTF8.self)
        return ["fileID", "domain", "relativePath"].allSatisfy(text.contains)
    }
}
