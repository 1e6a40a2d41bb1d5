internal import GodwitModel

/// Finds stores that the manifest does not name, whose records are left behind.
extension InputSurvey {
    private static let maxNamed = 3

    /// Stores with records that neither the manifest nor its `ignore` names; none once the completion flag is set.
    ///
    /// Of many only the first have a warning of their own: an app may keep each of its documents in a store.
    func unnamedStores(_ survey: ContainerSurvey) throws(GodwitError) -> [Warning] {
        guard !survey.isFlagSet, survey.hasLocal || !options.allowsEmpty else { return [] }
        let found = try OtherStores(stores).withRecords()
        var warnings = found.prefix(Self.maxNamed).map(Warning.unnamedStore)
        let others = found.dropFirst(Self.maxNamed).map(\.store)
        if !others.isEmpty {
            let isOne = others.count == 1
            let names = others.prefix(Self.maxNamed).map { "`\($0)`" } + (others.count > Self.maxNamed ? ["…"] : [])
            warnings.append(
                Warning(
                    "storeNotNamed",
                    "\(others.count.counted("more store")) \(isOne ? "has" : "have") records "
                        + "(\(names.joined(separator: ", "))), but the manifest does not name \(isOne ? "it" : "them")",
                    hint: "Add those that stay behind by intent to `ignore: { stores: […] }`, with `*` for any name."))
        }
        return warnings
    }

    /// An error of records without their parents, with the store that may have them: a wrong `local:` looks like this.
    func mentioningStores(_ error: GodwitError, _ survey: ContainerSurvey) throws(GodwitError) -> GodwitError {
        var error = error
        let other = survey.isFlagSet ? nil : try OtherStores(stores).withRecords().first { $0.records > 0 }
        if !survey.hasLocal {
            error.message = "`\(files.local.name)` does not exist, and " + error.message
            error.hint =
                "If the app has a local store, put it back or correct `local:` in the manifest. "
                + "If it has none: \(error.hint ?? "")"
        } else if let other {
            error.message =
                "`\(other.store)` has \(other.records.counted("record")), but the manifest does not name it, and "
                + error.message
            error.hint = "If the app uses that store, correct `local:` in the manifest. If not: \(error.hint ?? "")"
        }
        return error
    }
}

extension Warning {
    fileprivate static func unnamedStore(_ found: OtherStores.Found) -> Warning {
        let isOfApp = found.records > 0
        let names = found.entities.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
        let entities = names + (found.entities.count > 3 ? " …" : "")
        let what =
            isOfApp
            ? "\(found.records.counted("record")) of \(entities)" : "records in \(found.otherTables.counted("table"))"
        let use =
            isOfApp
            ? "If the app uses it, correct `\(found.isCopied ? "cloud" : "local"):` in the manifest"
            : "If the app needs its records, write another manifest for it"
        return Warning(
            "storeNotNamed", "`\(found.store)` has \(what), but the manifest does not name it",
            hint: use + "; else add it to `ignore: { stores: […] }`.")
    }
}
