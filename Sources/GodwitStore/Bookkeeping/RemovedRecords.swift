package import GodwitModel

/// Keeps what dedupe and merge take out of sight, whole, in the transaction that does so.
///
/// `godwit_removed` holds records, `godwit_changed` single values; both name the run, so that it can be undone.
package struct RemovedRecords {
    private let connection: SQLiteConnection
    private let runIdentifier: String
    private let now: Instant

    /// Makes the tables where they are missing.
    package init(_ connection: SQLiteConnection, runIdentifier: String, now: Instant) throws(GodwitError) {
        self.connection = connection
        self.runIdentifier = runIdentifier
        self.now = now
        try connection.makeTable(.removed)
        try connection.makeTable(.changed)
    }

    /// Keeps one record: its stored columns as JSON, typed as exports write them.
    package func keep(
        entity: String, key: Value, columns: [String], values: [Value], reason: String, winnerKey: Value
    ) throws(GodwitError) {
        var json = JSONBuffer(capacity: 256)
        json.append("{")
        for (index, name) in columns.enumerated() {
            if index > 0 { json.append(",") }
            json.append(string: name)
            json.append(":")
            json.append(values[index])
        }
        json.append("}")
        try connection.execute(
            """
            INSERT INTO godwit_removed(entity, key, record, reason, winnerKey, runId, removedAt)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .string(entity), key, .text(json.bytes), .string(reason), winnerKey, .string(runIdentifier),
                .string(now.iso8601),
            ])
    }

    /// Keeps the old value of one column of one record, which the key names as it was before.
    package func keepChange(
        entity: String, key: Value, column: String, from: Value, to: Value, reason: String
    ) throws(GodwitError) {
        try connection.execute(
            """
            INSERT INTO godwit_changed(entity, key, "column", oldValue, newValue, reason, runId, changedAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .string(entity), key, .string(column), from, to, .string(reason), .string(runIdentifier),
                .string(now.iso8601),
            ])
    }
}
