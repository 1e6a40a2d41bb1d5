package import GodwitModel
package import GodwitSQLite

/// Godwit's own tables inside a user's store: their names begin with `godwit_`, they are created when first needed, and
/// never copied or exported as entities.
package enum Ledger {
    /// Each table is created by the stage that first writes it, in that stage's transaction.
    package enum Table: String, CaseIterable {
        /// Applied schema files.
        case migration = "godwit_migration"
        /// Completed stages.
        case receipt = "godwit_receipt"
        /// Complete records as JSON: those that dedupe set aside, and cloud records that local ones replaced.
        case removed = "godwit_removed"
        /// Single values that dedupe changed: keys of winners, and references of children.
        case changed = "godwit_changed"
        case run = "godwit_run"

        /// Columns that were added after the table's first version, with their types.
        var laterColumns: [(name: String, type: String)] {
            switch self {
            // `step` is the order of steps in both tables. `rowIdentity` is the identity of the row right after the
            // step, as a JSON array. `rowDigest` is a hash of its columns, if its identity can change. `carriedFrom`
            // names the store of the row, if it is another one.
            case .removed, .changed:
                [
                    ("step", "INTEGER"), ("rowIdentity", "TEXT"), ("rowDigest", "TEXT"), ("carriedFrom", "TEXT"),
                    ("undoneBy", "TEXT"), ("undoneAt", "TEXT"),
                ]
            default: []
            }
        }

        private static let undoColumns = Table.removed.laterColumns.map { "\($0.name) \($0.type)" }
            .joined(separator: ", ")

        var schema: String {
            switch self {
            case .migration:
                """
                CREATE TABLE IF NOT EXISTS godwit_migration(
                  version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, appliedAt TEXT NOT NULL,
                  durationMs INTEGER NOT NULL, godwitVersion TEXT NOT NULL)
                """
            case .receipt:
                """
                CREATE TABLE IF NOT EXISTS godwit_receipt(
                  stage TEXT PRIMARY KEY, runId TEXT NOT NULL, completedAt TEXT NOT NULL, manifestSha256 TEXT NOT NULL,
                  godwitVersion TEXT NOT NULL, detail TEXT NOT NULL) WITHOUT ROWID
                """
            case .removed:
                """
                CREATE TABLE IF NOT EXISTS godwit_removed(
                  id INTEGER PRIMARY KEY, entity TEXT NOT NULL, key, record TEXT NOT NULL, reason TEXT NOT NULL,
                  winnerKey, runId TEXT NOT NULL, removedAt TEXT NOT NULL, \(Self.undoColumns))
                """
            case .changed:
                """
                CREATE TABLE IF NOT EXISTS godwit_changed(
                  id INTEGER PRIMARY KEY, entity TEXT NOT NULL, key, "column" TEXT NOT NULL, oldValue, newValue,
                  reason TEXT NOT NULL, runId TEXT NOT NULL, changedAt TEXT NOT NULL, \(Self.undoColumns))
                """
            case .run:
                """
                CREATE TABLE IF NOT EXISTS godwit_run(
                  id TEXT PRIMARY KEY, command TEXT NOT NULL, startedAt TEXT NOT NULL, durationMs INTEGER NOT NULL,
                  outcome TEXT NOT NULL, summary TEXT NOT NULL, counts TEXT NOT NULL, error TEXT,
                  godwitVersion TEXT NOT NULL)
                """
            }
        }
    }
}

extension SQLiteConnection {
    /// Creates a ledger table if it is missing, and adds the columns that an older Godwit did not have.
    package func makeTable(_ table: Ledger.Table) throws(GodwitError) {
        try execute(table.schema)
        guard !table.laterColumns.isEmpty else { return }
        let present = try columnNames(of: table)
        for column in table.laterColumns where !present.contains(column.name) {
            try execute("ALTER TABLE \(table.rawValue) ADD COLUMN \(column.name) \(column.type)")
        }
    }

    /// The columns of a ledger table in this store; empty if it is missing.
    package func columnNames(of table: Ledger.Table) throws(GodwitError) -> Set<String> {
        Set(try rows("PRAGMA table_xinfo(\(table.rawValue))").map { $0[1].readable })
    }

    /// Whether a store has any ledger table, so that a run has changed it.
    package func hasBooks() throws(GodwitError) -> Bool {
        for table in Ledger.Table.allCases where try has(table) { return true }
        return false
    }

    package func has(_ table: Ledger.Table) throws(GodwitError) -> Bool { try hasTable(table.rawValue) }
}
