internal import GodwitLegacy
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitDedupe

/// Proof that the promises hold for a container, check by check; a check that fails does not stop the next.
struct VerifyStep: RunStep {
    let stores: StoreOpener

    /// How much a command has to prove.
    enum Proof: Sendable {
        /// All promises, of a run that copied: every local record is in the cloud store.
        case everything
        /// All checks of `verify`: records that users deleted or edited in the cloud store since the copy are not a
        /// difference.
        case later
        /// Only the stores by themselves, for a run that changed data after the copy. The app has used the cloud store
        /// since, and a record that its user deleted there is not missing.
        case stores
        /// The run changed nothing: the checks of an earlier run are still valid, so only flag and receipt are
        /// compared.
        case flag

        /// Whether the local store is compared with the cloud store.
        var comparesStores: Bool { self == .everything || self == .later }
    }

    var depth: IntegrityDepth { options.verifiesDeeply ? .whole : .quick }

    func verify(_ proof: Proof) throws(GodwitError) -> RunReport.Verify {
        var checks: [RunReport.Verify.Check] = []
        let survey = try survey(checkingIntegrity: false)
        if proof == .flag {
            return RunReport.Verify(
                checks: [verifyFlag(survey)],
                outcome: [.notDone, .notDoneHere].contains(survey.copyState) ? .nothingToDo : .alreadyDone)
        }
        var opened: [(role: StoreRole, proof: Result<StoreProof, GodwitError>)] = []
        for role in [StoreRole.local, .cloud] where try files[role].exists() {
            let proof = Result { () throws(GodwitError) in try StoreProof(role, in: stores, depth) }
            opened.append((role, proof))
        }
        // The comparison takes long, so it runs while the checks of integrity run; the report shows it after them.
        let copied = Result { () throws(GodwitError) in
            proof.comparesStores ? try verifyCopy(survey, proof) : VerifiedCopy()
        }
        let examined = opened.map { role, store in
            Result { () throws(GodwitError) in
                try examine(role, store.get().snapshot, isActive: survey.activeStore == role)
            }
        }
        for ((role, store), found) in zip(opened, examined) { checks += try verifyStore(role, store, found) }
        checks += [survey.environmentCheck(manifest)].compactMap(\.self)
        let copy = try copied.get()
        checks += copy.checks
        checks.append(verifyFlag(survey))
        checks.append(try verifyLegacy(survey))
        var report = RunReport.Verify(checks: checks)
        report.changedInCloud = copy.changes.isEmpty ? nil : copy.changes
        return report
    }

    /// Integrity of one store, and the other checks of it, which count only for a sound store.
    func verifyStore(
        _ role: StoreRole, _ opened: Result<StoreProof, GodwitError>,
        _ found: Result<[RunReport.Verify.Check], GodwitError>
    ) throws(GodwitError) -> [RunReport.Verify.Check] {
        do throws(GodwitError) {
            try opened.get().requireIntegrity()
        } catch  where error.isFinding {
            let finding = [error.underlying ?? error.message, error.hint].compactMap(\.self).joined(separator: ". ")
            return [RunReport.Verify.Check("integrity.\(role.rawValue)", .failed, finding)]
        }
        let parts = depth == .quick ? "pages and records" : "pages, records and indexes"
        let sound = RunReport.Verify.Check(
            "integrity.\(role.rawValue)", .passed, "\(parts) of \(files[role].name) are sound")
        return try [sound] + found.get()
    }

    /// Foreign keys, schema history, one row per key, references of one store.
    private func examine(
        _ role: StoreRole, _ snapshot: borrowing StoreSnapshot, isActive: Bool
    ) throws(GodwitError) -> [RunReport.Verify.Check] {
        let connection = snapshot.connection
        var checks = [
            try verifyForeignKeys(connection, role), try verifySchema(connection, role, isActive: isActive),
        ]
        if isActive, role == .cloud || isLocalWritable {
            checks.append(try verifyKeys(snapshot, role))
            checks.append(try verifyReferences(connection, role))
        }
        return checks
    }

    private func verifySchema(
        _ connection: SQLiteConnection, _ role: StoreRole, isActive: Bool
    ) throws(GodwitError) -> RunReport.Verify.Check {
        let label = "schema.\(role.rawValue)"
        do throws(GodwitError) {
            if role == .local, isCoreData {
                return RunReport.Verify.Check(label, .skipped, "a Core Data store, read by the sources of the manifest")
            }
            let plan = try schema.plan(connection)
            let missing = try schema.missing(at: plan.from, in: connection)
            if let first = missing.first, plan.adoptedAt == nil {
                let others = missing.count > 1 ? ", and \((missing.count - 1).counted("other"))" : ""
                return RunReport.Verify.Check(
                    label, .failed, "at version \(plan.from) by its history, but \(first)\(others)")
            }
            if !plan.hasWork {
                return RunReport.Verify.Check(label, .passed, "at version \(plan.from), as the schema files say")
            }
            guard isActive else {
                return RunReport.Verify.Check(
                    label, .skipped, "at version \(plan.from); only the active store is kept up to date")
            }
            let pending = plan.pending.map(\.title).joined(separator: ", ")
            let history = plan.adoptedAt.map { "no history yet (looks like version \($0))" }
            let detail = [history, pending.isEmpty ? nil : "pending: \(pending)"].compactMap { $0 }
            return RunReport.Verify.Check(label, .failed, detail.joined(separator: "; "))
        } catch  where error.isFinding {
            return RunReport.Verify.Check(label, .failed, error.message)
        }
    }

    private func verifyKeys(
        _ snapshot: borrowing StoreSnapshot, _ role: StoreRole
    ) throws(GodwitError) -> RunReport.Verify.Check {
        let label = "oneRowPerKey.\(role.rawValue)"
        do throws(GodwitError) {
            guard try stores.hasDuplicates(snapshot) else {
                if let stranded = try StrandedDuplicates.all(of: manifest, in: snapshot.connection).first {
                    return RunReport.Verify.Check(label, .failed, stranded.sentence)
                }
                return RunReport.Verify.Check(label, .passed, "one record per singleton and key")
            }
            return RunReport.Verify.Check(label, .failed, "duplicates exist; run \(name: .dedupe)")
        } catch  where error.isFinding {
            return RunReport.Verify.Check(label, .failed, error.message)
        }
    }

    private func verifyFlag(_ survey: ContainerSurvey) -> RunReport.Verify.Check {
        switch survey.copyState {
        case .done:
            RunReport.Verify.Check("flagMatchesReceipt", .passed, "the completion flag and the receipt both exist")
        case .notDone:
            RunReport.Verify.Check(
                "flagMatchesReceipt", .passed,
                survey.reopenedCopyAt == nil
                    ? "neither the completion flag nor a receipt exists"
                    : "the copy was reopened, and the completion flag is not set")
        case .notDoneHere:
            RunReport.Verify.Check(
                "flagMatchesReceipt", .skipped, "this device has not copied yet: the receipt is from another copy")
        case .interrupted:
            RunReport.Verify.Check(
                "flagMatchesReceipt", .failed,
                "the receipt exists, but the completion flag is not set; \(name: .run) sets it")
        case .flagWithoutReceipt:
            RunReport.Verify.Check(
                "flagMatchesReceipt", .failed,
                survey.hasCloud
                    ? "the flag is set, but the cloud store has no receipt"
                    : "the flag is set, but the cloud store does not exist")
        }
    }

    /// Every legacy key has an outcome: by the receipt, or because nothing maps into the store.
    private func verifyLegacy(_ survey: ContainerSurvey) throws(GodwitError) -> RunReport.Verify.Check {
        let label = "legacyAccountedFor"
        let inputs: [LegacyPlanner.Input]
        do throws(GodwitError) { inputs = try scope.readPreferences() } catch  where error.code == .data {
            return RunReport.Verify.Check(label, .failed, error.message)
        }
        let report = legacy(inputs).reportWithoutImport(outcome: .nothingToDo)
        let mapped = report.ledger.filter { $0.bucket != .unmapped && $0.bucket != .localOnly }.count
        if survey.legacyReceipt != nil {
            return RunReport.Verify.Check(
                label, .passed, importedWords(report, survey), count: Int64(report.ledger.count))
        }
        guard mapped > 0 else {
            return RunReport.Verify.Check(label, .skipped, "no key of the preferences has a rule that imports it")
        }
        let have = mapped == 1 ? "has" : "have"
        return RunReport.Verify.Check(
            label, .failed, "\(mapped.counted("mapped key")) \(have) not been imported; run \(name: .run)")
    }

    /// How many keys an import accounts for, and how many values it left behind.
    private func importedWords(_ report: RunReport.Legacy, _ survey: ContainerSurvey) -> String {
        let keys = report.ledger.count
        let hasFlag = report.ledger.contains { $0.key.utf8.elementsEqual(manifest.copy.flag.utf8) }
        let all = "imported once; \(keys == 1 ? "the one key has" : "all \(keys.grouped) keys have") an outcome"
        let flag = hasFlag ? ", counting the completion flag" : ""
        let lost = RunReport.Legacy(doneBefore: survey.legacyReceipt).earlier?.lostWords.map { "; \($0)" } ?? ""
        return all + flag + lost
    }
}
