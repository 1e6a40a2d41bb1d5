internal import GodwitFiles
internal import GodwitLedger
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitSchema

/// What a person should know and do after the stages.
extension Session {
    /// Fills in outcome, active store, warnings and next steps.
    func conclude(_ report: inout RunReport, _ before: ContainerSurvey) throws(GodwitError) {
        let after = try survey(checkingIntegrity: false)
        if let legacy = report.legacy, legacy.outcome != .alreadyDone {
            let absent = NearKeys(manifest, legacy.ledger, shape: schemaFiles.shape).absentKeys
            report.absentKeys = absent.isEmpty ? nil : absent
        }
        report.outcome = report.overallOutcome
        report.activeStore = after.activeStore
        report.warnings +=
            try before.warnings + (conversion.current?.warnings ?? []) + legacyWarnings(report.legacy, before)
        report.warnings += (report.dedupe?.dates.warnings ?? []) + (report.copy?.dates.warnings ?? [])
        report.warnings += report.copy?.dedupe?.dates.warnings ?? []
        report.warnings += try migratorWarnings(report.schema) + migratorWarnings(report.copy?.schema)
        report.warnings += lossWarnings(report.schema) + lossWarnings(report.copy?.schema)
        report.warnings += Self.unnamedWarnings(report)
        report.warnings += (report.verify?.changedInCloud ?? []).map { Warning("changedInCloud", $0.sentence) }
        if let undo = report.undo { report.warnings += undoWarnings(undo, after.activeStore) }
        if let copy = report.copy { report.warnings += try copyWarnings(copy, after) }
        let uncopied = try uncopied(report, after)
        report.warnings += uncopied.behind.warnings + uncopied.notes
        if !uncopied.behind.isEmpty { report.leftBehind = uncopied.behind }
        if report.schema?.created == true, report.schema?.store == .local { report.warnings += madeStoreWarnings() }
        if let copy = report.copy, copy.outcome == .done, copy.isWhole {
            report.warnings += try strandedWarnings(report, after) + secondCopyWarnings(report, before)
        }
        if after.copyState == .flagWithoutReceipt {
            report.warnings.append(
                after.hasCloud
                    ? Warning(
                        "flagWithoutReceipt",
                        "The flag '\(manifest.copy.flag)' is set, but there is no receipt of a copy.",
                        hint: "Remove the key with the app if the copy was never made, then run again.")
                    : Warning(
                        "flagWithoutReceipt",
                        "The flag '\(manifest.copy.flag)' is set, but \(files.cloud.name) does not exist.",
                        hint:
                            "If the user signed out, sign in again. Else put \(files.cloud.name) back from a backup."))
        }
        report.warnings += try unnamedLocalStore(after) + strayLogs(before, report)
        if after.isFlagSet { report.warnings += flagElsewhere(before) }
        report.separateNotes()
        report.nextSteps = nextSteps(report, after)
    }

    /// What the local store has and the copy does not take, once there is a copy.
    private func uncopied(
        _ report: RunReport, _ after: ContainerSurvey
    ) throws(GodwitError) -> (behind: [LeftBehind], notes: [Warning]) {
        guard !isCoreData else { return (conversion.current?.leftBehind ?? [], []) }
        let isVerified = report.run.command == "verify" && after.copyState == .done && after.hasCloud
        guard after.hasLocal, isVerified || report.copy?.outcome == .done else { return ([], []) }
        return try uncopiedTables(isLater: isVerified)
    }

    /// That schema files take data away.
    func lossWarnings(_ schema: SchemaReport?) -> [Warning] {
        (schema?.losses ?? []).map { loss in
            let file = schemaFiles.files[loss.version - 1].fileName
            let doer = loss.column == nil && loss.tableStays ? "The schema files up to \(file) take" : "\(file) takes"
            return Warning(
                "destructiveSchema", "\(doer) away \(loss.what), from \(schema?.file ?? "the store").",
                hint:
                    "If that is not meant, copy the data to its new place in the schema file."
                    + (options.backupFolder == nil
                        ? " To be able to go back, make a backup with the run: --backup DIR." : ""),
                place: FilePosition(file: PathText.join(schemaFiles.directory, file)))
        }
    }

    /// References that nothing names, each once.
    private static func unnamedWarnings(_ report: RunReport) -> [Warning] {
        var found: [UnnamedReference] = []
        let all = [
            report.dedupe?.unnamedReferences, report.copy?.dedupe?.unnamedReferences, report.copy?.unnamedReferences,
        ]
        for reference in all.compactMap(\.self).joined() where !found.contains(reference) { found.append(reference) }
        return found.map(\.warning)
    }

    /// What a legacy import left behind, or will, by a typing error or a rule.
    private func legacyWarnings(_ legacy: LegacyReport?, _ before: ContainerSurvey) throws(GodwitError) -> [Warning] {
        guard let legacy, legacy.outcome != .alreadyDone else { return [] }
        var warnings = try missingInputs(legacy.sources, before)
        if before.legacyReceipt == nil { warnings += try unnamedPreferences(legacy.sources) + flagApart(legacy) }
        if legacy.outcome == .nothingToDo, !manifest.legacy.mappedKeys.isEmpty,
            legacy.sources.contains(where: { $0.format != nil })
        {
            warnings.append(
                Warning(
                    "legacyEmpty", "No legacy file has a key that the manifest maps.",
                    hint: "Nothing was imported and no receipt written; --allow-empty would mark the import as done."))
        }
        warnings += NearKeys(manifest, legacy.ledger, shape: schemaFiles.shape).warnings
        for line in legacy.ledger where line.bucket == .alreadyPresent {
            guard let count = line.items?["notTaken"], let into = line.into?.split(separator: ".").first else {
                continue
            }
            warnings.append(
                Warning(
                    "favoritesNotMerged",
                    "\(count.counted("favorite")) of '\(line.key)' \(count == 1 ? "was" : "were") not imported: \(into) has "
                        + "records already.",
                    hint: "To add them to those, write `mode: merge` in the rule of the manifest."))
        }
        return warnings
    }

    /// A local store that was made for legacy values: where the app has one already, that was not found.
    private func madeStoreWarnings() -> [Warning] {
        [
            Warning(
                "localStoreMissing",
                "There was no local store \(files.local.name): one was made, of the legacy values alone.",
                hint: "If the app has a store already, under another name or in a group container, its records "
                    + "were not copied: check `local:` in the manifest and --group-container.")
        ]
    }

    /// A copy ahead of the legacy import: favourites go into an empty entity only, and in the cloud it may not be empty.
    private func strandedWarnings(_ report: RunReport, _ after: ContainerSurvey) throws(GodwitError) -> [Warning] {
        guard report.legacy == nil, after.legacyReceipt == nil else { return [] }
        let lines = legacy(try readLegacy()).reportWithoutImport(outcome: .nothingToDo).ledger
        let mapped = lines.filter { $0.into != nil && $0.source != nil }
        guard !mapped.isEmpty else { return [] }
        return [
            Warning(
                "legacyNotImported",
                "\(mapped.count.counted("legacy key")) \(mapped.count == 1 ? "is" : "are") not imported before the copy.",
                hint:
                    "The next `godwit run` imports them into the cloud store, but only what has no record there yet, and "
                    + "dated by the file's last change, which setting the flag is. Before a copy, use `godwit migrate`, or only `godwit run`."
            )
        ]
    }

    /// A receipt whose flag got lost: what the second copy brought back, and what it put in the place of cloud records.
    ///
    /// By `keepEarliest` and `keepLocal` an old local record wins against whatever was written since the first copy.
    private func secondCopyWarnings(_ report: RunReport, _ before: ContainerSurvey) -> [Warning] {
        guard let receipt = before.copyReceipt ?? before.reopened?.receipt, let copy = report.copy else { return [] }
        let inserted = copy.entities.reduce(0) { $0 + $1.inserted }
        guard before.copyState != .notDoneHere else {
            guard inserted > 0 else { return [] }
            return [
                Warning(
                    "copiedAfterAnother",
                    "Another device copied to the cloud store on \(receipt.completedAt). \(inserted.counted("record")) of this "
                        + "device that it did not have \(inserted == 1 ? "was" : "were") copied now.",
                    hint: "If users had deleted some of them in the cloud store, delete these again in the app.")
            ]
        }
        let updated = copy.entities.reduce(0) { $0 + $1.updated }
        let why = before.copyReceipt == nil ? "and was reopened" : "but the flag was not set"
        let earlier = "The copy was made on \(receipt.completedAt) already, \(why); "
        var warnings: [Warning] = []
        if inserted > 0 {
            warnings.append(
                Warning(
                    "copiedAgain",
                    earlier + "\(inserted.counted("record")) that the cloud store did not have "
                        + "\(inserted == 1 ? "was" : "were") copied now.",
                    hint: "What was added to the local store meanwhile is there now; what users had deleted from the "
                        + "cloud store meanwhile is back."))
        }
        if updated > 0 {
            warnings.append(
                Warning(
                    "replacedAgain",
                    earlier
                        + "\(updated.counted("record")) of the cloud store \(updated == 1 ? "was" : "were") replaced "
                        + "by the local \(updated == 1 ? "one" : "ones") now.",
                    hint:
                        "Where users had edited them in the cloud store meanwhile, what they wrote is kept in its table "
                        + "godwit_removed, with 'replaced:' in front of the reason."))
        }
        return warnings
    }

    private func copyWarnings(_ copy: CopyReport, _ survey: ContainerSurvey) throws(GodwitError) -> [Warning] {
        var warnings: [Warning] = []
        if survey.isSyncOff {
            warnings.append(
                Warning(
                    "syncOff", "Sync is turned off in the app, so nothing was copied to the cloud store.",
                    hint: "The next run after it has been turned on does it; nothing is lost until then."))
        } else if copy.outcome == .nothingToDo {
            warnings.append(
                Warning(
                    "localStoreMissing", "There is no local store to copy: \(files.local.name).",
                    hint: "The flag was not set; --allow-empty would mark the copy as done."))
        }
        for (name, count) in copy.orphans.sorted(by: { $0.key < $1.key }) {
            warnings.append(
                Warning("orphans", "\(count.counted("record")) copied with a \(name) that names no record."))
        }
        return warnings
    }

    /// A command on this manifest and container, as one types it.
    func commandLine(_ words: String...) -> String { commandLine(words) }

    func commandLine(_ words: [String]) -> String {
        let groups = options.groupContainers.flatMap { ["--group-container", $0] }
        return CommandLineText.godwit(words + ["-m", manifest.file, "-c", files.container.given] + groups)
    }
}
