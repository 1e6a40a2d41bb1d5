internal import GodwitJSON
package import GodwitModel
package import GodwitSQLite

/// Stores what dedupe and merge remove or replace, completely, in the same transaction.
///
/// `godwit_removed` has records, `godwit_changed` single values; both name the run, so that it can be undone.
package struct RemovedRecords {
    private let connection: SQLiteConnection
    private let runIdentifier: String
    private let now: Instant

    /// Creates the tables if they are missing.
    package init(_ connection: SQLiteConnection, runIdentifier: String, now: Instant) throws(GodwitError) {
        (self.connection, self.runIdentifier, self.now) = (connection, runIdentifier, now)
        try connection.makeTable(.removed)
        try connection.makeTable(.changed)
    }

    /// Stores one record: its stored columns as JSON, typed as in exports.
    ///
    /// - Parameter identity: the identity of its row; nil if it will never be restored by identity.
    package func keep(
        entity: String, key: Value, columns: [String], values: [Value], reason: String, winnerKey: Value,
        identity: [Value]? = nil
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
            INSERT INTO godwit_removed(entity, key, record, reason, winnerKey, runId, removedAt, rowIdentity, step)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, \(Self.nextStep))
            """,
            [
                .string(entity), key, .text(json.bytes), .string(reason), winnerKey, .string(runIdentifier),
                .string(now.iso8601), text(of: identity),
            ])
    }

    /// Stores the old value of one column of a record, with the record's key before the change.
    ///
    /// - Parameter identity: the identity of its row after this change.
    @discardableResult
    package func keepChange(
        entity: String, key: Value, column: String, from: Value, to: Value, reason: String, identity: [Value]
    ) throws(GodwitError) -> Value {
        try connection.execute(
            """
            INSERT INTO godwit_changed(
              entity, key, "column", oldValue, newValue, reason, runId, changedAt, rowIdentity, step)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, \(Self.nextStep))
            """,
            [
                .string(entity), key, .string(column), from, to, .string(reason), .string(runIdentifier),
                .string(now.iso8601), text(of: identity),
            ])
        return try connection.first("SELECT last_insert_rowid()") ?? .null
    }

    /// Adds a `RowDigest` to a stored change, of the row after all related changes.
    package func keepDigest(_ digest: String, ofChange number: Value) throws(GodwitError) {
        try connection.execute(
            "UPDATE godwit_changed SET rowDigest = ? WHERE id = ?", [.string(digest), number])
    }

    /// Larger than all earlier steps: rows are never removed from the two tables, so each row increases one of the
    /// maximum ids.
    private static let nextStep = """
        (SELECT coalesce(max(id), 0) FROM godwit_removed) + (SELECT coalesce(max(id), 0) FROM godwit_changed) + 1
        """

    private func text(of identity: [Value]?) -> Value { identity.map { .text(TypedJSON.array(of: $0)) } ?? .null }
}
