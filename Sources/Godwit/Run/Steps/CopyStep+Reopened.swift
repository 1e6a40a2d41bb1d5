internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy

/// The copy after `reopen`: only what the reopened copy does not cover.
extension CopyStep {
    /// Whether a reopened copy was made of this local store, and what it covers is not to be copied again.
    func covers(_ reopened: ReopenedCopy) throws(GodwitError) -> Bool {
        guard !reopened.isAll, reopened.receipt.copiedEntities != nil else { return false }
        return try !CopyOrigin(stores).isOfOtherStore(reopened.receipt)
    }

    /// Copies what a reopened copy of the same store does not cover: records written since, and entities that it did not
    /// know.
    func copyReopened(
        _ receipt: Receipt, from all: borrowing CopySource, _ warnings: inout [Warning]
    ) throws(GodwitError) -> RunReport.Copy {
        let earlier = receipt.copiedEntities ?? []
        let added = manifest.entities.filter { entity in
            !earlier.contains { $0.name.utf8.elementsEqual(entity.name.utf8) }
        }
        let later = RecordsSinceCopy(manifest: manifest, since: receipt.completedAt, now: context.now, whole: added)
        try Admission(stores).requireCopyableStore()
        warnings += try reopenedWarnings(later, in: all)
        let source = try CopySource(stores, stage: .copy, keeping: later, forCopy: true)
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
        let cloud = try stores.snapshot(.cloud, .copy)
        guard try !schema.plan(cloud.connection).hasWork, try !stores.hasDuplicates(cloud) else { return [] }
        let local = try scope.translated(ComparedStore(all.snapshot), to: cloud.connection).connection
        return try undatedWarnings(later, local, cloud.connection)
    }
}
