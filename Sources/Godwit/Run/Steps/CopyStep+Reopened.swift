internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy

extension ContainerSurvey {
    /// A copy whose flag was set and is lost is made again like a reopened copy.
    var copyWithLostFlag: ReopenedCopy? {
        isFlagLost ? copyReceipt.map { ReopenedCopy(receipt: $0, isAll: false) } : nil
    }
}

/// Copies after `reopen`, or after the flag was lost: only records that the earlier copy does not cover.
extension CopyStep {
    /// Whether a reopened copy was made from this local store, so that its records are not copied again.
    func covers(_ reopened: ReopenedCopy) throws(GodwitError) -> Bool {
        guard !reopened.isAll, reopened.receipt.copiedEntities != nil else { return false }
        return try !CopyOrigin(stores).isOfOtherStore(reopened.receipt)
    }

    /// Copies the records that a reopened copy of the same store does not cover: records written since, and entities
    /// that it did not know.
    func copyReopened(
        _ receipt: Receipt, from all: borrowing CopySource, _ warnings: inout [Warning]
    ) throws(GodwitError) -> RunReport.Copy {
        let earlier = receipt.copiedEntities ?? []
        // Of an entity that had no record in the copy, none can have been deleted in the cloud store since.
        let added = manifest.entities(besides: earlier.filter { $0.local > 0 })
        let later = RecordsSinceCopy(manifest: manifest, since: receipt.completedAt, now: context.now, whole: added)
        try Admission(stores).requireCopyableStore()
        warnings += try reopenedWarnings(later, earlier, in: all)
        let source = try CopySource(stores, stage: .copy, keeping: later, forCopy: true)
        warnings += try later.parentWarnings(in: source.snapshot.connection)
        return try copy(
            .init(entities: manifest.entities, earlier: earlier, since: receipt.completedAt), of: source
        ).copy(
            from: ComparedStore(source.snapshot.connection, within: all.snapshot.connection), duplicates: [:],
            toCloud: files.cloud.path, named: files.cloud.name)
    }

    /// That local records are not in the cloud store and stay so: older than the copy though it did not have them, or without
    /// a date that says anything.
    private func reopenedWarnings(
        _ later: RecordsSinceCopy, _ earlier: [RunReport.Copy.Entity], in all: borrowing CopySource
    ) throws(GodwitError) -> [Warning] {
        let cloud = try stores.snapshot(.cloud, .copy)
        guard try !schema.plan(cloud.connection).hasWork, try !stores.hasDuplicates(cloud) else { return [] }
        let local = try scope.translated(ComparedStore(all.snapshot), to: cloud.connection).connection
        return try undatedWarnings(later, local, cloud.connection, isReopened: true)
            + olderWarnings(later, earlier, in: local)
    }

    /// That the local store has more records from before the copy than the copy had: some were never copied, as when a
    /// backup of the app was put in place since.
    private func olderWarnings(
        _ later: RecordsSinceCopy, _ earlier: [RunReport.Copy.Entity], in local: SQLiteConnection
    ) throws(GodwitError) -> [Warning] {
        var counts: [String] = []
        for entity in manifest.entities where entity.modified != nil {
            guard let copied = earlier.first(where: { $0.name.utf8.elementsEqual(entity.name.utf8) }), copied.local > 0
            else { continue }
            let older = try later.countOlder(of: entity, in: local) - copied.local
            if older > 0 { counts.append("\(older.grouped) \(entity.name)") }
        }
        guard !counts.isEmpty else { return [] }
        return [
            Warning(
                "olderThanCopy",
                "records of \(files.local.name) that are older than the copy were not in it: "
                    + counts.joined(separator: ", "),
                hint: copyAllHint)
        ]
    }

    /// The way to records that a reopened copy leaves where they are.
    var copyAllHint: String {
        "To copy every record, also those that were deleted in the cloud store: "
            + "\(scope.commandLine("reopen", "--all")), then run again."
    }
}
