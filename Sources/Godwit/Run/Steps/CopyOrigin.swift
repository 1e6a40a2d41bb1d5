internal import GodwitLedger
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite

/// Whose copy a receipt is of: of this device and its local store, or of another one.
struct CopyOrigin: RunStep {
    let stores: StoreOpener

    /// Whether a receipt of a copy without its flag is that of another device.
    ///
    /// A run leaves traces in the local store before it copies: the schema history, the receipt of the import, past
    /// runs. Of a local store without any, or whose first one is later than the copy, another device's records were
    /// copied. Only messages depend on it: a run copies what is missing, and sets the flag, also if another device
    /// wrote the receipt.
    ///
    /// - Parameter imported: the receipt of a legacy import that the cloud store has.
    func isOfAnotherDevice(
        _ copied: Receipt, _ imported: Receipt?, hasLocal: Bool
    ) throws(GodwitError) -> Bool {
        guard hasLocal, !isCoreData else {
            // A store that is never written, or does not exist, has no traces.
            if let imported { return try !hasPreferences(of: imported) }
            return hasLocal ? try !hasCounts(of: copied) : true
        }
        let local = try scope.original(.local, .container).connection
        if try local.has(run: copied.runIdentifier) { return false }
        guard let first = try local.readFirstTrace(), first <= copied.completedAt else { return true }
        guard let own = try local.readReceipt(.legacy), own.runIdentifier != copied.runIdentifier, let imported else {
            return false
        }
        // The copy carries the receipt of the import along, unless the cloud store had one.
        return own.runIdentifier != imported.runIdentifier
    }

    /// Whether the history of this container says that the run of a copy was done: it set the flag right after.
    ///
    /// `copy` records its runs in the cloud store, other commands theirs in the local store if that is written at all.
    func isRecordedAsDone(_ copied: Receipt, hasLocal: Bool) throws(GodwitError) -> Bool {
        if try stores.snapshot(.cloud, .container).connection.has(doneRun: copied.runIdentifier) { return true }
        guard hasLocal, !isCoreData else { return false }
        return try scope.original(.local, .container).connection.has(doneRun: copied.runIdentifier)
    }

    /// Whether an import read one of the preferences files as they are here.
    private func hasPreferences(of imported: Receipt) throws(GodwitError) -> Bool {
        guard let files = imported.importedFiles else { return false }
        do throws(GodwitError) {
            return try scope.readPreferences().contains { $0.file.map { files.contains($0.sha256) } ?? false }
        } catch  where error.code == .data {
            return false
        }
    }

    /// Whether the local store has as many records of each entity as were copied.
    private func hasCounts(of copied: Receipt) throws(GodwitError) -> Bool {
        guard let entities = copied.copiedEntities else { return false }
        let local = try stores.snapshot(.local, .container).connection
        let shape = try local.readShape()
        for entity in entities where shape.table(named: entity.name) != nil {
            if try local.countRecords(of: entity.name) != entity.local { return false }
        }
        return true
    }
}

extension SQLiteConnection {
    /// Whether a store's history has a run.
    fileprivate func has(run identifier: String) throws(GodwitError) -> Bool {
        guard try has(.run) else { return false }
        return try !rows("SELECT 1 FROM godwit_run NOT INDEXED WHERE id = ?", [.string(identifier)]).isEmpty
    }

    /// Whether it has one that did not fail.
    fileprivate func has(doneRun identifier: String) throws(GodwitError) -> Bool {
        guard try has(.run) else { return false }
        return try !rows(
            "SELECT 1 FROM godwit_run NOT INDEXED WHERE id = ? AND outcome <> 'failed'", [.string(identifier)]
        ).isEmpty
    }

    /// When a schema file was first applied to a store, or legacy values imported into it; nil if neither was done.
    fileprivate func readFirstTrace() throws(GodwitError) -> Instant? {
        var traces: [Instant] = []
        if try has(.migration) {
            let dates = try rows("SELECT appliedAt FROM godwit_migration ORDER BY version LIMIT 1")
            traces += dates.compactMap { Instant(iso8601: $0[0].readable) }
        }
        if let imported = try readReceipt(.legacy) { traces.append(imported.completedAt) }
        return traces.min()
    }
}
