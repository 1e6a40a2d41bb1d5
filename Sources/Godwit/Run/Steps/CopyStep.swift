internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitDedupe

/// Makes the copy once; if an earlier run stopped between its commit and its flag, sets the flag.
struct CopyStep: RunStep {
    let stores: StoreOpener

    /// The result of the step, and the flag that must still be set.
    struct CopyOutcome {
        var stages: StageReports
        /// Sets the flag, after the run was recorded; nil if the flag needs no change.
        var commit: FlagCommit?
    }

    /// Copies, heals, or finds that the copy is done.
    ///
    /// - Parameter isRecordedLocally: whether the run is recorded in the local store.
    /// - Throws: an error with what was committed before it, as `committed`.
    func run(_ survey: ContainerSurvey, isRecordedLocally: Bool) throws(GodwitError) -> CopyOutcome {
        var done = StageReports()
        var commit: FlagCommit?
        do throws(GodwitError) {
            if survey.isSyncOff {
                // No record leaves this device. When sync is on again, a run makes or continues the copy.
                done.copy = RunReport.Copy(outcome: .nothingToDo, flag: try flag.state())
            } else if survey.isFlagSet {
                done.copy = try copyLater(survey, &done.warnings)
                if done.copy == nil {
                    done.copy = try copySupplement(survey, &done.warnings) ?? RunReport.Copy(outcome: .alreadyDone)
                }
                done.copy?.flag = try flag.state()
            } else if try files.local.exists() || options.allowsEmpty || survey.copyReceipt != nil {
                commit = try copyOnce(survey, isRecordedLocally: isRecordedLocally, &done)
                if let copy = done.copy { try plan?.require(copy, \.copy, .copy) }
            } else {
                done.copy = RunReport.Copy(outcome: .nothingToDo, flag: try flag.state())
            }
        } catch {
            if var copy = error.committed?.copy {
                copy.flag = try? flag.state()
                done.copy = copy
            }
            throw error.after(done)
        }
        return CopyOutcome(stages: done, commit: commit)
    }

    /// The copy of a container without the flag.
    ///
    /// The source is closed at the end: its snapshot may hold a read lock on the local store. An app that is about to
    /// commit would wait for that lock, and the flag's commit for the app. The flag's commit notices later commits.
    private func copyOnce(
        _ survey: ContainerSurvey, isRecordedLocally: Bool, _ done: inout StageReports
    ) throws(GodwitError) -> FlagCommit {
        let hasLocal = try files.local.exists()
        try folders.requireInPlace(.copy)
        if isRecordedLocally { try stores.settleInterruptedWrite(.local, .copy) }
        // Taken before the source is opened: what is committed in between is then noticed, not missed.
        let stamp = hasLocal ? try stores.sourceStamp(.copy) : nil
        if hasLocal { _ = try plan?.requireUnwritten(files.local.path, stage: .copy) }
        let isNew = survey.copyReceipt == nil && !survey.hasCloud
        let source =
            hasLocal
            ? try CopySource(stores, stage: .copy, forNewStore: isNew, forCopy: true)
            : try CopySource(empty: stores)
        if isNew { done.warnings += try SchemaAdvice(stores).migratorWarnings(source.schema) }
        done.warnings += SchemaAdvice(stores).lossWarnings(source.schema)
        done.warnings += source.settled.map(Self.settledNote)
        // If the local store does not exist, only the receipt proves that all of it was copied.
        if survey.copyReceipt != nil, hasLocal ? try isComplete(source, survey.copyReceipt) : true {
            try secureCloudStore()
            done.copy = RunReport.Copy(outcome: .healed)
        } else if let reopened = survey.reopened ?? survey.copyWithLostFlag, hasLocal, try covers(reopened) {
            done.copy = try copyReopened(reopened.receipt, from: source, &done.warnings)
        } else {
            done.copy = try copyAll(from: source)
        }
        return FlagCommit(stamp: stamp, folders: folders, flag: flag, context: context)
    }

    /// That orphans were not copied as they are, as the manifest says; a warning if it may be wrong.
    private static func settledNote(_ settled: OrphanSettlement.Settled) -> Warning {
        let (reference, records) = (settled.reference, settled.count.counted("record"))
        guard !settled.isAll else {
            return Warning(
                "noReferenceFits",
                "none of the \(records) of `\(settled.entity)` that refer to `\(reference.parent)` by "
                    + "`\(reference.column)` has its parent, so `missing: \(reference.missing.rawValue)` applies to "
                    + "all of them",
                hint:
                    "Check `belongsTo:` of `\(settled.entity)` and `key:` of `\(reference.parent)`: they may name the "
                    + "wrong column or entity.")
        }
        let whose =
            "\(records) of `\(settled.entity)` without the `\(reference.parent)` that `\(reference.column)` names"
        return Warning(
            "orphansSettled",
            reference.missing == .setAside
                ? "\(whose): set aside in the table godwit_removed of the cloud store, as `missing: "
                    + "\(reference.missing.rawValue)` says"
                : "\(whose): copied with NULL in that column, as `missing: "
                    + "\(reference.missing.rawValue)` says; godwit_changed of the cloud store has the old "
                    + "values",
            hint:
                "Read the records in the local store, which did not change."
        )
    }

    /// Copies a prepared local store: the entities that are new in the manifest since the copy, or all entities if nil.
    func copy(_ supplement: CopyStage.Supplement? = nil, of source: borrowing CopySource) -> CopyStage {
        let (schema, dedupe) = (schema, dedupe)
        let name = files.cloud.name
        return CopyStage(
            manifest: manifest, context: context, runIdentifier: identifier, root: files.container.root,
            allowsOrphans: options.allowsOrphans, supplement: supplement, digest: digest(of: source),
            stages: .init(
                bringSchemaUpToDate: { connection, created throws(GodwitError) in
                    try schema.bringUpToDate(within: connection, role: .cloud, file: name, created: created)
                },
                dedupe: { connection throws(GodwitError) in
                    guard try dedupe.hasWork(connection) else { return RunReport.Dedupe(store: .cloud) }
                    return try dedupe.dedupe(within: connection, role: .cloud)
                }))
    }

    private func copyAll(from source: borrowing CopySource) throws(GodwitError) -> RunReport.Copy {
        let model = try FileOwnership(of: files.local.path)
        let local = ComparedStore(source.snapshot)
        guard let question = source.question else {
            return try copy(of: source).copy(
                from: local, duplicates: source.duplicates, toCloud: files.cloud.path,
                named: files.cloud.name, ownedLike: model)
        }
        defer { question.wait() }
        let copied = try copy(of: source).copy(
            from: local, asking: question, toNewCloud: files.cloud.path, named: files.cloud.name, ownedLike: model)
        if let copied { return copied }
        return try copyAll(from: CopySource(stores, stage: .copy, forCopy: true))
    }

    /// Copies entities that are new in the manifest since the copy, by the same rules; nil if there are none.
    ///
    /// Entities of the earlier copy do not change in the cloud store: users may have deleted some of their records.
    private func copySupplement(
        _ survey: ContainerSurvey, _ warnings: inout [Warning]
    ) throws(GodwitError) -> RunReport.Copy? {
        guard survey.hasLocal, survey.hasCloud, let earlier = survey.copyReceipt?.copiedEntities else { return nil }
        let added = manifest.entities(besides: earlier)
        guard !added.isEmpty, try hasRecords(added) else { return nil }
        try folders.requireInPlace(.copy)
        try Admission(stores).requireCopyableStore()
        let source = try CopySource(stores, stage: .copy, forCopy: true, besides: manifest.entities(besides: added))
        warnings += source.settled.map(Self.settledNote)
        return try copy(.init(entities: added, earlier: earlier, settled: source.settled), of: source).copy(
            from: ComparedStore(source.snapshot), duplicates: source.duplicates, toCloud: files.cloud.path,
            named: files.cloud.name)
    }

    /// Whether the local store has anything of these entities.
    private func hasRecords(_ entities: [Entity]) throws(GodwitError) -> Bool {
        let local = try stores.snapshot(.local, .copy)
        let shape = try local.connection.readShape()
        for entity in entities where shape.table(named: entity.name) != nil {
            if try local.connection.countRecords(of: entity.name) > 0 { return true }
        }
        return false
    }
}

extension Manifest {
    /// The entities that a receipt does not have: they came into the manifest after the copy.
    func entities(besides copied: [RunReport.Copy.Entity]) -> [Entity] {
        entities.filter { entity in !copied.contains { $0.name.utf8.elementsEqual(entity.name.utf8) } }
    }

    /// All entities but these.
    func entities(besides others: [Entity]) -> [Entity] {
        entities.filter { entity in !others.contains { $0.name.utf8.elementsEqual(entity.name.utf8) } }
    }
}
