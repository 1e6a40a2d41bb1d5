internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitDedupe

/// The local store as the copy wants it: at the latest schema, one row per key.
///
/// Where the store itself is so, it is read as it is. Where it is not, a private clone is brought there with the very
/// stages that `run` uses, and the store stays as it was: a copy never writes to its source.
struct CopySource: ~Copyable {
    let snapshot: StoreSnapshot
    /// What dedupe took out of the clone.
    let duplicates: SourceDuplicates
    /// Whether it has one row per key, where that is still to be found out; to be waited for before the snapshot goes.
    let question: BackgroundQuery<Bool>?
    /// Orphans that the manifest says to change or to set aside.
    let settled: [OrphanSettlement.Settled]
    /// What schema files did to a private clone; nil if none was needed.
    let schema: RunReport.Schema?
    /// What distinguishes the local store itself, if this is a private clone for a copy; nil for the store as it is.
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
        // A store that only lacks books about its schema has the records as they are wanted.
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
        // No check of its own: what it was cloned from has one before anything is committed, and so has the store that
        // is made of it, which is held against it besides.
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

    /// What distinguishes the local store of a source from other stores, read while the copy is made.
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
