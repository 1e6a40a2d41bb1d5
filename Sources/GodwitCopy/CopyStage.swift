package import GodwitModel
package import GodwitStore

/// The one-shot copy from local to cloud: merge, prove, receipt, commit, prove again. The flag comes after it
/// (`CompletionFlag`), when the caller has closed everything.
///
/// Invariant: the receipt is written in the transaction that holds all records, after they were proven to be there. A
/// new cloud store is built under a temporary name and renamed into place only when it has been closed, opened again
/// and proven, so a cloud store is either absent or whole.
package struct CopyStage: Sendable {
    private let manifest: Manifest
    private let context: RunContext
    private let runIdentifier: String
    private let allowsOrphans: Bool
    private let stages: Neighbours

    /// The stages the copy needs inside its transaction, handed in because stages do not know each other.
    package struct Neighbours: Sendable {
        /// Brings the cloud store to the latest schema.
        package let bringSchemaUpToDate:
            @Sendable (SQLiteConnection, _ created: Bool) throws(GodwitError) -> SchemaReport
        /// Dedupes the cloud store.
        package let dedupe: @Sendable (SQLiteConnection) throws(GodwitError) -> DedupeReport

        package init(
            bringSchemaUpToDate:
                @escaping @Sendable (SQLiteConnection, _ created: Bool) throws(GodwitError) -> SchemaReport,
            dedupe: @escaping @Sendable (SQLiteConnection) throws(GodwitError) -> DedupeReport
        ) {
            self.bringSchemaUpToDate = bringSchemaUpToDate
            self.dedupe = dedupe
        }
    }

    package init(
        manifest: Manifest, context: RunContext, runIdentifier: String, allowsOrphans: Bool, stages: Neighbours
    ) {
        self.manifest = manifest
        self.context = context
        self.runIdentifier = runIdentifier
        self.allowsOrphans = allowsOrphans
        self.stages = stages
    }

    /// Copies a deduped source at the latest schema version into the cloud store.
    ///
    /// - Parameters:
    ///   - source: the local store, or the private clone that was made ready for copying.
    ///   - duplicates: what dedupe took out of that clone, by entity.
    ///   - cloudPath: where the cloud store is or will be.
    ///   - cloudName: its path inside the container.
    package func copy(
        from source: SQLiteConnection, duplicates: [String: Int], toCloud cloudPath: String, named cloudName: String
    ) throws(GodwitError) -> CopyReport {
        if try FileStatus.of(cloudPath) != nil {
            let writer = try StoreWriter(existing: cloudPath, name: cloudName, stage: .copy, context: context)
            let report = try fill(writer, from: source, duplicates: duplicates, created: false)
            try writer.close(.copy)
            try context.faultPoint(.afterCopyCommit)
            try proveAgain(cloudPath, cloudName, source, report)
            return report
        }
        return try create(cloudPath, cloudName, from: source, duplicates: duplicates)
    }

    private func create(
        _ cloudPath: String, _ cloudName: String, from source: SQLiteConnection, duplicates: [String: Int]
    ) throws(GodwitError) -> CopyReport {
        try PathText.makeDirectories(PathText.directory(of: cloudPath))
        let temporary = OwnFiles.temporaryPath(beside: cloudPath, identifier: context.makeIdentifier())
        do throws(GodwitError) {
            let writer = try StoreWriter(
                creatingTemporary: temporary, name: cloudName, stage: .copy, context: context)
            let report = try fill(writer, from: source, duplicates: duplicates, created: true)
            try writer.close(.copy)
            try context.faultPoint(.afterCopyCommit)
            try proveAgain(temporary, cloudName, source, report)
            try context.faultPoint(.beforeRenameIntoPlace)
            try AtomicFile.rename(temporary, to: cloudPath, replacing: false, stage: .copy)
            try AtomicFile.flushDirectory(of: cloudPath)
            return report
        } catch {
            OwnFiles.removeTemporary(temporary)
            throw error
        }
    }

    /// One transaction: schema, dedupe, merge, orphans, proof, receipt.
    private func fill(
        _ writer: StoreWriter, from source: SQLiteConnection, duplicates: [String: Int], created: Bool
    ) throws(GodwitError) -> CopyReport {
        try writer.transaction(.copy) { cloud throws(GodwitError) in
            var report = CopyReport(outcome: .done, createdStore: created)
            try refuseMirrored(cloud)
            report.schema = try stages.bringSchemaUpToDate(cloud, created)
            report.dedupe = created ? nil : try stages.dedupe(cloud)
            let orphansBefore = try OrphanSearch(manifest: manifest).count(in: cloud)
            try cloud.execute("PRAGMA defer_foreign_keys=ON")
            try merge(source, into: cloud, duplicates: duplicates, report: &report)
            report.orphans = try newOrphans(in: cloud, before: orphansBefore)
            if !created {
                let proof = CopyProof(manifest: manifest, context: context)
                try proof.require(proof.compare(source, with: cloud), matching: report.entities)
            }
            try carryBooks(from: source, to: cloud)
            try cloud.execute("DELETE FROM godwit_receipt WHERE stage = 'copy'")
            try cloud.write(receipt(for: report))
            try context.faultPoint(.beforeCopyCommit)
            return report
        }
    }

    private func merge(
        _ source: SQLiteConnection, into cloud: SQLiteConnection, duplicates: [String: Int],
        report: inout CopyReport
    ) throws(GodwitError) {
        let records = try RemovedRecords(cloud, runIdentifier: runIdentifier, now: context.now)
        let sourceShape = try source.readShape()
        let cloudShape = try cloud.readShape()
        var done: Int64 = 0
        for entity in manifest.entitiesParentsFirst {
            let local = try source.table(for: entity, in: sourceShape)
            try source.requireKeys(local)
            let lockstep = try Lockstep(
                local: local, cloud: cloud.table(for: entity, in: cloudShape), store: cloud.name)
            let merge = EntityMerge(
                lockstep: lockstep, localStore: source, cloudStore: cloud, records: records, context: context)
            var copied = CopiedEntity(name: entity.name)
            try merge.merge(into: &copied, dates: &report.dates, done: &done)
            copied.duplicates = Int64(duplicates[entity.name] ?? 0)
            copied.local = copied.inserted + copied.updated + copied.equal + copied.cloudKept + copied.duplicates
            report.entities.append(copied)
        }
    }

    /// Core Data's mirroring keeps its own books of what it sent (`ANSCK…`); rows written behind its back are lost.
    private func refuseMirrored(_ cloud: SQLiteConnection) throws(GodwitError) {
        guard try cloud.first("SELECT 1 FROM sqlite_schema WHERE name LIKE 'ANSCK%' LIMIT 1") != nil else { return }
        throw GodwitError(
            .copy, .data, "\(cloud.name) is mirrored by CloudKit; what is written into it from outside is lost.",
            hint: "Import through the app, or name a store of its own as `cloud:` in the manifest.")
    }

    private func newOrphans(
        in cloud: SQLiteConnection, before: [String: Int]
    ) throws(GodwitError) -> [String: Int] {
        let search = OrphanSearch(manifest: manifest)
        let found = try search.count(in: cloud).compactMapValues { $0 }.filter { $0.value > before[$0.key] ?? 0 }
        guard !found.isEmpty, !allowsOrphans else { return found }
        let name = found.keys.sorted()[0]
        let keys = try search.firstKeys(of: name, in: cloud).map { "'\($0)'" }.joined(separator: ", ")
        throw GodwitError(
            .copy, .data, "\(found[name] ?? 0) orphans: \(name) points nowhere in \(keys).",
            hint: "Mend them in the app, or copy them as they are with --allow-orphans.")
    }

    /// What the source's own books say of losers and of the legacy import goes along: later on the cloud store is the
    /// active one, and the local store may be gone.
    private func carryBooks(from source: SQLiteConnection, to cloud: SQLiteConnection) throws(GodwitError) {
        try cloud.makeTable(.receipt)
        if try cloud.readReceipt(.legacy) == nil, let receipt = try source.readReceipt(.legacy) {
            try cloud.write(receipt)
        }
        guard try source.has(.removed) else { return }
        let own: [Value] = [.string(runIdentifier)]
        let removed = "entity, key, record, reason, winnerKey, runId, removedAt"
        try cloud.makeTable(.removed)
        for row in try source.rows("SELECT \(removed) FROM godwit_removed WHERE runId = ? ORDER BY id", own) {
            try cloud.execute("INSERT INTO godwit_removed(\(removed)) VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        }
    }

    private func receipt(for report: CopyReport) -> Receipt {
        var detail = JSONBuffer(capacity: 512)
        detail.append("{\"entities\":[")
        for (index, entity) in report.entities.enumerated() {
            if index > 0 { detail.append(",") }
            detail.append("{\"name\":")
            detail.append(string: entity.name)
            for (label, count) in [
                ("local", entity.local), ("inserted", entity.inserted), ("updated", entity.updated),
                ("equal", entity.equal), ("cloudKept", entity.cloudKept), ("duplicates", entity.duplicates),
            ] {
                detail.append(",")
                detail.append(string: label)
                detail.append(":")
                detail.append(digits: count)
            }
            detail.append("}")
        }
        detail.append("]}")
        return Receipt(
            stage: .copy, runIdentifier: runIdentifier, completedAt: context.now, manifestSHA256: manifest.sha256,
            detail: String(decoding: detail.bytes, as: UTF8.self))
    }

    /// Opens what was committed with a fresh connection and proves it, as a reader of tomorrow will see it.
    private func proveAgain(
        _ path: String, _ name: String, _ source: SQLiteConnection, _ report: CopyReport
    ) throws(GodwitError) {
        let snapshot = try StoreSnapshot(of: path, name: name, stage: .copy, context: context)
        let proof = CopyProof(manifest: manifest, context: context)
        try proof.require(proof.compare(source, with: snapshot.connection), matching: report.entities)
        guard try snapshot.connection.readReceipt(.copy)?.runIdentifier == runIdentifier else {
            throw GodwitError(
                .copy, .io, "\(name) was committed, but its receipt can't be read back.",
                hint: "No flag was set. Check the volume and run again.")
        }
    }
}
