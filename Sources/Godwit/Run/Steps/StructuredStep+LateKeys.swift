internal import GodwitLedger
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitPropertyList

/// Legacy keys that came into the manifest, or into the preferences, after the import was made.
extension StructuredStep {
    /// What a run has to import later.
    struct LateImport {
        let stage: LegacyStage
        let earlier: ImportedKeys
    }

    /// The import of such keys; nil where there are none, or the receipt is of an older Godwit and does not tell.
    func lateImport(_ survey: ContainerSurvey) throws(GodwitError) -> LateImport? {
        guard survey.legacyReceipt != nil, let earlier = survey.importedKeys else { return nil }
        let inputs: [LegacyPlanner.Input]
        do throws(GodwitError) {
            inputs = try scope.readPreferences()
        } catch  where error.code == .data || error.code == .permission || error.code == .noInput {
            // What was imported from them is in the store; damage since then strands nothing of it.
            return nil
        }
        let names = Set(inputs.flatMap { $0.file?.root.map { Array($0.key.utf8) } ?? [] })
        func isLate(_ key: String) -> Bool { names.contains(Array(key.utf8)) && earlier.bucket(of: key) == nil }
        let settings = manifest.legacy.settings.filter { isLate($0.key) }
        let favorites = manifest.legacy.favorites.filter { isLate($0.key) }.map(\.merging)
        guard !settings.isEmpty || !favorites.isEmpty else { return nil }
        // Of an entity that the import made no record of, all rules count: it is made now.
        let unmade = Set(settings.map(\.entity).filter { earlier.record(of: $0) == nil })
        let all = manifest.legacy.settings.filter { rule in
            isLate(rule.key) || unmade.contains(rule.entity) && earlier.bucket(of: rule.key) == nil
        }
        let rules = LegacyRules(settings: all, favorites: favorites, localOnly: manifest.legacy.localOnly)
        return LateImport(stage: legacy(inputs, by: rules, isBeforeCopy: !survey.isFlagSet), earlier: earlier)
    }
}

extension FavoritesRule {
    /// The same, adding to the records that there are.
    fileprivate var merging: FavoritesRule {
        FavoritesRule(key: key, entity: entity, column: column, encoding: encoding, dates: dates, mode: .merge)
    }
}
