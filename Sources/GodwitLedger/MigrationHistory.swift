package import GodwitModel
package import GodwitSQLite

package struct MigrationRecord: Sendable, Equatable {
    package let version: Int
    package let name: String
    package let checksum: String

    package init(version: Int, name: String, checksum: String) {
        (self.version, self.name, self.checksum) = (version, name, checksum)
    }
}

extension SQLiteConnection {
    /// The applied migrations in order; nil if the store has no history.
    package func readHistory() throws(GodwitError) -> [MigrationRecord]? {
        guard try has(.migration) else { return nil }
        // The limit protects memory from an untrusted store; no app has as many migrations.
        let sql = "SELECT version, name, checksum FROM godwit_migration ORDER BY version LIMIT 100000"
        return try rows(sql).map { row in
            MigrationRecord(version: Int(row[0].readable) ?? 0, name: row[1].readable, checksum: row[2].readable)
        }
    }

    package func record(
        _ migration: MigrationRecord, at now: Instant, durationMilliseconds: Int64
    ) throws(GodwitError) {
        try makeTable(.migration)
        try execute(
            "INSERT INTO godwit_migration VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(Int64(migration.version)), .string(migration.name), .string(migration.checksum),
                .string(now.iso8601), .integer(durationMilliseconds), .string(GodwitVersion.current),
            ])
    }
}
