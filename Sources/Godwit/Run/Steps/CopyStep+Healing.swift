internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy

/// A copy whose receipt exists, and whose flag was not set.
extension CopyStep {
    /// Flushes a cloud store that another run wrote, before the flag is set.
    ///
    /// That run was stopped after its commit, perhaps because a flush failed. What the system could not write it may have
    /// forgotten since, and it would call the next flush a success; so a log is moved into the store, which writes its
    /// pages again. A commit in rollback mode whose flush failed is rolled back, so only its name is still to be flushed.
    func secureCloudStore() throws(GodwitError) {
        let (path, name) = (files.cloud.path, files.cloud.name)
        if try StoreSet(path, name: name, stage: .copy).companions.walSize ?? 0 > 0 {
            let writer = try StoreWriter(existing: path, name: name, stage: .copy, context: context)
            try writer.read(.copy) { store throws(GodwitError) in try store.moveLogIntoStore() }
            try writer.close(.copy)
        }
        try OpenFile(reading: path, stage: .copy).flush()
        try AtomicFile.flushDirectory(of: path)
    }

    /// Whether the cloud store still has every local record: the app may have written to either store since the copy.
    ///
    /// Local records that differ and lose by the rule are only in the local store. The report of the copy had those in
    /// the receipt. Only another copy can report others.
    func isComplete(_ source: borrowing CopySource, _ receipt: Receipt?) throws(GodwitError) -> Bool {
        let cloud = try stores.snapshot(.cloud, .copy)
        guard try !schema.plan(cloud.connection).hasWork, try !stores.hasDuplicates(cloud) else { return false }
        let reported = receipt?.copiedEntities ?? []
        let local = try scope.translated(ComparedStore(source.snapshot), to: cloud.connection)
        return try proof.compare(local, with: ComparedStore(cloud)).allSatisfy { finding in
            let before = reported.first { $0.name.utf8.elementsEqual(finding.entity.utf8) }
            return finding.holds && finding.cloudKept == before?.cloudKept ?? 0
        }
    }
}
