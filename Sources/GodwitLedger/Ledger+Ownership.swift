package import GodwitModel
package import GodwitSQLite

/// Checks that the ledger tables of a store are Godwit's own.
///
/// An untrusted store may have a view, a virtual table or a table with generated columns named `godwit_receipt`. Godwit
/// does not read or run anything that only has the name.
extension SQLiteConnection {
    /// Throws (65) if something has the name of a ledger table, but not its definition.
    package func requireOwnBooks() throws(GodwitError) {
        let found = try rows(
            "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema WHERE lower(tbl_name) LIKE 'godwit\\_%' "
                + "ESCAPE '\\' OR lower(name) LIKE 'godwit\\_%' ESCAPE '\\'")
        for row in found {
            let (type, name, table) = (row[0].readable, row[1].readable, row[2].readable)
            guard
                let book = Ledger.Table(rawValue: table.lowercased())
                    ?? Ledger.Table(
                        rawValue: name.lowercased())
            else { continue }
            // SQLite's own indexes for primary keys have no SQL text.
            if type == "index", row[3] == .null { continue }
            let isPlain = type == "table" && row[4] != .integer(0) && SQLTokens(row[3].readable).tableCode.isEmpty
            guard isPlain, name == book.rawValue, try hasColumns(of: book) else { throw foreign(book, type) }
        }
    }

    private func hasColumns(of book: Ledger.Table) throws(GodwitError) -> Bool {
        let columns = try rows("PRAGMA table_xinfo(\(quoted(book.rawValue)))")
        guard columns.allSatisfy({ $0[6] == .integer(0) }) else { return false }
        return columns.map { $0[1].readable }.starts(with: book.firstColumns)
    }

    private func foreign(_ book: Ledger.Table, _ type: String) -> GodwitError {
        GodwitError(
            stage, .data,
            "`\(book.rawValue)` in `\(name)` is not the table that Godwit makes, but a \(type) of that name",
            hint: "Restore the store from a backup, or drop the \(type) with the app.")
    }
}

extension Ledger.Table {
    /// The columns of the table's first version; later ones follow them.
    package var firstColumns: [String] {
        switch self {
        case .migration: ["version", "name", "checksum", "appliedAt", "durationMs", "godwitVersion"]
        case .receipt: ["stage", "runId", "completedAt", "manifestSha256", "godwitVersion", "detail"]
        case .removed: ["id", "entity", "key", "record", "reason", "winnerKey", "runId", "removedAt"]
        case .changed: ["id", "entity", "key", "column", "oldValue", "newValue", "reason", "runId", "changedAt"]
        case .run:
            [
                "id", "command", "startedAt", "durationMs", "outcome", "summary", "counts", "error", "godwitVersion",
            ]
        }
    }
}
