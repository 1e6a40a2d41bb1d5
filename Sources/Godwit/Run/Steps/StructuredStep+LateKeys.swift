internal import GodwitLedger
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite

/// Imports legacy keys that are new in the manifest or the preferences since the import, or whose rule was corrected.
extension StructuredStep {
    /// The legacy keys that a run imports later.
    struct LateImport {
        let stage: LegacyStage
        let earlier: ImportedKeys
    }

    /// The import of such keys; nil if there are none, or the receipt is of an older Godwit and does not tell.
    ///
    /// While a copy that was made waits to be made again, nil too: the cloud store has what users wrote since, and only
    /// there can it be seen whether a record is still as the import left it.
    ///
    /// - Parameter isCopied: whether it was made again, and only its flag is missing.
    func lateImport(_ survey: ContainerSurvey, isCopied: Bool = false) throws(GodwitError) -> LateImport? {
        guard survey.legacyReceipt != nil, let earlier = survey.importedKeys, isCopied || !survey.isCopyToBeMadeAgain
        else { return nil }
        let inputs: [LegacyPlanner.Input]
        do throws(GodwitError) {
            inputs = try scope.readPreferences().map { $0.dated(before: survey.ownCopy, manifest) }
        } catch  where error.code == .data || error.code == .permission || error.code == .noInput {
            // Their values are already in the store; later damage of the files does not matter.
            return nil
        }
        let named = files.preferences.map(\.name)
        // The first file that has a key.
        let sources = Dictionary(
            inputs.flatMap { input in input.file?.root.map { (Array($0.key.utf8), input.name) } ?? [] }
        ) { first, _ in first }
        func isLate(_ rule: SettingRule) -> Bool {
            sources[Array(rule.key.utf8)].map { earlier.isOpen(rule, source: $0, named: named) } ?? false
        }
        let settings = manifest.legacy.settings.filter(isLate)
        let favorites = manifest.legacy.favorites.filter { sources[Array($0.key.utf8)] != nil && earlier.isOpen($0) }
        guard !settings.isEmpty || !favorites.isEmpty else { return nil }
        // Of an entity that the import made no record of, all rules count: it is made now.
        let unmade = Set(settings.map(\.entity).filter { earlier.record(of: $0) == nil })
        let all = manifest.legacy.settings.filter { rule in
            isLate(rule) || unmade.contains(rule.entity) && earlier.bucket(of: rule.key) == nil
        }
        let rules = LegacyRules(
            settings: all, favorites: favorites.map(\.merging), localOnly: manifest.legacy.localOnly)
        return LateImport(
            stage: legacy(inputs, by: rules, isBeforeCopy: !isCopied && !survey.isFlagSet), earlier: earlier)
    }

    /// Imports the keys that waited for a copy into the cloud store, before its flag is set; nil if there are none.
    ///
    /// - Parameter survey: from before the copy.
    func importAfterCopy(_ survey: ContainerSurvey) throws(GodwitError) -> RunReport.Legacy? {
        guard let late = try lateImport(survey, isCopied: true) else { return nil }
        let writer = try StoreWriter(
            existing: files.cloud.path, name: files.cloud.name, stage: .legacy, context: context)
        try writer.takeOverLog(.legacy)
        let report = try importLate(late, survey, writer)
        try writer.close(.legacy)
        return report
    }
}

extension ContainerSurvey {
    /// The receipt of the copy that this device made, also if it was reopened.
    var ownCopy: Receipt? { isCopyOfAnother ? nil : copyReceipt ?? reopened?.receipt }
}

extension LegacyPlanner.Input {
    /// The file as of the copy, if it has the flag: Godwit itself wrote it then, so its time says nothing of the app's
    /// values.
    func dated(before copy: Receipt?, _ manifest: Manifest) -> LegacyPlanner.Input {
        guard let copy, let file, file.root.contains(where: { $0.hasKey(manifest.copy.flag) }) else { return self }
        let dated = LegacyFile(
            path: file.path, format: file.format, size: file.size, modified: min(file.modified, copy.completedAt),
            sha256: file.sha256, bytes: file.bytes, root: file.root)
        return LegacyPlanner.Input(name: name, file: dated)
    }
}

extension FavoritesRule {
    /// The same, adding to the records that there are.
    fileprivate var merging: FavoritesRule {
        FavoritesRule(key: key, entity: entity, column: column, encoding: encoding, dates: dates, mode: .merge)
    }
}
