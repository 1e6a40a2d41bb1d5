internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// Carries what the source's own books say of losers and of the legacy import into the cloud store: later on that one is
/// active, and the local store may be gone.
///
/// Losers of every run go along that the cloud has not heard of: when a run stops between its dedupe and its copy, the
/// next one copies, and must end where an undisturbed one would have.
struct LedgerTransfer {
    private let cloud: SQLiteConnection
    /// For each table, the earlier runs that the cloud's books knew before this copy wrote anything.
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

    /// Looks at the cloud's books; to be called before anything is written to them.
    ///
    /// - Parameter run: this run. Its dedupe may have written to the cloud's books, and to the source's as well: the
    ///   private copy of a store that is never written is deduped on the way.
    init(_ cloud: SQLiteConnection, in run: String) throws(GodwitError) {
        self.cloud = cloud
        var known: [Ledger.Table: Set<Value>] = [:]
        for (table, _) in Self.tables where try cloud.has(table) {
            known[table] = Set(try cloud.rows("SELECT DISTINCT runId FROM \(table.rawValue)").map { $0[0] })
            known[table]?.remove(.string(run))
        }
        self.known = known
    }

    /// Carries receipt, removed records and changed values, row by row.
    ///
    /// Each row says that it was carried: what it describes never was in the cloud store, so that undoing its run has
    /// nothing to put back there.
    func carry(from source: SQLiteConnection) throws(GodwitError) {
        if try cloud.readReceipt(.legacy) == nil, let receipt = try source.readReceipt(.legacy) {
            try cloud.write(receipt)
        }
        for (table, columns) in Self.tables where try source.has(table) {
            try cloud.makeTable(table)
            // The books of an older Godwit have no word of undoing.
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
