package import GodwitFiles
package import GodwitModel
package import GodwitSQLite

/// Builds a new cloud store under a temporary name, and renames it when it is complete.
extension CopyStage {
    /// Copies a source at the latest schema version into a new cloud store, while a query checks if the source has
    /// duplicates.
    ///
    /// - Returns: nil if it has; then no store was made.
    package func copy(
        from source: ComparedStore, asking question: BackgroundQuery<Bool>, toNewCloud cloudPath: String,
        named cloudName: String, ownedLike model: FileOwnership?
    ) throws(GodwitError) -> RunReport.Copy? {
        do throws(GodwitError) {
            return try create(
                cloudPath, cloudName, from: source, duplicates: [:], asking: question, ownedLike: model)
        } catch {
            guard question.answer == true else { throw error }
            try context.cancellation.check(.copy)
            return nil
        }
    }

    /// - Parameter question: nil if the source is deduped.
    func create(
        _ cloudPath: String, _ cloudName: String, from source: ComparedStore, duplicates: SourceDuplicates,
        asking question: BackgroundQuery<Bool>?, ownedLike model: FileOwnership?
    ) throws(GodwitError) -> RunReport.Copy {
        try context.requireBackup(beforeWriting: cloudPath)
        try PathText.makeDirectories(PathText.directory(of: cloudPath), inside: root)
        let temporary = OwnFiles.temporaryPath(nextTo: cloudPath, identifier: context.makeIdentifier())
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

    /// Throws if the copy is useless, because dedupe has work in its source.
    func requireDistinct(_ question: BackgroundQuery<Bool>, _ source: SQLiteConnection) throws(GodwitError) {
        guard try question.answer(of: source) else { return }
        throw GodwitError(.copy, .bug, "the copy of a source with duplicates was started")
    }
}
