internal import GodwitModel
internal import GodwitInspect

/// What of a container could not be read while another store of it was taken: it may hold what the app lives on; pure.
struct UnreadFiles {
    let warnings: [Warning]

    /// - Parameters:
    ///   - localPath: the store that was taken; nil for none.
    ///   - files: the property lists that were found.
    init(_ inspected: Inspected, localPath: String?, files: [InspectedPreferences]) {
        let choice = localPath.map { "so \($0) was taken as the local store" } ?? "so no store was taken"
        let stores = inspected.stores.filter { $0.fault != nil }.map { store in
            Warning(
                "unreadable", "\(store.report.file) could not be read, \(choice).",
                hint:
                    "If it is the app's own store, mend it or put a copy that is whole in its place: see godwit inspect."
            )
        }
        let places = inspected.report.risks.filter { ["unreadableFile", "unreadableFolder"].contains($0.code) }.map {
            Warning($0.code, "\($0.message.withoutPoint), \(choice).", hint: $0.hint)
        }
        let lists = files.filter { $0.format == nil }.map { file in
            Warning(
                "unreadable", "\(file.file) could not be read: the manifest speaks of none of its keys.",
                hint: file.risks.first { $0.code == "unreadable" }?.message)
        }
        warnings = stores + places + lists
    }
}

extension String {
    fileprivate var withoutPoint: String { hasSuffix(".") ? String(dropLast()) : self }
}
