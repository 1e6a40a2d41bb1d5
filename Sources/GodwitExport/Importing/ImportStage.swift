internal import GodwitFiles
package import GodwitModel
package import GodwitSQLite

/// Restores an export into a new store: records at the document's schema version, then a proof, then later schema
/// files.
///
/// Invariant: the store gets its name only after an export of it has given the same document. Until then it is a
/// temporary file, which is removed after any failure.
package struct ImportStage: Sendable {
    private let context: RunContext
    private let neighbours: Dependencies

    /// Functions of other stages, passed in because stages do not import each other.
    package struct Dependencies: Sendable {
        package let latestVersion: Int
        /// The newest export version that the manifest knows.
        package let schemaVersion: Int
        package let entities: [String]
        /// The CloudKit environment in the manifest; nil if it has none.
        package let environment: Manifest.Environment?
        package let buildSchema: @Sendable (SQLiteConnection, _ version: Int) throws(GodwitError) -> Void
        /// Applies the later schema files.
        package let bringSchemaUpToDate: @Sendable (StoreWriter) throws(GodwitError) -> RunReport.Schema
        /// Records the run in the store's ledger.
        package let record: @Sendable (SQLiteConnection, [String: Int64]) throws(GodwitError) -> Void

        package init(
            latestVersion: Int, schemaVersion: Int, entities: [String], environment: Manifest.Environment? = nil,
            buildSchema: @escaping @Sendable (SQLiteConnection, _ version: Int) throws(GodwitError) -> Void,
            bringSchemaUpToDate: @escaping @Sendable (StoreWriter) throws(GodwitError) -> RunReport.Schema,
            record: @escaping @Sendable (SQLiteConnection, [String: Int64]) throws(GodwitError) -> Void
        ) {
            (self.latestVersion, self.schemaVersion, self.entities) = (latestVersion, schemaVersion, entities)
            (self.environment, self.buildSchema) = (environment, buildSchema)
            (self.bringSchemaUpToDate, self.record) = (bringSchemaUpToDate, record)
        }
    }

    package struct Restored: Sendable {
        package let summary: DocumentSummary
        /// The increment, if one was restored.
        package let increment: DocumentSummary?
        /// Number of records by entity.
        package let counts: [String: Int64]
        /// Hash of the `entities` array in an export of the store.
        package let sha256: String
        package let schema: RunReport.Schema
        /// Number of orphans, which existed in the exported store too.
        package let danglingReferences: Int
        /// Triggers that did not run for restored records, because the document contains their effects.
        package let heldBack: [String]
        package let entities: [DocumentEntity]
        /// Differences between the tables and the document's descriptions.
        package let differences: ColumnDifferences
        package let bytes: Int64
    }

    package init(context: RunContext, neighbours: Dependencies) {
        (self.context, self.neighbours) = (context, neighbours)
    }

    /// Restores a document into a new file.
    ///
    /// - Parameters:
    ///   - increment: path of an increment of that document, which is read twice; nil for none.
    ///   - target: the new store; its folder must exist.
    package func restore(
        _ input: ExportInput, increment: String? = nil, to target: String, name: String
    ) throws(GodwitError) -> Restored {
        let temporary = OwnFiles.temporaryPath(
            nextTo: target, identifier: context.makeIdentifier(), prefix: OwnFiles.restorationPrefix)
        do throws(GodwitError) {
            let restored = try build(input, increment, at: temporary, name: name)
            try context.faultPoint(.beforeImportRename)
            try Self.requireAbsent(target)
            try AtomicFile.rename(temporary, to: target, replacing: false, stage: .import)
            try AtomicFile.flushDirectory(of: target)
            return restored
        } catch {
            OwnFiles.removeTemporary(temporary)
            var failure = error
            // Users know the target, not the temporary name.
            failure.message = error.message.split(separator: temporary, omittingEmptySubsequences: false)
                .joined(separator: target)
            throw failure
        }
    }

    /// Throws (73) if the target exists, or a `-wal` file or journal that SQLite would use for it.
    package static func requireAbsent(_ target: String) throws(GodwitError) {
        for suffix in ["", "-wal", "-journal", "-shm"] where try FileStatus.ofLink(target + suffix) != nil {
            throw GodwitError(
                .import, .cannotCreate, "`\(target)\(suffix)` already exists",
                hint: "Choose another name, or move it away: an import replaces nothing.")
        }
        for suffix in ["-wal", "-journal", "-shm"] where target.hasSuffix(suffix) {
            let store = String(target.dropLast(suffix.count))
            guard try FileStatus.ofLink(store) != nil else { continue }
            throw GodwitError(
                .import, .cannotCreate,
                "`\(target)` is the name of the \(suffix.dropFirst()) of \(store), so SQLite would "
                    + "read the new store as that file",
                hint: "Choose another name.")
        }
    }

    private func build(
        _ input: ExportInput, _ increment: String?, at path: String, name: String
    ) throws(GodwitError) -> Restored {
        let writer = try StoreWriter(creatingTemporary: path, name: name, stage: .import, context: context)
        let filled = try writer.transaction(.import) { store throws(GodwitError) in
            var filled = try fill(store, from: input)
            if let increment { try change(store, &filled, by: increment) }
            try filled.heldBack?.putBack(into: store)
            try context.faultPoint(.beforeImportCommit)
            return filled
        }
        try context.faultPoint(.afterImportCommit)
        try RestorationProof(context: context).require(filled, at: path, name: name)
        var schema = try neighbours.bringSchemaUpToDate(writer)
        (schema.fromVersion, schema.created) = (filled.version, true)
        try writer.transaction(.import) { store throws(GodwitError) in
            try neighbours.record(store, filled.counts)
        }
        try writer.close(.import)
        // Verify the complete file, as later readers will see it.
        _ = try StoreSnapshot(of: path, name: name, stage: .import, context: context)
        return Restored(
            summary: filled.summary, increment: filled.increment, counts: filled.counts, sha256: filled.sha256,
            schema: schema, danglingReferences: filled.danglingReferences, heldBack: filled.heldBack?.names ?? [],
            entities: filled.entities, differences: filled.differences, bytes: try FileStatus.of(path)?.size ?? 0)
    }

    /// A store with all records of the document, in an open transaction.
    struct Filled {
        let summary: DocumentSummary
        let entities: [DocumentEntity]
        let differences: ColumnDifferences
        let version: Int
        var danglingReferences: Int
        let heldBack: HeldBackTriggers?
        /// The increment, if one was applied.
        var increment: DocumentSummary?
        var counts: [String: Int64]

        /// The hash that an export of the store must have.
        var sha256: String { increment?.header.contentVersion ?? summary.sha256 }
    }

    private func fill(_ store: SQLiteConnection, from input: ExportInput) throws(GodwitError) -> Filled {
        // Orphans of the exported store are orphans here too.
        try store.withForeignKeysUnchecked { () throws(GodwitError) in
            var restorer = RecordRestorer(store, rules: neighbours, context: context)
            let reader = ExportReader(cancellation: context.cancellation)
            let summary = try reader.read(input, into: &restorer)
            try restorer.indexes?.putBack(into: store)
            try store.write(summary.header.marks)
            return Filled(
                summary: summary, entities: restorer.entities, differences: restorer.differences,
                version: restorer.version, danglingReferences: (try? store.countDanglingReferences()) ?? 0,
                heldBack: restorer.heldBack, counts: summary.counts)
        }
    }

    /// Applies an increment to the restored records.
    private func change(
        _ store: SQLiteConnection, _ filled: inout Filled, by increment: String
    ) throws(GodwitError) {
        let reader = ExportReader(cancellation: context.cancellation)
        let base = filled
        let (first, second) = try store.withForeignKeysUnchecked { () throws(GodwitError) in
            var remover = try IncrementRemover(store, base: base, context: context)
            let first = try reader.read(ExportInput(path: increment, stage: .import), into: &remover)
            var restorer = RecordRestorer(store, rules: neighbours, onto: base, context: context)
            return (first, try reader.read(ExportInput(path: increment, stage: .import), into: &restorer))
        }
        guard first == second, second.header.contentVersion != nil else {
            throw GodwitError(
                .import, .data, "the increment was changed while it was read, or does not state its result",
                hint: "Copy it to a folder that no other process writes to, then run the same command again.")
        }
        try store.write(second.header.marks)
        filled.increment = second
        for entity in base.entities { filled.counts[entity.name] = try store.countRecords(of: entity.name) }
        filled.danglingReferences = (try? store.countDanglingReferences()) ?? 0
    }
}

extension ImportStage.Dependencies {
    /// The schema version at which to restore a document; 65 with both numbers if it is newer than any known one.
    ///
    /// A store without migration history is exported at the latest version, or fits no version: `godwit export` updates
    /// all others on a private copy.
    func version(for header: DocumentHeader, name: String) throws(GodwitError) -> Int {
        guard Manifest.Environment.mayMeet(header.environment, environment) else {
            throw GodwitError(
                .import, .data,
                "the export is from \(header.environment.named), but the manifest is for "
                    + "\(environment.named)",
                hint:
                    "Use the manifest of that CloudKit environment: Godwit never merges data of two "
                    + "environments.")
        }
        guard header.schemaVersion <= schemaVersion else {
            throw GodwitError(
                .import, .data,
                "the export has schemaVersion \(header.schemaVersion), but the manifest has \(schemaVersion)",
                hint: "Use the manifest of the app version that exported it, or a later one.")
        }
        guard let version = header.schemaMigration else { return latestVersion }
        guard version <= latestVersion else {
            throw GodwitError(
                .import, .data,
                "the export is at schema version \(version), newer than the latest schema file "
                    + "(\(latestVersion))",
                hint: "Use the schema files of the app version that exported it, or a later one.")
        }
        guard version > 0 else {
            throw GodwitError(
                .import, .data, "the export is at schema version 0, which has no tables",
                hint: "Take another export: this one was edited or damaged.")
        }
        return version
    }
}
