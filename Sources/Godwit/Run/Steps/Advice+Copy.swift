internal import GodwitLedger
internal import GodwitLegacy
internal import GodwitModel

/// Warnings about the results and the limits of a copy.
extension Advice {
    /// A copy ahead of the legacy import: favorites go into an empty entity only, and in the cloud it may not be empty.
    func strandedWarnings(_ report: RunReport, _ after: ContainerSurvey) throws(GodwitError) -> [Warning] {
        guard report.legacy == nil, after.legacyReceipt == nil else { return [] }
        let lines = legacy(try scope.readPreferences()).reportWithoutImport(outcome: .nothingToDo).ledger
        let mapped = lines.filter { $0.into != nil && $0.source != nil }
        guard !mapped.isEmpty else { return [] }
        return [
            Warning(
                "legacyNotImported",
                "\(mapped.count.counted("legacy key")) \(mapped.count == 1 ? "is" : "are") not imported "
                    + "before the copy",
                hint:
                    Wording.text(
                        commandLine: "Run `godwit migrate` before a copy, or only `godwit run`: ",
                        library: "Run `Migration.run()`, which imports them first: ")
                    + "after the copy, legacy values fill only records that do not exist, with a later date."
            )
        ]
    }

    /// Warnings after a second copy because of a lost flag: the records that came back, and the cloud records that were
    /// replaced.
    ///
    /// By `keepEarliest` and `keepLocal` an old local record wins against any record written since the first copy.
    func secondCopyWarnings(_ report: RunReport, _ before: ContainerSurvey) -> [Warning] {
        guard let receipt = before.copyReceipt ?? before.reopened?.receipt, let copy = report.copy else { return [] }
        let inserted = copy.entities.reduce(0) { $0 + $1.inserted }
        guard before.copyState != .notDoneHere else {
            guard inserted > 0 else { return [] }
            return [
                Warning(
                    "copiedAfterAnother",
                    "another device copied to the cloud store on \(receipt.completedAt); "
                        + "this copy inserts \(inserted.counted("record")) of this device that it did not have",
                    hint: "If users had deleted some of them in the cloud store, delete these again in the app.")
            ]
        }
        let updated = copy.entities.reduce(0) { $0 + $1.updated }
        let why = before.copyReceipt == nil ? "and was reopened" : "but the flag was not set"
        let earlier = "the copy was already made on \(receipt.completedAt), \(why); "
        var warnings: [Warning] = []
        if inserted > 0 {
            warnings.append(
                Warning(
                    "copiedAgain",
                    earlier + "this copy inserts \(inserted.counted("record")) that the cloud store did not have",
                    hint:
                        "If users had deleted some of them from the cloud store, delete these again in the app."))
        }
        if updated > 0 {
            warnings.append(
                Warning(
                    "replacedAgain",
                    earlier
                        + "this copy replaces \(updated.counted("record")) of the cloud store by the local "
                        + "\(updated == 1 ? "one" : "ones")",
                    hint:
                        "If users had edited them in the cloud store, take the edited records from its "
                        + "table godwit_removed (reason 'replaced:…')."))
        }
        return warnings
    }

    /// After a copy of another local store: the records that only the cloud store has, since no copy removes records.
    func otherStoreWarnings(_ report: RunReport, _ before: ContainerSurvey) throws(GodwitError) -> [Warning] {
        guard before.copyState != .notDoneHere, let receipt = before.copyReceipt ?? before.reopened?.receipt,
            let copy = report.copy, let name = receipt.copiedStore, try CopyOrigin(stores).isOfOtherStore(receipt)
        else { return [] }
        let counts = copy.entities.compactMap { entity -> String? in
            let count = entity.cloudBefore - entity.updated - entity.equal - entity.cloudKept
            return count > 0 ? "\(count.grouped) `\(entity.name)`" : nil
        }
        guard !counts.isEmpty else { return [] }
        return [
            Warning(
                "onlyInCloud",
                "the copy of \(receipt.completedAt) was made of `\(name)`, and the cloud store has records that "
                    + "`\(files.local.name)` lacks: \(counts.joined(separator: ", "))",
                hint: "If they are not the user's, delete them in the app, or roll back the run that copied them if it "
                    + "made a backup.")
        ]
    }

    func copyWarnings(_ copy: RunReport.Copy, _ survey: ContainerSurvey) throws(GodwitError) -> [Warning] {
        var warnings: [Warning] = []
        if survey.isSyncOff {
            warnings.append(
                Warning(
                    "syncOff", "sync is turned off in the app, so nothing was copied to the cloud store",
                    hint: "Turn sync on in the app, then run again; no data is lost until then."))
        } else if copy.outcome == .nothingToDo {
            warnings.append(
                Warning(
                    "localStoreMissing",
                    "no local store to copy: `\(files.local.name)` does not exist; the completion flag was "
                        + "not set",
                    hint: "Correct `local:` in the manifest, or mark the copy as complete with \(name: .allowEmpty)."))
        }
        for (name, count) in copy.orphans.sorted(by: { $0.key < $1.key }) {
            warnings.append(
                Warning(
                    "orphans",
                    "\(count.counted("record")) copied with a `\(name)` that refers to a record that does "
                        + "not exist"))
        }
        return warnings
    }
}
