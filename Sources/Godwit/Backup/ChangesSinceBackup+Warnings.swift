internal import GodwitFiles
internal import GodwitModel
internal import GodwitBackup

/// Why not all of the newer records are counted.
extension ChangesSinceBackup {
    /// Warns that some new records cannot be counted, because the records of the run are not known.
    static func uncountedWarnings(_ written: [String: WrittenRecords]?) -> [Warning] {
        let hint = "Keep the renamed files: they may have such records."
        guard let written else {
            return [
                Warning(
                    "newerNotCounted",
                    "the backup does not say which records the run wrote; new records with a date before the backup could "
                        + "not be counted", hint: hint)
            ]
        }
        let names = written.filter { !$0.value.isComplete }.keys.sorted()
        guard !names.isEmpty else { return [] }
        let list = names.map { "`\($0)`" }.joined(separator: ", ")
        return [
            Warning(
                "newerNotCounted",
                "the run wrote too many records of \(list) to know each again; as many new ones as were deleted since "
                    + "could not be counted", hint: hint)
        ]
    }

    /// That a store is not as the run left it: an edit that leaves the date of its record as it was is not counted.
    func undatedEdits(
        _ after: FilesAfterRun, _ now: FilesAfterRun
    ) throws(GodwitError) -> [Warning] {
        var warnings: [Warning] = []
        for store in storeDestinations where !now.hasSame(store.entry.name, as: after) {
            guard try FileStatus.of(store.path) != nil, try !stage.isUnchanged(store) else { continue }
            warnings.append(
                Warning(
                    "newerNotCounted",
                    "`\(store.entry.name)` changed after the run; records that were edited without a later date could not "
                        + "be counted",
                    hint: "Keep the renamed file: it may have such records."))
        }
        return warnings
    }
}
