package import GodwitModel

/// Godwit's own tables inside a user's store: all begin with `godwit_`, are made when first needed, and are never
/// copied or exported.
package enum Bookkeeping {
    package static let prefix = "godwit_"

    /// The tables, each made by the stage that first writes it, in that stage's transaction.
    package enum Table: String, CaseIterable {
        /// Applied schema files.
        case migration = "godwit_migration"
        /// Completed stages.
        case receipt = "godwit_receipt"
        /// Records set aside by dedupe, and cloud records that a local one replaced: whole, as JSON.
        case removed = "godwit_removed"
        /// Single values that dedupe changed: keys of winners and references of children.
        case changed = "godwit_changed"
        /// Past runs.
        case run = "godwit_run"

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
                  winnerKey, runId TEXT NOT NULL, removedAt TEXT NOT NULL)
                """
            case .changed:
                """
                CREATE TABLE IF NOT EXISTS godwit_changed(
                  id INTEGER PRIMARY KEY, entity TEXT NOT NULL, key, "column" TEXT NOT NULL, oldValue, newValue,
                  reason TEXT NOT NULL, runId TEXT NOT NULL, changedAt TEXT NOT NULL)
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
    /// Makes a bookkeeping table where it is missing.
    package func makeTable(_ table: Bookkeeping.Table) throws(GodwitError) {
        try execute(table.schema)
    }

    /// Whether a bookkeeping table is there.
    package func has(_ table: Bookkeeping.Table) throws(GodwitError) -> Bool { try hasTable(table.rawValue) }
}
