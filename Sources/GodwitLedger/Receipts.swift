package import GodwitModel
package import GodwitSQLite

extension SQLiteConnection {
    /// The receipt of a stage; nil if the stage was not completed in this store.
    package func readReceipt(_ stage: GodwitError.Stage) throws(GodwitError) -> Receipt? {
        try readReceipt(of: stage, named: stage.rawValue)
    }

    /// A receipt of a stage that has another name.
    func readReceipt(of stage: GodwitError.Stage, named name: String) throws(GodwitError) -> Receipt? {
        guard try has(.receipt) else { return nil }
        let rows = try rows(
            "SELECT runId, completedAt, manifestSha256, detail FROM godwit_receipt WHERE stage = ?",
            [.string(name)])
        guard let row = rows.first else { return nil }
        return Receipt(
            stage: stage, runIdentifier: row[0].readable, completedAt: Instant(iso8601: row[1].readable) ?? .epoch,
            manifestSHA256: row[2].readable, detail: row[3].readable)
    }

    /// Writes the receipt of a stage, in the transaction that completes it.
    package func write(_ receipt: Receipt) throws(GodwitError) {
        try makeTable(.receipt)
        try execute(
            "INSERT INTO godwit_receipt VALUES (?, ?, ?, ?, ?, ?)",
            [
                .string(receipt.stage.rawValue), .string(receipt.runIdentifier), .string(receipt.completedAt.iso8601),
                .string(receipt.manifestSHA256), .string(GodwitVersion.current), .string(receipt.detail),
            ])
    }
}
