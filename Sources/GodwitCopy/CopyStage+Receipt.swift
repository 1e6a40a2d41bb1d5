internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

extension CopyStage {
    /// Writes the receipt and replaces an earlier one, also that of a reopened copy.
    func writeReceipt(
        of report: RunReport.Copy, from source: SQLiteConnection, into cloud: SQLiteConnection
    ) throws(GodwitError) {
        try cloud.makeTable(.receipt)
        var before = try cloud.readReceipt(.copy)
        if before == nil { before = try cloud.readReopenedCopy()?.receipt }
        try cloud.execute("DELETE FROM godwit_receipt WHERE stage = 'copy'")
        try cloud.forgetReopenedCopy()
        let entities = supplement?.entities(with: report.entities) ?? report.entities
        let digest = try digest.value(of: source)
        try cloud.write(receipt(for: entities, of: source.name, digest: digest, after: before))
    }

    /// The receipt of a copy: run, time, manifest, and the counts of each entity.
    ///
    /// - Parameters:
    ///   - name: the local store's path inside the container.
    ///   - digest: distinguishes that store from other stores (`keyDigest`).
    ///   - earlier: the receipt that is replaced; its environment is kept.
    func receipt(
        for entities: [RunReport.Copy.Entity], of name: String, digest: String?, after earlier: Receipt?
    ) -> Receipt {
        Receipt(
            stage: .copy, runIdentifier: runIdentifier, completedAt: completion(after: earlier),
            manifestSHA256: manifest.sha256,
            members: [
                ("entities", .array(entities.map(\.receiptItem))), ("local", .string(name)),
                ("digest", digest.map(LegacyValue.string)),
                (
                    "environment",
                    (manifest.environment?.rawValue ?? earlier?.recordedEnvironment).map(LegacyValue.string)
                ),
            ])
    }
}

extension CopyStage {
    /// The time that separates copied from later records; if only new entities are copied, that of the first copy
    /// stays, because later records of the other entities are not copied yet.
    private func completion(after earlier: Receipt?) -> Instant {
        guard let supplement, supplement.since == nil, manifest.sync.enabledKey != nil, let earlier else {
            return context.now
        }
        return earlier.completedAt
    }
}
