internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// Copies the source's ledger of removed records and of the legacy import to the cloud store, which becomes the active
/// store.
///
/// Includes removed records of every run that the cloud's ledger does not know: if a run stops between its dedupe and
/// its copy, the next run copies, and must have the same result as one complete run.
struct LedgerTransfer {
    private let cloud: SQLiteConnection
    /// For each table, the earlier runs in the cloud's ledger before this copy.
    private let known: [Ledger.Table: Set<Value>]

    private static let tables: [(table: Ledger.Table, columns: [String])] = [
        (.removed, ["runId", "entity", "key", "record", "reason", "winnerKey", "removedAt", "undoneBy", "undoneAt"]),
        (
            .changed,
            [
                "runId", "entity", "key", "\"column\"", "oldValue", "newValue", "reason", "changedAt", "undoneBy",
                "undoneAt",
            ]
        ),
    ]

    /// Reads the cloud's ledger; call it before anything is written there.
    ///
    /// - Parameter run: this run. Its dedupe may have written to the cloud's ledger and to the source's, because the
    ///   source may be a deduped private copy of the local store.
    init(_ cloud: SQLiteConnection, in run: String) throws(GodwitError) {
        self.cloud = cloud
        var known: [Ledger.Table: Set<Value>] = [:]
        for (table, _) in Self.tables where try cloud.has(table) {
            known[table] = Set(try cloud.rows("SELECT DISTINCT runId FROM \(table.rawValue)").map { $0[0] })
            known[table]?.remove(.string(run))
        }
        self.known = known
    }

    /// Copies receipt, removed records and changed values, row by row.
    ///
    /// Each row is marked as copied: its record never was in the cloud store, so undoing its run restores nothing
    /// there.
    func carry(from source: SQLiteConnection) throws(GodwitError) {
        if try cloud.readReceipt(.legacy) == nil, let receipt = try source.readReceipt(.legacy) {
            try cloud.write(receipt)
        }
        for (table, columns) in Self.tables where try source.has(table) {
            try cloud.makeTable(table)
            // The ledger of an older Godwit has no columns for undo.
            let present = try source.columnNames(of: table)
            let wanted = columns.map { present.contains($0) || !$0.hasPrefix("undone") ? $0 : "NULL" }
            let rows = try source.prepare(
                "SELECT \(wanted.joined(separator: ", ")) FROM \(table.rawValue) ORDER BY id")
            let places = Array(repeating: "?", count: rows.columnCount).joined(separator: ", ")
            let insertion = try cloud.prepare(
                """
                INSERT INTO \(table.rawValue)(\(columns.joined(separator: ", ")), carriedFrom)
                VALUES (\(places), '\(StoreRole.local.rawValue)')
                """)
            while try rows.step() {
                if known[table]?.contains(rows.value(0)) == true { continue }
                for index in 0..<rows.columnCount { try insertion.bind(column: index, of: rows, at: index + 1) }
                try insertion.run()
            }
        }
    }
}
