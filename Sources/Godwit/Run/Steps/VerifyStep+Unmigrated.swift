internal import GodwitLegacy
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema

/// `verify` before the first run: reports that nothing has been migrated yet, and what a run would do.
extension VerifyStep {
    /// The report on a container that no run has changed; nil if one has.
    ///
    /// The stores' pages are checked all the same: a run would refuse a damaged store.
    func verifyUnmigrated(_ survey: ContainerSurvey) throws(GodwitError) -> RunReport.Verify? {
        guard try isUnmigrated(survey) else { return nil }
        var checks: [RunReport.Verify.Check] = []
        for role in [StoreRole.local, .cloud] where try files[role].exists() {
            let opened = Result { () throws(GodwitError) in try StoreProof(role, in: stores, depth) }
            checks += try verifyStore(role, opened, .success([]))
        }
        guard !checks.contains(where: { $0.verdict == .failed }) else { return RunReport.Verify(checks: checks) }
        let state =
            survey.copyState == .notDoneHere
            ? "this device has not copied yet (the receipt in the cloud store is that of another copy)"
            : "nothing has been migrated yet"
        let check = RunReport.Verify.Check(
            RunReport.Verify.Check.migrated, .failed, "\(state); \(try whatRunDoes(survey))")
        return RunReport.Verify(checks: checks + [check])
    }

    /// Whether no run has changed this container: no flag exists, and no store has traces of this device's runs.
    private func isUnmigrated(_ survey: ContainerSurvey) throws(GodwitError) -> Bool {
        guard !survey.isFlagSet else { return false }
        if survey.hasLocal, !isCoreData, try stores.snapshot(.local, .verify).connection.hasBooks() { return false }
        guard survey.hasCloud, survey.copyState != .notDoneHere else { return true }
        return try !stores.snapshot(.cloud, .verify).connection.hasBooks()
    }

    /// `a run would apply V0002__b to Notes.store, import 2 legacy keys, and copy 3 records to NotesCloud.store`.
    private func whatRunDoes(_ survey: ContainerSurvey) throws(GodwitError) -> String {
        do throws(GodwitError) {
            try Admission(stores).requireReady(for: .run, survey)
            let lines = try legacy(scope.readPreferences()).reportWithoutImport(outcome: .nothingToDo).ledger
            let keys = survey.legacyReceipt == nil ? lines.count { $0.into != nil && $0.source != nil } : 0
            let steps = [
                try schemaStep(survey, makesLocal: keys > 0), keys > 0 ? "import \(keys.counted("legacy key"))" : nil,
                try copyStep(survey),
            ].compactMap(\.self)
            let missing = survey.hasLocal ? "" : "\(files.local.name) does not exist, and "
            guard let last = steps.last else { return missing + "a run would find nothing to do" }
            let first = steps.dropLast().joined(separator: ", ")
            let joint = steps.count > 2 ? ", and " : steps.count > 1 ? " and " : ""
            return missing + "a run would \(first)\(joint)\(last)"
        } catch  where error.isFinding || [.noInput, .permission].contains(error.code) {
            let words = [error.message, error.hint].compactMap(\.self).joined(separator: ". ")
            return "\(RunReport.Verify.Check.refusal) \(error.code.rawValue): \(words)"
        }
    }

    private func schemaStep(_ survey: ContainerSurvey, makesLocal: Bool) throws(GodwitError) -> String? {
        let role = survey.writtenStore(isLocalWritable: isLocalWritable, makesLocal: makesLocal)
        guard try files[role].exists() else { return makesLocal ? "make \(files[role].name)" : nil }
        let pending = try schema.plan(stores.snapshot(role, .verify).connection).pending.map(\.title)
        guard let first = pending.first else { return nil }
        let others = pending.count > 1 ? " and \((pending.count - 1).counted("other schema file"))" : ""
        return "apply \(first)\(others) to \(files[role].name)"
    }

    private func copyStep(_ survey: ContainerSurvey) throws(GodwitError) -> String? {
        guard !survey.isSyncOff else { return nil }
        guard survey.hasLocal else { return survey.copyReceipt == nil ? nil : "set the flag '\(manifest.copy.flag)'" }
        let records = try SyncReading(stores).countLocal().values.reduce(0, +)
        return "copy \(records.counted("record")) of \(files.local.name) to \(files.cloud.name)"
    }
}
