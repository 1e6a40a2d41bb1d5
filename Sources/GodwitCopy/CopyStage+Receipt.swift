internal import GodwitModel

extension CopyStage {
    /// The receipt of a copy: run, time, manifest, and the counts of each entity as JSON.
    func receipt(for report: CopyReport) -> Receipt {
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
}
