internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitSync

/// Copies the records that were written to the local store since the copy, when sync is on again.
///
/// Invariant: the time of the copy's receipt decides. Only records dated after it are merged, in one transaction with
/// the new receipt, so that a run that is killed or repeated finds either all of it ahead or all of it done. The flag
/// stays.
extension CopyStep {
    /// Merges them by the usual rules and with the usual proof; nil if there is nothing to merge, or the manifest
    /// names no switch for sync, or it is not on.
    func copyLater(_ survey: ContainerSurvey, _ warnings: inout [Warning]) throws(GodwitError) -> RunReport.Copy? {
        // Without an account the app uses the local store; its records wait for the account.
        guard manifest.sync.enabledKey != nil, survey.preference == .on, survey.hasLocal, survey.activeStore == .cloud,
            let receipt = survey.copyReceipt, let earlier = receipt.copiedEntities
        else { return nil }
        let added = manifest.entities(besides: earlier)
        let later = RecordsSinceCopy(manifest: manifest, since: receipt.completedAt, now: context.now, whole: added)
        let all = try CopySource(stores, stage: .copy)
        guard let source = try sourceOfLater(later, in: all, &warnings) else { return nil }
        warnings += try later.parentWarnings(in: source.snapshot.connection)
        try folders.requireInPlace(.copy)
        try Admission(stores).requireCopyableStore()
        return try copy(
            .init(entities: manifest.entities, earlier: earlier, since: receipt.completedAt), of: source
        ).copy(
            from: ComparedStore(source.snapshot.connection, within: all.snapshot.connection), duplicates: [:],
            toCloud: files.cloud.path, named: files.cloud.name)
    }

    /// Only the later records, in a private store; nil if the cloud store has them already.
    private func sourceOfLater(
        _ later: RecordsSinceCopy, in all: borrowing CopySource, _ warnings: inout [Warning]
    ) throws(GodwitError) -> CopySource? {
        let cloud = try stores.snapshot(.cloud, .copy)
        var isComparable = try !schema.plan(cloud.connection).hasWork
        if isComparable { isComparable = try !stores.hasDuplicates(cloud) }
        if isComparable {
            let local = try scope.translated(ComparedStore(all.snapshot), to: cloud.connection).connection
            warnings += try undatedWarnings(later, local, cloud.connection)
        }
        guard try later.areAny(in: all.snapshot.connection) else { return nil }
        let source = try CopySource(stores, stage: .copy, keeping: later, forCopy: true)
        if isComparable {
            let some = ComparedStore(source.snapshot.connection, within: all.snapshot.connection)
            let local = try scope.translated(some, to: cloud.connection)
            let findings = try proof.compare(local, with: ComparedStore(cloud))
            if findings.allSatisfy(\.holds) { return nil }
        }
        return source
    }

    /// Warns that records without a date differ from the cloud store's: which of them came later is not known.
    ///
    /// - Parameter isReopened: whether the copy was reopened, so that every record can be copied again.
    func undatedWarnings(
        _ later: RecordsSinceCopy, _ local: SQLiteConnection, _ cloud: SQLiteConnection, isReopened: Bool = false
    ) throws(GodwitError) -> [Warning] {
        let again = isReopened ? copyAllHint : nil
        var warnings: [Warning] = []
        for entity in manifest.entities {
            let count = try later.countUnclear(of: entity, in: local, besides: cloud)
            guard count > 0 else { continue }
            warnings.append(
                Warning(
                    "undatedNotBrought",
                    "\(count.counted("`\(entity.name)` record")) of `\(files.local.name)` "
                        + "\(count == 1 ? "is" : "are") not in the cloud store; "
                        + "\(count == 1 ? "its date does" : "their dates do") not show whether "
                        + "\(count == 1 ? "it was" : "they were") written after the copy",
                    hint: again
                        ?? "Save them again in the app: the next run copies records that are dated after this run."))
        }
        guard !later.undated.isEmpty else { return warnings }
        let proof = CopyProof(manifest: manifest.selecting(later.undated), context: context)
        return warnings
            + (try proof.compare(local, with: cloud).filter { !$0.holds }.map { finding in
                let count = Int(finding.missing + finding.different)
                return Warning(
                    "undatedNotBrought",
                    "\(count.counted("`\(finding.entity)` record")) of `\(files.local.name)` "
                        + "\(count == 1 ? "is" : "are") not in the cloud store; without a date it is not known "
                        + "whether \(count == 1 ? "it was" : "they were") written after the copy",
                    hint: again
                        ?? "Name a column that dates `\(finding.entity)` as `modified`, or enter them again in the app."
                )
            })
    }
}
