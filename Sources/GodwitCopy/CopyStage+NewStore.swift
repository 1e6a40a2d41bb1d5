package import GodwitFiles
package import GodwitModel
package import GodwitSQLite

/// Builds a new cloud store under a temporary name, and renames it when it is complete.
extension CopyStage {
    /// Facts about a source that are found while a new store is filled from it.
    package struct SourceFindings: Sendable {
        /// Whether dedupe has work in the source; then the new store is useless.
        let hasDuplicates: Bool
        /// False if a cheap query showed that there are no orphans.
        let mayHaveOrphans: Bool

        package init(hasDuplicates: Bool, mayHaveOrphans: Bool) {
            (self.hasDuplicates, self.mayHaveOrphans) = (hasDuplicates, mayHaveOrphans)
        }
    }

    /// Copies a source at the latest schema version into a new cloud store, while a query checks if the source has
    /// duplicates.
    ///
    /// - Returns: nil if it has; then no store was made.
    package func copy(
        from source: ComparedStore, asking question: BackgroundQuery<SourceFindings>, toNewCloud cloudPath: String,
        named cloudName: String, ownedLike model: FileOwnership?
    ) throws(GodwitError) -> RunReport.Copy? {
        do throws(GodwitError) {
            return try create(
                cloudPath, cloudName, from: source, duplicates: [:], asking: question, ownedLike: model)
        } catch {
            guard question.answer?.hasDuplicates == true else { throw error }
            try context.cancellation.check(.copy)
            return nil
        }
    }

    /// - Parameter question: nil if the source is deduped.
    func create(
        _ cloudPath: String, _ cloudName: String, from source: ComparedStore, duplicates: SourceDuplicates,
        asking question: BackgroundQuery<SourceFindings>?, ownedLike model: FileOwnership?
    ) throws(GodwitError) -> RunReport.Copy {
        try context.requireBackup(beforeWriting: cloudPath)
        try PathText.makeDirectories(PathText.directory(of: cloudPath), inside: root)
        let temporary = OwnFiles.temporaryPath(beside: cloudPath, identifier: context.makeIdentifier())
        do throws(GodwitError) {
            // No other process sees commits under the temporary name. So the source's check, which may need what is
            // read of the source below, is awaited later.
            let writer = try StoreWriter(
                creatingTemporary: temporary, name: cloudName, stage: .copy, context: context.unwatched,
                ownedLike: model)
            let flush = EarlyFlush(of: temporary)
            defer { flush.end() }
            var filling = self
            filling.context = context.with { _ in flush.noteGrowth() }
            var (unresolved, translated): (UnresolvedReferences?, SQLiteConnection?)
            let report = try filling.fill(
                writer, from: source, duplicates: duplicates, created: true, asking: question,
                unresolved: &unresolved, translated: &translated)
            try writer.close(.copy)
            try context.faultPoint(.afterCopyCommit)
            try proveAgain(temporary, cloudName, source, report, isShared: false)
            try context.watched?.requireSound()
            try context.faultPoint(.beforeRenameIntoPlace)
            try AtomicFile.putStoreInPlace(temporary, at: cloudPath, name: cloudName, stage: .copy)
            return report
        } catch {
            OwnFiles.removeTemporary(temporary)
            throw error
        }
    }

    /// Whether the facts about the source prove that the new store has no orphans.
    ///
    /// It has the source's records, and if its columns have the same types, equal values stay equal. Throws if the copy
    /// is useless.
    func showsNoOrphans(
        _ question: BackgroundQuery<SourceFindings>, of source: SQLiteConnection, in cloud: SQLiteConnection
    ) throws(GodwitError) -> Bool {
        let findings = try question.answer(of: source)
        guard !findings.hasDuplicates else {
            throw GodwitError(.copy, .bug, "the copy of a source with duplicates was started")
        }
        guard !findings.mayHaveOrphans else { return false }
        let (local, made) = (try source.readShape(), try cloud.readShape())
        return manifest.entities.allSatisfy { entity in
            local.table(named: entity.name)?.columns == made.table(named: entity.name)?.columns
        }
    }
}
