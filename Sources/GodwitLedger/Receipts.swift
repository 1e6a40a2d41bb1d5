package import GodwitModel
package import GodwitSQLite
internal import FoundationLite

extension SQLiteConnection {
    /// The receipt of a stage; nil if the stage was not completed in this store.
    package func readReceipt(_ stage: Stage) throws(GodwitError) -> Receipt? {
        try readReceipt(of: stage, named: stage.rawValue)
    }

    /// A receipt of a stage that has another name.
    func readReceipt(of stage: Stage, named name: String) throws(GodwitError) -> Receipt? {
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

extension Receipt {
    /// The CloudKit environment in a receipt; nil if it has none or is unreadable; those of an older Godwit have none.
    package var recordedEnvironment: String? {
        struct Detail: Decodable {
            var environment: String?
        }
        // A store's content is untrusted, so the size is limited.
        guard detail.utf8.count < 1 << 22 else { return nil }
        return (try? JSONDecoder().decode(Detail.self, from: Data(detail.utf8)))?.environment
    }

    /// Path of the local store that was copied, inside its container; nil if the receipt has none.
    package var copiedStore: String? { source?.local }

    /// Distinguishes that store from other stores (`keyDigest`); nil if the receipt has none.
    package var copiedDigest: String? { source?.digest }

    private struct Source: Decodable {
        var local: String?
        var digest: String?
    }

    private var source: Source? {
        guard stage == .copy, detail.utf8.count < 1 << 22 else { return nil }
        return try? JSONDecoder().decode(Source.self, from: Data(detail.utf8))
    }

    /// The SHA-256 of each file that a legacy import read, in hexadecimal; nil if the receipt has none.
    package var importedFiles: Set<String>? {
        struct Detail: Decodable {
            struct Source: Decodable {
                var sha256: String?
            }
            var sources: [Source]
        }
        guard stage == .legacy, detail.utf8.count < 1 << 22,
            let sources = try? JSONDecoder().decode(Detail.self, from: Data(detail.utf8)).sources
        else { return nil }
        return Set(sources.compactMap(\.sha256))
    }
}
