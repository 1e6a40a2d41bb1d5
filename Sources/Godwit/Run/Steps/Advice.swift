internal import GodwitFiles
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitSchema

/// Adds to a finished report what its reader should know and do.
struct Advice: RunStep {
    let stores: StoreOpener

    /// The report with outcome, active store, warnings and next steps.
    func concluded(_ done: RunReport, _ before: ContainerSurvey) throws(GodwitError) -> RunReport {
        var report = done
        let after = try survey(checkingIntegrity: false)
        // The key list of a late import has only the keys that are new.
        if let legacy = report.legacy, legacy.outcome != .alreadyDone, legacy.earlier == nil {
            let absent = NearKeys(manifest, legacy.ledger, shape: schemaFiles.shape).absentKeys
            report.absentKeys = absent.isEmpty ? nil : absent
        }
        report.outcome = report.overallOutcome
        report.activeStore = after.activeStore
        report.warnings +=
            try before.warnings + (stores.conversion?.warnings ?? []) + legacyWarnings(report, before)
        if report.copy?.outcome == .done { report.warnings += InputSurvey(stores).missingCloudFolder(before) }
        report.warnings += (report.dedupe?.dates.warnings ?? []) + (report.copy?.dates.warnings ?? [])
        report.warnings += report.copy?.dedupe?.dates.warnings ?? []
        report.warnings +=
            try SchemaAdvice(stores).migratorWarnings(report.schema)
            + SchemaAdvice(stores).migratorWarnings(report.copy?.schema)
        report.warnings +=
            SchemaAdvice(stores).lossWarnings(report.schema) + SchemaAdvice(stores).lossWarnings(report.copy?.schema)
        let isApplied = report.schema?.applied.isEmpty == false
        report.warnings += SchemaAdvice(stores).emptyFileWarnings(isApplied ? report.schema : report.copy?.schema)
        report.warnings += Self.dedupeWarnings(report) + strandedDuplicates(after)
        report.warnings += (report.verify?.changedInCloud ?? []).map { Warning("changedInCloud", $0.sentence) }
        if let undo = report.undo { report.warnings += UndoStep(stores).undoWarnings(undo, after.activeStore) }
        if let copy = report.copy { report.warnings += try copyWarnings(copy, after) }
        let uncopied = try uncopied(report, after)
        report.warnings += uncopied.behind.warnings + uncopied.notes
        if !uncopied.behind.isEmpty { report.leftBehind = uncopied.behind }
        if report.schema?.created == true, report.schema?.store == .local { report.warnings += madeStoreWarnings() }
        if let copy = report.copy, copy.outcome == .done, copy.isWhole {
            report.warnings +=
                try strandedWarnings(report, after) + secondCopyWarnings(report, before)
                + otherStoreWarnings(report, before)
        }
        if after.copyState == .flagWithoutReceipt {
            report.warnings.append(
                after.hasCloud
                    ? Warning(
                        "flagWithoutReceipt",
                        "the completion flag '\(manifest.copy.flag)' is set, but no receipt of a copy exists",
                        hint: "Remove the key with the app if the copy was never made, then run again.")
                    : Warning(
                        "flagWithoutReceipt",
                        "the completion flag '\(manifest.copy.flag)' is set, but `\(files.cloud.name)` "
                            + "does not exist",
                        hint:
                            "Sign in again if the user signed out, or restore `\(files.cloud.name)` from a "
                            + "backup."))
        }
        report.warnings += try InputSurvey(stores).unnamedLocalStore(after) + strayLogs(before, report)
        if after.isFlagSet { report.warnings += InputSurvey(stores).flagElsewhere(before) }
        report.separateNotes()
        report.nextSteps = nextSteps(report, after)
        return report
    }

    /// The data of the local store that an existing copy does not include.
    private func uncopied(
        _ report: RunReport, _ after: ContainerSurvey
    ) throws(GodwitError) -> (behind: [RunReport.LeftBehind], notes: [Warning]) {
        guard !isCoreData else { return (stores.conversion?.leftBehind ?? [], []) }
        let isVerified = report.run.command == "verify" && after.copyState == .done && after.hasCloud
        guard after.hasLocal, isVerified || report.copy?.outcome == .done else { return ([], []) }
        return try uncopiedTables(isLater: isVerified)
    }

    /// The values that a legacy import leaves behind because of a typing error or a rule.
    private func legacyWarnings(_ report: RunReport, _ before: ContainerSurvey) throws(GodwitError) -> [Warning] {
        guard let legacy = report.legacy, legacy.outcome != .alreadyDone else { return [] }
        var warnings = InputSurvey(stores).missingPreferences(legacy.sources)
        let near = NearKeys(
            manifest, legacy.ledger, isWhole: legacy.earlier == nil, shape: schemaFiles.shape,
            emptyEntities: Set((report.copy?.entities ?? []).filter { $0.local == 0 }.map(\.name)))
        if before.legacyReceipt == nil {
            warnings +=
                try InputSurvey(stores).unnamedPreferences(legacy.sources, absent: near.absentKeys)
                + InputSurvey(stores).emptyPreferences(legacy.sources, absent: near.absentKeys)
                + InputSurvey(stores).flagApart(legacy, before)
        }
        if legacy.outcome == .nothingToDo, !manifest.legacy.mappedKeys.isEmpty,
            legacy.sources.contains(where: { $0.format != nil }),
            legacy.sources.contains(where: { !manifest.container.isOptional($0.path) })
        {
            warnings.append(
                Warning(
                    "legacyEmpty",
                    "no preferences file has a key that the manifest maps; nothing was imported and no "
                        + "receipt written",
                    hint:
                        "Correct `preferences:`. If users may have no such key, write `{ path: …, optional: true }` for "
                        + "each file, or mark the import as complete with \(name: .allowEmpty)."))
        }
        // If the file cannot be read again, only its names are compared.
        warnings += near.warnings(reading: near.needsValues ? (try? scope.readPreferences()) ?? [] : [])
        for line in legacy.ledger where line.bucket == .alreadyPresent {
            guard let count = line.items?["notTaken"], let into = line.into?.split(separator: ".").first else {
                continue
            }
            warnings.append(
                Warning(
                    "favoritesNotMerged",
                    "\(count.counted("favorite")) of '\(line.key)' \(count == 1 ? "was" : "were") not "
                        + "imported: \(into) already has records",
                    hint: "Write `mode: merge` in the rule of the manifest to add them."))
        }
        return warnings
    }

    /// Warns of a local store that was created for legacy values: an existing store of the app was not found.
    private func madeStoreWarnings() -> [Warning] {
        [
            Warning(
                "localStoreMissing",
                "no local store `\(files.local.name)` existed before this run, which makes it with the legacy values "
                    + "only",
                hint:
                    "If the app has a store under another name or in a group container, correct `local:` "
                    + "in the manifest, or "
                    + Wording.text(
                        commandLine: "add --group-container.",
                        library: "name its folder in `groups` of the `ContainerLocation`."))
        ]
    }
}
