internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy

/// Making the copy pending again, so that a corrected manifest can be run.
///
/// Invariant: the flag goes before the receipt, since a flag without a receipt is false. In between the copy looks interrupted,
/// and the same command completes the rest.
extension Session {
    /// Takes the flag back, keeps the receipt as that of a reopened copy, and records the run.
    func reopen(
        all: Bool, _ survey: ContainerSurvey, _ report: inout RunReport,
        record: (RunReport) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        // A reopen may have ended in the middle of recording itself: where there is nothing more to do, its journal would stay.
        for role in [StoreRole.local, .cloud] where role == .cloud || isLocalWritable {
            if try files[role].exists() { try settleInterruptedWrite(role, .reopen) }
        }
        let receipt = survey.copyReceipt ?? survey.reopened?.receipt
        var reopen = ReopenReport(
            outcome: .nothingToDo, copiedAt: receipt?.completedAt, copiedBy: receipt?.runIdentifier,
            all: all || survey.reopened?.isAll == true)
        let isChanged = survey.copyReceipt != nil || survey.reopened.map { !$0.isAll && all } ?? false
        guard survey.isFlagSet || isChanged else {
            reopen.flag = try flag.state()
            report.reopen = reopen
            return
        }
        guard survey.hasLocal else { throw noStoreToReopen }
        try place.requireInPlace(.reopen)
        if isChanged { try requireCopyableStore() }
        if survey.isFlagSet { try flag.set(to: false, context: context) }
        reopen.outcome = .done
        reopen.flag = try flag.state()
        report.reopen = reopen
        if isChanged {
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
        try record(report)
    }

    private var noStoreToReopen: GodwitError {
        GodwitError(
            .reopen, .noInput, "There is no local store to copy from: \(files.local.name).",
            hint: "Nothing was changed. Correct `local:` in the manifest, then run the same command again.")
    }

    /// Whether a reopened copy was made of this local store, and what it covers is not to be copied again.
    func covers(_ reopened: ReopenedCopy) throws(GodwitError) -> Bool {
        guard !reopened.isAll, reopened.receipt.copiedEntities != nil else { return false }
        return try !isOfOtherStore(reopened.receipt)
    }

    /// Copies what a reopened copy of the same store does not cover: records written since, and entities that it did not
    /// know.
    func copyReopened(
        _ receipt: Receipt, from all: borrowing CopySource, _ warnings: inout [Warning]
    ) throws(GodwitError) -> CopyReport {
        let earlier = receipt.copiedEntities ?? []
        let added = manifest.entities.filter { entity in
            !earlier.contains { $0.name.utf8.elementsEqual(entity.name.utf8) }
        }
        let later = RecordsSinceCopy(manifest: manifest, since: receipt.completedAt, now: context.now, whole: added)
        try requireCopyableStore()
        warnings += try reopenedWarnings(later, in: all)
        let source = try CopySource(self, stage: .copy, keeping: later, forCopy: true)
        return try copy(
            .init(entities: manifest.entities, earlier: earlier, since: receipt.completedAt), of: source
        ).copy(
            from: ComparedStore(source.snapshot.connection, within: all.snapshot.connection), duplicates: [:],
            toCloud: files.cloud.path, named: files.cloud.name)
    }

    /// That local records are not in the cloud store and stay so: deleted there, or without a date that says anything.
    private func reopenedWarnings(
        _ later: RecordsSinceCopy, in all: borrowing CopySource
    ) throws(GodwitError) -> [Warning] {
        let cloud = try snapshot(.cloud, .copy)
        guard try !schema.plan(cloud.connection).hasWork, try !hasDuplicates(cloud) else { return [] }
        let local = try translated(ComparedStore(all.snapshot), to: cloud.connection).connection
        return try undatedWarnings(later, local, cloud.connection)
    }

    /// What a person should know of a reopen.
    func reopenWarnings() -> [Warning] {
        [
            Warning(
                "copyReopened",
                "The flag \(manifest.copy.flag) is off: until the next run the app uses the local store, which lacks what "
                    + "was written to the cloud store since the copy.",
                hint: "Run \(commandLine(["run"])) before the app is opened.")
        ]
    }
}
