internal import GodwitLedger
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitSQLite

extension Advice {
    /// The next steps after failed checks.
    private func adviceAfterFailedProof(_ verify: RunReport.Verify, _ survey: ContainerSurvey) -> [String] {
        let damaged = StoreRole.allCases.filter { role in
            verify.checks.contains { $0.verdict == .failed && $0.name == "integrity.\(role.rawValue)" }
        }
        if !damaged.isEmpty {
            let names = damaged.map { files[$0].name }.joined(separator: " and ")
            return ["Put \(names) back from a backup, then verify again: \(scope.commandLine("verify"))"]
        }
        if survey.isFlagSet, !survey.hasCloud {
            return ["Read the warning: no record of \(files.local.name) was changed."]
        }
        if survey.copyState == .flagWithoutReceipt {
            return [
                "If the copy was never made, remove the completion flag with the app, then copy: \(scope.commandLine("run"))"
            ]
        }
        // A dedupe would not bring these back, and the other checks fail for lack of them.
        let back = stepsBackToStrandedDuplicates(survey)
        guard back.isEmpty else { return back + ["See what is left: \(scope.commandLine("verify"))"] }
        let steps = stepsAfterFailedChecks(verify, survey)
        guard steps.isEmpty else { return steps }
        return ["Correct what the failed checks name, then verify again: \(scope.commandLine("verify"))"]
    }

    /// A step for each kind of check that failed, if a command or an edit corrects it.
    private func stepsAfterFailedChecks(_ verify: RunReport.Verify, _ survey: ContainerSurvey) -> [String] {
        let failed = verify.checks.filter { $0.verdict == .failed }
        func hasFailed(_ prefix: String) -> Bool { failed.contains { $0.name.hasPrefix(prefix) } }
        let prefix = "everyRecordInCloud."
        let lacking = failed.filter { $0.name.hasPrefix(prefix) }
        var steps: [String] = []
        // An app has them in the report.
        if Wording.current == .commandLine, failed.contains(where: { $0.records?.isEmpty == false }) {
            steps.append("To see the records of each failed check: \(scope.commandLine("verify", "--verbose"))")
        }
        if failed.contains(where: \.isForRun) || !lacking.isEmpty && !survey.isFlagSet {
            steps.append("To apply what is pending: \(scope.commandLine("run"))")
        }
        if hasFailed("oneRowPerKey.") {
            // A duplicate also counts as a record that is missing or differs: what is left then is known afterwards.
            return steps + [
                "To set the duplicates aside: \(scope.commandLine("dedupe"))",
                "Then see what is left: \(scope.commandLine("verify"))",
            ]
        }
        if !lacking.isEmpty, survey.isFlagSet {
            // A run copies entities that the copy did not have; the others need a reopened copy.
            let added = manifest.entities(besides: survey.copyReceipt?.copiedEntities ?? []).map(\.name)
            let isAdded = lacking.allSatisfy { added.contains(String($0.name.dropFirst(prefix.count))) }
            let names = lacking.map { String($0.name.dropFirst(prefix.count)) }
            let needsAll = lacksCopied(verify, survey) || lacksOlder(names, survey)
            let command = isAdded ? ["run"] : ["reopen"] + (needsAll ? ["--all"] : [])
            steps.append(
                "The missing records are still in \(files.local.name). To copy them: \(scope.commandLine(command))")
            if !isAdded { steps.append("Then copy: \(scope.commandLine("run"))") }
        }
        if hasFailed("references.") {
            steps.append(
                "Correct these records in the app, or, if they may stay as they are, set `missing: keep` for their "
                    + "references in \(manifest.file).")
        }
        if hasFailed("sameValues.") {
            steps.append("Edit these records in the app, so that they have the right values and a newer date.")
        }
        return steps
    }

    /// Whether the cloud store has no record of an entity that was copied: only a copy of every record brings them back.
    private func lacksCopied(_ verify: RunReport.Verify, _ survey: ContainerSurvey) -> Bool {
        (survey.copyReceipt?.copiedEntities ?? []).contains { copied in
            copied.local > 0
                && verify.checks.contains { check in
                    check.verdict == .failed && check.name == "everyRecordInCloud.\(copied.name)"
                        && check.detail.hasPrefix(VerifyStep.noneInCloud)
                }
        }
    }

    /// Whether the local store has more records from before the copy, or without a usable date, than the copy had: a reopened
    /// copy brings only later ones.
    private func lacksOlder(_ names: [String], _ survey: ContainerSurvey) -> Bool {
        guard let receipt = survey.copyReceipt, let copied = receipt.copiedEntities,
            let local = try? stores.snapshot(.local, .verify).connection
        else { return false }
        let later = RecordsSinceCopy(manifest: manifest, since: receipt.completedAt, now: context.now, whole: [])
        return manifest.entities.contains { entity in
            guard names.contains(entity.name), let had = copied.first(where: { $0.name == entity.name }), had.local > 0,
                let older = try? later.countOlder(of: entity, in: local)
            else { return false }
            return older > had.local
        }
    }

    /// The first step if the manifest maps no key but the preferences have keys; otherwise nil.
    private func stepBeforeUnmapped(_ report: RunReport) -> String? {
        guard manifest.legacy.settings.isEmpty, manifest.legacy.favorites.isEmpty,
            let count = report.legacy?.ledger.count(where: {
                $0.bucket == .unmapped && !KeyInspection.isOfTheSystem($0.key)
            }),
            count > 0
        else { return nil }
        return
            "\(manifest.file) maps no key of the preferences: \(count.counted("key")) \(count == 1 ? "stays" : "stay") "
            + "behind. If the app needs them, map them under `legacy:` first."
    }

    /// The next steps, as sentences with complete commands.
    func nextSteps(_ report: RunReport, _ survey: ContainerSurvey) -> [String] {
        var steps: [String] = []
        if [.run, .copy, .verify].contains(Command(rawValue: report.run.command)) || report.run.command == "plan" {
            steps += InputSurvey(stores).stepsWithoutCloud(survey)
        }
        if report.run.dryRun {
            // Under --strict a run would stop at the warnings.
            let wouldStop = report.run.command == "plan" && options.isStrict && report.isDoubtful
            if report.warnings.contains(where: { $0.code == "legacyNotImported" }), !wouldStop {
                steps.append("Import the legacy keys before the copy: \(scope.commandLine("migrate"))")
            } else if report.overallOutcome.hasChanges, report.isWithoutPreferences {
                steps.append("Correct `preferences:` first: no key that \(manifest.file) maps was found.")
            } else if report.overallOutcome.hasChanges, !wouldStop {
                if let step = stepBeforeUnmapped(report) { steps.append(step) }
                let command = report.run.command == "plan" ? "run" : report.run.command
                let line = [command] + (report.undo?.runId.map { ["--undo", $0] } ?? [])
                let isDestructive = report.warnings.contains { $0.code == "destructiveSchema" }
                let proposed =
                    isDestructive && options.backupPath == nil ? ["--backup", "backups"] : options.backupWords
                steps.append("To make these changes: \(scope.commandLine(line + options.decidingWords + proposed))")
            }
            return steps
        }
        if report.legacy?.outcome == .partial {
            steps.append(
                "Check the keys in `conflict` or `unsupported`; their values are still in the preferences file.")
        }
        if report.undo != nil {
            let again = survey.writtenStore(isLocalWritable: isLocalWritable, makesLocal: false)
            let isUndone = report.undo?.stores.contains { $0.store == again && $0.outcome.hasChanges } ?? false
            guard report.outcome.hasChanges, isUndone else { return steps }
            return steps + ["To set duplicates aside again: \(scope.commandLine("dedupe"))"]
        }
        if let check = report.verify?.checks.last, check.isUnmigrated {
            guard !check.detail.contains(RunReport.Verify.Check.refusal) else { return steps }
            steps.append("See what a run would do: \(scope.commandLine("plan"))")
            steps.append("Do it: \(scope.commandLine("run"))")
        } else if let verify = report.verify, verify.outcome == .failed {
            steps += adviceAfterFailedProof(verify, survey)
        } else if let copy = report.copy, copy.outcome == .done && copy.isWhole || copy.outcome == .healed {
            steps.append("The app can open the cloud store now: \(files.cloud.name)")
            steps.append("To keep an export of the records: \(scope.commandLine("export", "-o", "export.json"))")
        } else if report.run.command == "migrate" || report.run.command == "dedupe", report.outcome.hasChanges,
            !survey.isFlagSet
        {
            steps.append("To copy to the cloud store as well: \(scope.commandLine("run"))")
        }
        return steps
    }
}

extension RunReport.Verify.Check {
    /// Whether `run` applies what the check found pending: schema files, legacy keys, the completion flag.
    fileprivate var isForRun: Bool {
        detail.contains("\(name: .run)") && !name.hasPrefix("oneRowPerKey.")
            || name.hasPrefix("schema.") && (detail.contains("pending: ") || detail.hasPrefix("no history yet"))
    }
}

extension RunReport {
    /// Whether the named preferences files are missing and others have the keys: most likely a wrong name.
    fileprivate var isWithoutPreferences: Bool {
        guard let legacy, legacy.outcome == .nothingToDo, legacy.sources.allSatisfy({ $0.format == nil }) else {
            return false
        }
        return warnings.contains { $0.code == "preferencesNotNamed" }
    }
}
