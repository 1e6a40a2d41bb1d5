internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// Finds out if the local store is the copied store: a corrected `local:` names another store, whose records a complete
/// copy would leave behind.
extension CopyOrigin {
    /// Whether a receipt is of a copy of another store: its name and its content differ from those of the local store.
    ///
    /// False for a receipt that does not say, as those of older versions.
    func isOfOtherStore(_ receipt: Receipt) throws(GodwitError) -> Bool {
        guard let name = receipt.copiedStore, !name.utf8.elementsEqual(files.local.name.utf8),
            let digest = receipt.copiedDigest
        else { return false }
        let copied = receipt.copiedEntities
        let entities = manifest.entities.filter { entity in
            copied?.contains { $0.name.utf8.elementsEqual(entity.name.utf8) } ?? true
        }
        guard let own = try stores.snapshot(.local, .copy).connection.keyDigest(of: entities) else { return false }
        return own != digest
    }

    /// Throws (65) if the copy is done, was made of another store, and the cloud store lacks records of this one.
    func requireCopiedStore(_ survey: ContainerSurvey) throws(GodwitError) {
        guard survey.isFlagSet, survey.hasLocal, survey.hasCloud, !survey.isCopyOfAnother,
            let receipt = survey.copyReceipt, let name = receipt.copiedStore
        else { return }
        guard !name.utf8.elementsEqual(files.local.name.utf8) else { return }
        guard try isOfOtherStore(receipt) else { return }
        let local = try stores.snapshot(.local, .copy)
        let cloud = try stores.snapshot(.cloud, .copy)
        guard let entity = try firstEntityMissing(in: cloud.connection, of: local.connection) else { return }
        throw GodwitError(
            .copy, .data,
            "the copy was made from `\(name)`, and `\(files.cloud.name)` lacks records of `\(entity)`, or "
                + "later changes, that `\(files.local.name)` has",
            hint: "Make the copy pending again to copy them too: \(scope.commandLine("reopen"))")
    }

    /// The first entity of which one store has a key, or a later date of a record, that the other one has not.
    private func firstEntityMissing(
        in cloud: SQLiteConnection, of local: SQLiteConnection
    ) throws(GodwitError) -> String? {
        let (own, other) = (try local.readShape(), try cloud.readShape())
        for entity in manifest.entities {
            guard own.table(named: entity.name)?.column(named: entity.key) != nil else { continue }
            guard other.table(named: entity.name)?.column(named: entity.key) != nil else {
                if try local.countRecords(of: entity.name) > 0 { return entity.name }
                continue
            }
            let key = quoted(entity.key)
            // For each local record.
            try cloud.useSoundIndexes(of: [entity.name])
            let dates = entity.modified.flatMap { modified in
                [own, other].allSatisfy { $0.table(named: entity.name)?.column(named: modified.column) != nil }
                    ? modified : nil
            }
            let date = dates.map { quoted($0.column) } ?? "NULL"
            let keys = try local.prepare(
                "SELECT \(key), \(date) FROM \(local.source(entity.name)) WHERE \(key) IS NOT NULL")
            let found = try cloud.prepare(
                "SELECT \(date) FROM \(cloud.source(entity.name)) WHERE \(key) = ? COLLATE BINARY LIMIT 1")
            while try keys.step() {
                try context.cancellation.check(.copy)
                found.reset()
                try found.bind(column: 0, of: keys, at: 1)
                guard try found.step() else { return entity.name }
                if let mine = keys.date(1, as: dates?.encoding), let theirs = found.date(0, as: dates?.encoding),
                    mine > theirs
                {
                    return entity.name
                }
            }
        }
        return nil
    }
}
