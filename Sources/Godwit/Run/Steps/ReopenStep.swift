internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitCopy

/// Makes the copy pending again, so that a corrected manifest can be run.
///
/// Invariant: the flag is removed before the receipt, because a flag without a receipt is wrong. In between the copy
/// looks interrupted, and the same command completes the rest.
struct ReopenStep: RunStep {
    let stores: StoreOpener

    /// Withdraws the flag, and keeps the receipt as the receipt of a reopened copy.
    ///
    /// - Returns: the report; with the outcome `done` the run is still to be recorded.
    /// - Throws: an error with what was done before it, as `committed`; the same command completes the rest.
    func run(all: Bool, _ survey: ContainerSurvey) throws(GodwitError) -> RunReport.Reopen {
        // A reopen may have been killed while it was recorded: with nothing more to do, its journal would stay.
        for role in [StoreRole.local, .cloud] where role == .cloud || isLocalWritable {
            if try files[role].exists() { try stores.settleInterruptedWrite(role, .reopen) }
        }
        let receipt = survey.copyReceipt ?? survey.reopened?.receipt
        var reopen = RunReport.Reopen(
            outcome: .nothingToDo, copiedAt: receipt?.completedAt, copiedBy: receipt?.runIdentifier,
            all: all || survey.reopened?.isAll == true)
        let isChanged = survey.copyReceipt != nil || survey.reopened.map { !$0.isAll && all } ?? false
        guard survey.isFlagSet || isChanged else {
            reopen.flag = try flag.state()
            return reopen
        }
        guard survey.hasLocal else { throw noStoreToReopen }
        try folders.requireInPlace(.reopen)
        if isChanged { try Admission(stores).requireCopyableStore() }
        if survey.isFlagSet { try flag.set(to: false, context: context) }
        reopen.outcome = .done
        reopen.flag = try flag.state()
        do throws(GodwitError) {
            if isChanged { try keepReceipt(all: all) }
        } catch {
            throw error.after(StageReports(reopen: reopen))
        }
        return reopen
    }

    /// Keeps the receipt of the copy as that of a reopened one.
    private func keepReceipt(all: Bool) throws(GodwitError) {
        let writer = try StoreWriter(
            existing: files.cloud.path, name: files.cloud.name, stage: .reopen, context: context)
        try writer.takeOverLog(.reopen)
        try writer.transaction(.reopen) { connection throws(GodwitError) in
            try connection.reopenCopy(all: all)
            try context.faultPoint(.beforeReopenCommit)
        }
        try writer.close(.reopen)
        try context.faultPoint(.afterReopenCommit)
    }

    private var noStoreToReopen: GodwitError {
        GodwitError(
            .reopen, .noInput, "no local store to copy from: `\(files.local.name)` does not exist; nothing was changed",
            hint: "Correct `local:` in the manifest, then run the same command again.")
    }

    /// The warnings about a reopen.
    ///
    /// - Parameters:
    ///   - survey: the state before the reopen.
    ///   - other: a store that the manifest does not name, with the receipt of a copy; nil for none.
    func reopenWarnings(_ survey: ContainerSurvey, other: String?) -> [Warning] {
        let lack = survey.hasCloud ? "; that store lacks the changes in the cloud store since the copy" : ""
        var warnings = [
            Warning(
                "copyReopened",
                "without the completion flag `\(manifest.copy.flag)` the app uses the local store until the next run\(lack)",
                hint: "Run \(scope.commandLine(["run"])) before the app is opened.")
        ]
        if let other {
            warnings.append(
                Warning(
                    "copiedElsewhere",
                    "`\(other)` has the receipt of a copy, but the manifest does not name it: what was written to it "
                        + "since that copy is in no store that the manifest names",
                    hint: "If the app uses `\(other)`, correct `cloud:` in the manifest before the next run."))
        }
        return warnings
    }
}
