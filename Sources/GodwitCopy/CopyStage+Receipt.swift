internal import GodwitJSON
internal import GodwitLedger
package import GodwitModel
internal import GodwitSQLite
internal import FoundationLite

extension CopyStage {
    /// Writes the receipt and replaces an earlier one, also that of a reopened copy.
    func writeReceipt(
        of report: CopyReport, from source: SQLiteConnection, into cloud: SQLiteConnection
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

    /// The receipt of a copy: run, time, manifest, and the counts of each entity as JSON.
    ///
    /// - Parameters:
    ///   - name: the local store's path inside the container.
    ///   - digest: distinguishes that store from other stores (`keyDigest`).
    ///   - earlier: the receipt that is replaced; its environment is kept.
    func receipt(
        for entities: [CopiedEntity], of name: String, digest: String?, after earlier: Receipt?
    ) -> Receipt {
        var detail = JSONBuffer(capacity: 512)
        detail.append("{\"entities\":[")
        for (index, entity) in entities.enumerated() {
            if index > 0 { detail.append(",") }
            detail.append("{\"name\":")
            detail.append(string: entity.name)
            for (label, count) in [
                ("local", entity.local), ("inserted", entity.inserted), ("updated", entity.updated),
                ("equal", entity.equal), ("cloudKept", entity.cloudKept), ("duplicates", entity.duplicates),
                ("sameDate", entity.sameDate),
            ] where label != "sameDate" || count > 0 {
                detail.append(",")
                detail.append(string: label)
                detail.append(":")
                detail.append(digits: count)
            }
            detail.append("}")
        }
        detail.append("],\"local\":")
        detail.append(string: name)
        if let digest {
            detail.append(",\"digest\":")
            detail.append(string: digest)
        }
        if let environment = manifest.environment?.rawValue ?? earlier?.recordedEnvironment {
            detail.append(",\"environment\":")
            detail.append(string: environment)
        }
        detail.append("}")
        return Receipt(
            stage: .copy, runIdentifier: runIdentifier, completedAt: completion(after: earlier),
            manifestSHA256: manifest.sha256,
            detail: String(decoding: detail.bytes, as: UTF8.self))
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

extension Receipt {
    /// The entities in the receipt of a copy; nil if it is unreadable.
    package var copiedEntities: [CopiedEntity]? {
        struct Detail: Decodable {
            struct Entity: Decodable {
                var name: String
                var local, inserted, updated, equal, cloudKept, duplicates: Int64
                var sameDate: Int64?
            }
            var entities: [Entity]
        }
        // A store's content is untrusted, so the size is limited.
        guard stage == .copy, detail.utf8.count < 1 << 22,
            let read = try? JSONDecoder().decode(Detail.self, from: Data(detail.utf8))
        else { return nil }
        return read.entities.map { entity in
            var copied = CopiedEntity(name: entity.name, local: entity.local)
            (copied.inserted, copied.updated, copied.equal) = (entity.inserted, entity.updated, entity.equal)
            (copied.cloudKept, copied.duplicates) = (entity.cloudKept, entity.duplicates)
            copied.sameDate = entity.sameDate ?? 0
            return copied
        }
    }
}
