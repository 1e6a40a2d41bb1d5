internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitDedupe

/// The copy: once, healed where an earlier run stopped between its commit and its flag.
extension Session {
    /// Copies, heals or finds it done; `record` writes the run into the books and sets the flag when all else is durable.
    func workOnCopy(
        _ survey: ContainerSurvey, report: inout RunReport, record: (RunReport, FlagCommit) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        if survey.isSyncOff {
            // Nothing is to leave this device; when sync is on again, the copy is made, or goes on.
            report.copy = CopyReport(outcome: .nothingToDo, flag: try flag.state())
            return
        }
        if survey.isFlagSet {
            report.copy = try copyLater(survey, &report.warnings)
            if report.copy == nil { report.copy = try copySupplement(survey) ?? CopyReport(outcome: .alreadyDone) }
            report.copy?.flag = try flag.state()
            return
        }
        let hasLocal = try files.local.exists()
        guard hasLocal || options.allowsEmpty || survey.copyReceipt != nil else {
            report.copy = CopyReport(outcome: .nothingToDo, flag: try flag.state())
            return
        }
        try place.requireInPlace(.copy)
        if try bookkeepingStore(for: report.run.command) == .local { try settleInterruptedWrite(.local, .copy) }
        // Taken before the source is opened: what is committed in between is then noticed, not missed.
        let stamp = hasLocal ? try sourceStamp(.copy) : nil
        if hasLocal { _ = try plan?.requireUnwritten(files.local.path, stage: .copy) }
        let isNew = survey.copyReceipt == nil && !survey.hasCloud
        let source =
            hasLocal
            ? try CopySource(self, stage: .copy, forNewStore: isNew, forCopy: true)
            : try CopySource(empty: self)
        if isNew { report.warnings += try migratorWarnings(source.schema) }
        report.warnings += lossWarnings(source.schema)
        report.warnings += source.settled.map(Self.settledNote)
        // Where the local store is gone, the receipt alone says that all of it had been copied.
        if survey.copyReceipt != nil, hasLocal ? try isComplete(source, survey.copyReceipt) : true {
            try secureCloudStore()
            report.copy = CopyReport(outcome: .healed)
        } else if let reopened = survey.reopened, hasLocal, try covers(reopened) {
            report.copy = try copyReopened(reopened.receipt, from: source, &report.warnings)
        } else {
            report.copy = try copyAll(from: source)
        }
        // The snapshot may hold a read lock on the local store. An app that is about to commit would wait for it to go,
        // and the seal for the app; what is committed from here on, the seal notices.
        _ = consume source
        if let copy = report.copy { try plan?.require(copy, \.copy, .copy) }
        do throws(GodwitError) {
            try record(report, FlagCommit(stamp: stamp, place: place, flag: flag, context: context))
        } catch {
            // What fails once the flag is set is told as it is.
            throw (try? flag.state())?.isSet == true ? error : error.afterCopyCommit
        }
        report.copy?.flag = try flag.state()
    }

    /// That orphans were not copied as they are, as the manifest says.
    private static func settledNote(_ settled: OrphanSettlement.Settled) -> Warning {
        let (reference, records) = (settled.reference, settled.count.counted("record"))
        let whose = "\(records) of \(settled.entity) without the \(reference.parent) that \(reference.column) names"
        return Warning(
            "orphansSettled",
            reference.missing == .setAside
                ? "\(whose): set aside, and kept in the table godwit_removed of the cloud store."
                : "\(whose): copied with NULL in that column; godwit_changed of the cloud store has the old values.",
            hint:
                "The local store keeps them as they are. The manifest asks for it (`missing: \(reference.missing.rawValue)`)."
        )
    }

    private func copyAll(from source: borrowing CopySource) throws(GodwitError) -> CopyReport {
        let model = try FileOwnership(of: files.local.path)
        // The check of the store itself waits for nothing that is found in a private copy.
        let local = ComparedStore(source.snapshot, sums: watch?.sums(ofStoreAt: source.snapshot.path))
        guard let question = source.question else {
            return try copy(of: source).copy(
                from: local, duplicates: source.duplicates, toCloud: files.cloud.path,
                named: files.cloud.name, ownedLike: model)
        }
        defer { question.wait() }
        let copied = try copy(of: source).copy(
            from: local, asking: question, toNewCloud: files.cloud.path, named: files.cloud.name, ownedLike: model)
        if let copied { return copied }
        return try copyAll(from: CopySource(self, stage: .copy, forCopy: true))
    }

    /// Copies entities that came into the manifest after the copy was made, by the same rules; nil where there are none.
    ///
    /// What had been copied then is left alone: its records live on in the cloud store, and users may have deleted some.
    private func copySupplement(_ survey: ContainerSurvey) throws(GodwitError) -> CopyReport? {
        guard survey.hasLocal, survey.hasCloud, let earlier = survey.copyReceipt?.copiedEntities else { return nil }
        let added = manifest.entities.filter { entity in
            !earlier.contains { $0.name.utf8.elementsEqual(entity.name.utf8) }
        }
        guard !added.isEmpty, try hasRecords(added) else { return nil }
        try place.requireInPlace(.copy)
        try requireCopyableStore()
        let source = try CopySource(self, stage: .copy, forCopy: true)
        return try copy(.init(entities: added, earlier: earlier), of: source).copy(
            from: ComparedStore(source.snapshot), duplicates: source.duplicates, toCloud: files.cloud.path,
            named: files.cloud.name)
    }

    /// Whether the local store has anything of these entities.
    private func hasRecords(_ entities: [Entity]) throws(GodwitError) -> Bool {
        let local = try snapshot(.local, .copy)
        let shape = try local.connection.readShape()
        for entity in entities where shape.table(named: entity.name) != nil {
            if try local.connection.countRecords(of: entity.name) > 0 { return true }
        }
        return false
    }

    /// Brings the cloud store to the disk before a flag speaks of it, where another run wrote it.
    ///
    /// That run was stopped after its commit, perhaps because a flush failed. What the system could not write it may have
    /// forgotten since, and it would call the next flush a success; so a log is moved into the store, which writes its
    /// pages anew. A commit in rollback mode whose flush failed is rolled back, so only its name is still to be flushed.
    private func secureCloudStore() throws(GodwitError) {
        let (path, name) = (files.cloud.path, files.cloud.name)
        if try StoreSet(path, name: name, stage: .copy).companions.walSize ?? 0 > 0 {
            let writer = try StoreWriter(existing: path, name: name, stage: .copy, context: context)
            try writer.read(.copy) { store throws(GodwitError) in try store.moveLogIntoStore() }
            try writer.close(.copy)
        }
        try OpenFile(reading: path, stage: .copy).flush()
        try AtomicFile.flushDirectory(of: path)
    }

    /// Whether a copy whose receipt is there still holds every local record: the app may have written meanwhile.
    ///
    /// Local records that differ and lose by the rule are nowhere but in the local store. Those of which the receipt
    /// speaks were reported; where there are others, only another copy can say so.
    private func isComplete(_ source: borrowing CopySource, _ receipt: Receipt?) throws(GodwitError) -> Bool {
        let cloud = try snapshot(.cloud, .copy)
        guard try !schema.plan(cloud.connection).hasWork, try !hasDuplicates(cloud) else { return false }
        let reported = receipt?.copiedEntities ?? []
        let local = try translated(ComparedStore(source.snapshot), to: cloud.connection)
        return try proof.compare(local, with: ComparedStore(cloud)).allSatisfy { finding in
            let before = reported.first { $0.name.utf8.elementsEqual(finding.entity.utf8) }
            return finding.holds && finding.cloudKept == before?.cloudKept ?? 0
        }
    }
}
