internal import GodwitFiles
internal import GodwitModel
internal import GodwitInspect

/// Which property lists a manifest lists, by what a manifest can list; pure.
///
/// A path is found in the first place that has it, so a second file of the same name is never read; paths that differ
/// only in letter case are one for Apple's file systems, and for a manifest.
struct PreferencesChoice {
    /// A manifest lists no more: `container.preferences`.
    private static let most = 100

    /// Those that are listed, in their order.
    private(set) var listed: [InspectedPreferences] = []
    /// Suites of the app's own that can't be listed, each with the reason.
    private(set) var unlisted: [UnlistedPreferences] = []
    /// Files that are not preferences of the app, or could not be read.
    private(set) var others: [InspectedPreferences] = []

    /// - Parameter isFile: whether the one file that there is was named itself.
    init(_ files: [InspectedPreferences], isFile: Bool) {
        // By the path without regard to case: the path that is listed.
        var taken: [String: String] = [:]
        for file in files {
            guard Self.isOwn(file, isFile: isFile) else {
                others.append(file)
                continue
            }
            let folded = file.file.lowercased()
            if let other = taken[folded] {
                let reason =
                    other.utf8.elementsEqual(file.file.utf8)
                    ? "another file has this name, and Godwit uses the one of the container"
                    : "a manifest can't distinguish its name from \(other)"
                unlisted.append(UnlistedPreferences(file: file.file, keys: file.keys.count, reason: reason))
            } else if listed.count < Self.most {
                taken[folded] = file.file
                listed.append(file)
            } else {
                let reason = "a manifest lists at most \(Self.most) files"
                unlisted.append(UnlistedPreferences(file: file.file, keys: file.keys.count, reason: reason))
            }
        }
    }

    /// Whether a manifest may list it: a suite of the app's own that could be read, under a path that it can name.
    private static func isOwn(_ file: InspectedPreferences, isFile: Bool) -> Bool {
        guard file.format != nil else { return false }
        if isFile { return true }
        let last = PathText.lastPart(of: file.file)
        return file.isSuite && !last.hasPrefix("com.apple.") && last.utf8.first != UInt8(ascii: ".")
            && !file.file.utf8.contains(UInt8(ascii: "\\"))
    }

    /// Warnings about keys that no rule can reach: a comment in the draft is not enough.
    var warnings: [Warning] {
        unlisted.map { file in
            Warning(
                "preferencesNotListed", "`\(file.file)` is not in the manifest: \(file.reason)",
                hint:
                    "Move its \(file.keys.counted("key")) if the app needs "
                    + "\(file.keys == 1 ? "it" : "them"): \(file.keys == 1 ? "it is" : "they are") not read.")
        }
    }
}
