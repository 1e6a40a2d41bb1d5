package import GodwitFiles
package import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// The one-time copy from the local to the cloud store: merge, prove, receipt, commit, prove again.
///
/// The flag is set later (`CompletionFlag`), when the caller has closed all stores.
/// Invariant: the receipt is written in the transaction with all records, after they were proven to be there. A new
/// cloud store is built under a temporary name, and renamed only after it was closed, opened again and proven. So a
/// cloud store either does not exist or is complete.
package struct CopyStage: Sendable {
    let manifest: Manifest
    var context: RunContext
    let runIdentifier: String
    let root: String?
    let allowsOrphans: Bool
    private let stages: Dependencies
    let supplement: Supplement?
    /// Distinguishes the local store from other stores, for the receipt.
    let digest: StoreDigest

    /// What is copied after the first copy, with the entities in its receipt.
    package struct Supplement: Sendable {
        /// Entities that are new in the manifest; or all, if the source has only later records.
        package let entities: [Entity]
        /// The entities in the receipt.
        package let earlier: [RunReport.Copy.Entity]
        /// The time after which the source's records were written; nil if the source is the whole store.
        package let since: Instant?
        /// Number of orphans by entity that were set aside instead of copied.
        let setAside: [String: Int]

        package init(
            entities: [Entity], earlier: [RunReport.Copy.Entity], since: Instant? = nil,
            settled: [OrphanSettlement.Settled] = []
        ) {
            (self.entities, self.earlier, self.since) = (entities, earlier, since)
            let counts = settled.filter { $0.reference.missing == .setAside }.map { ($0.entity, $0.count) }
            setAside = Dictionary(counts) { $0 + $1 }
        }

        /// The entities for the new receipt: the earlier counts plus later records, then new entities.
        func entities(with copied: [RunReport.Copy.Entity]) -> [RunReport.Copy.Entity] {
            func named(_ name: String, in entities: [RunReport.Copy.Entity]) -> RunReport.Copy.Entity? {
                entities.first { $0.name.utf8.elementsEqual(name.utf8) }
            }
            let grown = earlier.map { entity in
                var entity = entity
                let added = since == nil ? 0 : named(entity.name, in: copied)?.inserted ?? 0
                // A receipt's numbers are untrusted and may overflow.
                entity.local &+= added
                entity.inserted &+= added
                return entity
            }
            let new = copied.filter { named($0.name, in: earlier) == nil }.map { entity in
                var entity = entity
                // The local store still has them; without this they would look like records that were added since.
                entity.local &+= Int64(setAside[entity.name] ?? 0)
                return entity
            }
            return grown + new
        }
    }

    /// Functions of other stages inside the transaction, passed in because stages do not import each other.
    package struct Dependencies: Sendable {
        /// Brings the cloud store to the latest schema.
        package let bringSchemaUpToDate:
            @Sendable (SQLiteConnection, _ created: Bool) throws(GodwitError) -> RunReport.Schema
        package let dedupe: @Sendable (SQLiteConnection) throws(GodwitError) -> RunReport.Dedupe

        package init(
            bringSchemaUpToDate:
                @escaping @Sendable (SQLiteConnection, _ created: Bool) throws(GodwitError) -> RunReport.Schema,
            dedupe: @escaping @Sendable (SQLiteConnection) throws(GodwitError) -> RunReport.Dedupe
        ) {
            (self.bringSchemaUpToDate, self.dedupe) = (bringSchemaUpToDate, dedupe)
        }
    }

    /// - Parameters:
    ///   - root: the container, inside which folders may be created; nil for anywhere.
    ///   - supplement: the entities or records to copy; nil for everything.
    ///   - digest: of the local store itself; the source may be a prepared clone of it.
    package init(
        manifest: Manifest, context: RunContext, runIdentifier: String, root: String? = nil, allowsOrphans: Bool,
        supplement: Supplement? = nil, digest: StoreDigest = .known(nil), stages: Dependencies
    ) {
        (self.digest, self.root, self.supplement, self.manifest) = (digest, root, supplement, manifest)
        (self.context, self.runIdentifier, self.allowsOrphans) = (context, runIdentifier, allowsOrphans)
        self.stages = stages
    }

    /// Copies a deduped source at the latest schema version into the cloud store.
    ///
    /// - Parameters:
    ///   - source: the local store, or the private clone that was prepared for the copy.
    ///   - cloudName: its path inside the container.
    ///   - model: owner and mode for a new cloud store, from the local store.
    package func copy(
        from source: ComparedStore, duplicates: SourceDuplicates, toCloud cloudPath: String, named cloudName: String,
        ownedLike model: FileOwnership? = nil
    ) throws(GodwitError) -> RunReport.Copy {
        if try FileStatus.of(cloudPath) != nil {
            let writer = try StoreWriter(existing: cloudPath, name: cloudName, stage: .copy, context: context)
            try writer.takeOverLog(.copy)
            // Changes by the app after the proof are the user's will; before it, they would look like errors.
            return try writer.keepingAppOut(.copy) { () throws(GodwitError) in
                let (report, translated) = try fillShared(writer, from: source, duplicates: duplicates)
                do throws(GodwitError) {
                    try writer.close(.copy)
                    try context.faultPoint(.afterCopyCommit)
                    let source = translated.map { ComparedStore($0) } ?? source
                    try proveAgain(cloudPath, cloudName, source, report, isShared: true)
                } catch {
                    throw error.afterCommit(of: report)
                }
                return report
            }
        }
        return try create(cloudPath, cloudName, from: source, duplicates: duplicates, asking: nil, ownedLike: model)
    }

    var chosen: Manifest { supplement.map { manifest.selecting($0.entities) } ?? manifest }

    /// The same for a store that other processes use, in which foreign keys may have been broken before.
    private func fillShared(
        _ writer: StoreWriter, from source: ComparedStore, duplicates: SourceDuplicates
    ) throws(GodwitError) -> (report: RunReport.Copy, translated: SQLiteConnection?) {
        var (unresolved, translated): (UnresolvedReferences?, SQLiteConnection?)
        do throws(GodwitError) {
            let report = try fill(
                writer, from: source, duplicates: duplicates, created: false, unresolved: &unresolved,
                translated: &translated)
            return (report, translated)
        } catch {
            guard var found = unresolved else { throw error }
            // The transaction was rolled back, so foreign keys that are broken now were broken before.
            try? writer.read(.copy) { store throws(GodwitError) in try found.leaveOut(brokenIn: store) }
            throw found.error
        }
    }

    /// One transaction: schema, dedupe, merge, orphans, proof, receipt.
    ///
    /// - Parameters:
    ///   - unresolved: the foreign keys that make the commit fail, if there are any.
    ///   - translated: a private store whose records were merged instead of the source's (`ReferenceTranslation`).
    func fill(
        _ writer: StoreWriter, from compared: ComparedStore, duplicates: SourceDuplicates, created: Bool,
        asking question: BackgroundQuery<Bool>? = nil, unresolved: inout UnresolvedReferences?,
        translated: inout SQLiteConnection?
    ) throws(GodwitError) -> RunReport.Copy {
        let source = compared.connection
        return try writer.transaction(.copy) { cloud throws(GodwitError) in
            var report = RunReport.Copy(outcome: .done, createdStore: created)
            report.since = supplement?.since
            if supplement?.since == nil { report.added = supplement?.entities.map(\.name) }
            report.environment = manifest.environment
            report.dates = duplicates.dates
            report.add(duplicates.unnamed)
            report.unlikeDuplicates = duplicates.unlike
            try cloud.refuseMirrored()
            if !created { try cloud.requireSoundIndexes(changing: chosen.entities.map(\.name)) }
            let books = try LedgerTransfer(cloud, in: runIdentifier)
            report.schema = try stages.bringSchemaUpToDate(cloud, created)
            try cloud.execute("PRAGMA defer_foreign_keys=ON")
            // In an existing store triggers stay: their effects are the app's will, and are checked
            // (`SideEffectGuard`).
            let triggers = created ? try heldBackTriggers(cloud) : nil
            var indexes: HeldBackIndexes?
            if created {
                try Self.removeSeeds(of: manifest.entities, from: cloud)
                // Otherwise an app with its own migration version there would run all migrations again.
                try cloud.write(source.readMarks())
                try cloud.carryMigratorTables(from: source, besides: manifest.entities)
                indexes = try HeldBackIndexes(cloud)
            }
            // A new store is filled first, and all of its references are checked at the end, instead of searching the
            // parent of each record when it is inserted: 0.77 s instead of 1.33 s for 110,000 records. Not where SQLite already counts some that wait for a parent.
            let isCheckedAtEnd = created && !cloud.hasUnresolvedReferences
            let fillAll = { () throws(GodwitError) -> RunReport.Copy in
                report.dedupe = created ? nil : try stages.dedupe(cloud)
                let earlier = try EarlierOrphans(OrphanSearch(manifest: manifest), in: cloud, created: created)
                let settled = created ? nil : try settleReferences(of: compared, in: cloud, &report)
                translated = settled?.translated
                let records = translated ?? source
                if !created {
                    report.referencesTakenBack = try takeReferencesBack(to: translated, of: source, in: cloud)
                }
                do throws(GodwitError) {
                    try merge(records, into: cloud, duplicates: duplicates, unlessInVain: question, report: &report)
                } catch {
                    throw error.mentioning(report.unnamedReferences)
                }
                try indexes?.putBack(into: cloud)
                try question.map { asked throws(GodwitError) in try requireDistinct(asked, source) }
                try cloud.raiseSequences(to: source)
                report.orphans = try newOrphans(earlier, cloud)
                for (name, count) in settled?.strays ?? [:] { report.orphans[name, default: 0] += count }
                try triggers?.putBack(into: cloud)
                report.triggersHeldBack = triggers.flatMap { $0.names.isEmpty ? nil : $0.names }
                unresolved = try UnresolvedReferences(in: cloud, manifest, checkingAll: isCheckedAtEnd)
                if let unresolved { throw unresolved.error }
                if !created {
                    let proof = CopyProof(manifest: chosen, context: context)
                    try proof.require(proof.compare(records, with: cloud), matching: report.entities)
                }
                try books.carry(from: source)
                try writeReceipt(of: report, from: source, into: cloud)
                try context.faultPoint(.beforeCopyCommit)
                return report
            }
            return try isCheckedAtEnd ? cloud.withForeignKeysUnchecked(fillAll) : cloud.withForeignKeysJudged(fillAll)
        }
    }

    private func heldBackTriggers(_ cloud: SQLiteConnection) throws(GodwitError) -> HeldBackTriggers {
        try HeldBackTriggers(cloud, cloud.readShape(), entities: manifest.entities.map(\.name))
    }

    /// Removes the rows that schema files inserted into a new store.
    ///
    /// Otherwise records that users changed or deleted would be compared with these rows. Those that still exist are
    /// among the local records.
    package static func removeSeeds(
        of entities: [Entity], from cloud: SQLiteConnection
    ) throws(GodwitError) {
        let shape = try cloud.readShape()
        for entity in entities {
            guard let table = shape.table(named: entity.name) else { continue }
            try cloud.removeSeeds(ofTable: table.name)
        }
    }

    private func merge(
        _ source: SQLiteConnection, into cloud: SQLiteConnection, duplicates: SourceDuplicates,
        unlessInVain question: BackgroundQuery<Bool>?, report: inout RunReport.Copy
    ) throws(GodwitError) {
        let records = try RemovedRecords(cloud, runIdentifier: runIdentifier, now: context.now)
        let sourceShape = try source.readShape()
        let cloudShape = try cloud.readShape()
        let sideEffectGuard =
            report.createdStore
            ? nil : try SideEffectGuard(of: cloud, cloudShape, entities: manifest.entities.map(\.name))
        var (done, total): (Int64, Int64) = (0, 0)
        // Only for progress; errors in a table are thrown below.
        for entity in chosen.entities { total += (try? source.estimateRecords(of: entity.name)) ?? 0 }
        for entity in try fillingOrder(in: cloud, cloudShape) {
            let local = try source.table(for: entity, in: sourceShape)
            try source.requireKeys(local)
            let lockstep = try EntityComparison(
                local: local, cloud: cloud.table(for: entity, in: cloudShape), store: cloud.name)
            let merge = try EntityMerge(
                lockstep: lockstep, localStore: source, cloudStore: cloud, records: records,
                sideEffectGuard: sideEffectGuard,
                conflicts: ConflictClauses(of: lockstep.cloud.shape, in: cloud), total: total, context: context,
                isInVain: { question?.answer == true })
            var copied = RunReport.Copy.Entity(name: entity.name)
            try merge.merge(into: &copied, dates: &report.dates, done: &done)
            copied.duplicates = Int64(duplicates.counts[entity.name] ?? 0)
            copied.local = copied.inserted + copied.updated + copied.equal + copied.cloudKept + copied.duplicates
            report.entities.append(copied)
        }
        // In the order of the proof and the reports.
        let entities = report.entities
        report.entities = chosen.entitiesParentsFirst.compactMap { entity in
            entities.first { $0.name.utf8.elementsEqual(entity.name.utf8) }
        }
    }

    /// Parents first, also by the cloud store's foreign keys.
    ///
    /// If children exist already, SQLite searches those of each new parent, and their table may have no index for that.
    /// In a circle of foreign keys, the order of the manifest is used.
    private func fillingOrder(in cloud: SQLiteConnection, _ shape: SchemaShape) throws(GodwitError) -> [Entity] {
        let references = try cloud.readReferences(shape).filter { $0.table != $0.parent }
        var waiting = chosen.entitiesParentsFirst
        guard !references.isEmpty else { return waiting }
        var placed: [Entity] = []
        while !waiting.isEmpty {
            let names = Set(waiting.map(\.name.foldedName))
            let ready = waiting.firstIndex { entity in
                let name = entity.name.foldedName
                return !references.contains { $0.table == name && names.contains($0.parent) }
            }
            placed.append(waiting.remove(at: ready ?? 0))
        }
        return placed
    }

    /// Opens the committed store with a new connection and proves it again.
    ///
    /// Other processes may have changed an existing store since the commit. Then every local record must still be in it
    /// or have lost by the rule, but the counts may differ from the copy's.
    func proveAgain(
        _ path: String, _ name: String, _ source: ComparedStore, _ report: RunReport.Copy, isShared: Bool
    ) throws(GodwitError) {
        let snapshot = try StoreSnapshot(
            of: path, name: name, stage: .copy, context: context, checkingIntegrity: false)
        let check = IntegrityCheck(of: snapshot, context: context)
        let proof = CopyProof(manifest: chosen, context: context)
        let compared = Result { () throws(GodwitError) in
            try proof.compare(source, with: ComparedStore(snapshot))
        }
        try check.require()
        let findings = try compared.get()
        if !isShared { try proof.require(findings, matching: report.entities) }
        if let failed = findings.first(where: { !$0.holds }) {
            throw GodwitError(
                .copy, .data,
                "`\(name)` was committed, but now lacks records of `\(failed.entity)`",
                hint: "Check if another process writes to it, check the volume, then run again.")
        }
        guard try snapshot.connection.readReceipt(.copy)?.runIdentifier == runIdentifier else {
            throw GodwitError(
                .copy, .io, "`\(name)` was committed, but its receipt can't be read back",
                hint: "Check the volume, then run again.")
        }
    }
}
