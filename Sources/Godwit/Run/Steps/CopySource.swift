internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitDedupe

/// The local store in the form for the copy: at the latest schema version, with one record for each key.
///
/// A store in this form is read directly. Otherwise the stages of `run` change a private clone, and the store does not
/// change: a copy never writes to its source.
struct CopySource: ~Copyable {
    let snapshot: StoreSnapshot
    /// The duplicates that dedupe set aside in the clone.
    let duplicates: SourceDuplicates
    /// A query that finds out if each key has one record; it must end before the snapshot is closed.
    let question: BackgroundQuery<Bool>?
    /// Orphans that the manifest says to change or to set aside.
    let settled: [OrphanSettlement.Settled]
    /// The schema files that were applied to a private clone; nil if there is no clone.
    let schema: RunReport.Schema?
    /// The digest of the local store, if this is a private clone for a copy; nil for the store itself.
    let digest: StoreDigest?
    private let scratch: ScratchDirectory?

    /// - Parameters:
    ///   - later: the only records that are wanted; the others are removed from a private clone.
    ///   - isNewStore: whether a new store is filled from it, so that a query can run at the same time.
    ///   - isForCopy: whether the digest of the local store is wanted if this is a clone.
    ///   - uncopied: entities that are not copied from it, because they were before.
    init(
        _ stores: StoreOpener, stage: GodwitError.Stage, keeping later: RecordsSinceCopy? = nil,
        forNewStore isNewStore: Bool = false, forCopy isForCopy: Bool = false, besides uncopied: [Entity] = []
    ) throws(GodwitError) {
        let scope = stores.scope
        let local = scope.files.local
        let original = try stores.snapshot(.local, stage)
        // A store without a ledger of its schema already has its records in the right form.
        let needsSchema = try !scope.schema.plan(original.connection).pending.isEmpty
        let isAsked = isNewStore && !needsSchema && later == nil && original.isLarge
        let settlement = OrphanSettlement(
            manifest: scope.manifest, runIdentifier: scope.identifier, now: scope.context.now, uncopied: uncopied)
        let needsSettling = needsSchema ? true : try CopyStep(stores).hasOrphans(settlement, in: original)
        let needsDedupe = needsSchema ? true : isAsked ? false : try stores.hasDuplicates(original)
        guard needsSchema || needsDedupe || needsSettling || later != nil else {
            question = isAsked ? CopyStep(stores).askForDuplicates(original) : nil
            snapshot = original
            (duplicates, settled, schema, digest, scratch) = ([:], [], nil, nil, nil)
            return
        }
        let known = isForCopy ? try original.connection.keyDigest(of: scope.manifest.entities) : nil
        let directory = try ScratchDirectory(identifier: scope.context.makeIdentifier())
        let clone = try stores.clone(.local, in: directory.path, stage)
        let writer = try StoreWriter(
            existing: clone, name: local.name, stage: stage, context: scope.context.unwatched)
        try writer.transaction(stage) { connection throws(GodwitError) in try connection.rebuildIndexes() }
        let applied = try scope.schema.bringUpToDate(writer, role: .local, file: local.name, created: false)
        let report = try writer.transaction(stage) { connection throws(GodwitError) in
            guard try scope.dedupe.hasWork(connection) else { return RunReport.Dedupe() }
            return try scope.dedupe.dedupe(within: connection, role: .local)
        }
        let orphans = try CopyStep(stores).settle(settlement, in: writer, within: directory, stage)
        if let later {
            let cloud = try stores.snapshot(.cloud, stage)
            try writer.transaction(stage) { connection throws(GodwitError) in
                try later.removeOthers(from: connection, in: directory, besides: cloud.connection)
            }
        }
        try writer.close(stage)
        // Needs no check: its origin is checked before a commit, and the new store is checked and compared with it.
        snapshot = try StoreSnapshot(
            of: clone, name: local.name, stage: stage, context: scope.context, checkingIntegrity: false)
        (question, duplicates, settled, schema) = (nil, SourceDuplicates(report), orphans, applied)
        (digest, scratch) = (.known(known), directory)
    }

    /// An empty source at the latest schema, for `--allow-empty` where there is no local store.
    init(empty stores: StoreOpener) throws(GodwitError) {
        let scope = stores.scope
        let local = scope.files.local
        let directory = try ScratchDirectory(identifier: scope.context.makeIdentifier())
        let path = directory.path + "/" + OwnFiles.temporaryPrefix + "empty"
        let writer = try StoreWriter(creatingTemporary: path, name: local.name, stage: .copy, context: scope.context)
        _ = try scope.schema.bringUpToDate(writer, role: .local, file: local.name, created: true)
        try writer.close(.copy)
        snapshot = try StoreSnapshot(of: path, name: local.name, stage: .copy, context: scope.context)
        (question, duplicates, settled, schema, scratch, digest) = (nil, [:], [], nil, directory, .known(nil))
    }
}

extension CopyStep {
    /// Whether a local store has orphans that are not copied as they are.
    fileprivate func hasOrphans(
        _ settlement: OrphanSettlement, in local: borrowing StoreSnapshot
    ) throws(GodwitError) -> Bool {
        guard hasSettlingRules else { return false }
        guard try files.cloud.exists() else { return try settlement.hasWork(in: local.connection, and: nil) }
        let cloud = try stores.snapshot(.cloud, .copy)
        return try settlement.hasWork(in: local.connection, and: cloud.connection)
    }

    private var hasSettlingRules: Bool {
        !options.allowsOrphans && manifest.entities.contains { $0.belongsTo.contains { $0.missing.changesRecords } }
    }

    /// Settles them in a private clone.
    ///
    /// - Throws: 70, with nothing done, if the store is not in the scratch folder.
    fileprivate func settle(
        _ settlement: OrphanSettlement, in writer: StoreWriter, within scratch: ScratchDirectory,
        _ stage: GodwitError.Stage
    ) throws(GodwitError) -> [OrphanSettlement.Settled] {
        guard hasSettlingRules else { return [] }
        try writer.read(stage) { clone throws(GodwitError) in
            try scratch.requireHolding(clone)
            try clone.execute("PRAGMA foreign_keys=OFF")
            SQLiteHardening.switchTriggersOff(clone)
        }
        guard try files.cloud.exists() else {
            return try writer.transaction(stage) { clone throws(GodwitError) in
                try settlement.settle(in: clone, and: nil)
            }
        }
        let cloud = try stores.snapshot(.cloud, .copy)
        return try writer.transaction(stage) { clone throws(GodwitError) in
            try settlement.settle(in: clone, and: cloud.connection)
        }
    }

    /// The digest that distinguishes the local store of a source from other stores, read during the copy.
    ///
    /// The source must stay open for as long as the digest lives.
    func digest(of source: borrowing CopySource) -> StoreDigest {
        if let digest = source.digest { return digest }
        let entities = manifest.entities
        return .asked(
            BackgroundQuery(about: source.snapshot) { store throws(GodwitError) in try store.keyDigest(of: entities) })
    }

    /// Begins to find out, while the copy runs, if dedupe has work in its source.
    fileprivate func askForDuplicates(_ store: borrowing StoreSnapshot) -> BackgroundQuery<Bool> {
        let (dedupe, known, state) = (dedupe, context.known, store.state)
        return BackgroundQuery(about: store) { connection throws(GodwitError) in
            if known.isKnown(.deduped, of: state) { return false }
            if try dedupe.hasWork(connection) { return true }
            known.note(.deduped, of: state)
            return false
        }
    }
}
