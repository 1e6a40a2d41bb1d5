internal import GodwitModel
internal import GodwitInspect

/// Files of a container that could not be read, although another store was chosen: they may have the app's data; pure.
struct UnreadFiles {
    let warnings: [Warning]

    /// - Parameters:
    ///   - localPath: the store that was taken; nil for none.
    ///   - files: the property lists that were found.
    init(_ inspected: Inspected, localPath: String?, files: [InspectedPreferences]) {
        let choice = localPath.map { "so `\($0)` was used as the local store" } ?? "so no store was used"
        let stores = inspected.stores.filter { $0.fault != nil }.map { store in
            Warning(
                "unreadable", "`\(store.report.file)` could not be read, \(choice)",
                hint:
                    "If it is the app's own store, repair it, or put an undamaged copy in its place."
            )
        }
        let places = inspected.report.risks.filter { ["unreadableFile", "unreadableFolder"].contains($0.code) }.map {
            Warning($0.code, "\($0.message), \(choice)", hint: $0.hint)
        }
        let lists = files.filter { $0.format == nil }.map { file in
            Warning(
                "unreadable", "`\(file.file)` could not be read: the manifest has none of its keys",
                hint: file.risks.first { $0.code == "unreadable" }?.message)
        }
        warnings = stores + places + lists
    }
}
