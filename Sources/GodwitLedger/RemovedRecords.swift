internal import GodwitJSON
package import GodwitModel
package import GodwitSQLite

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
    ///
    /// - Parameter identity: what told its row from all others; nil where it is never to be put back by that.
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

    /// Keeps the old value of one column of one record, which the key names as it was before.
    ///
    /// - Parameters:
    ///   - identity: what tells its row from all others after this change.
    /// - Returns: the number of the row in the books.
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

    /// Adds a `RowDigest` to a kept change: of the row as all changes that belong together have left it.
    package func keepDigest(_ digest: String, ofChange number: Value) throws(GodwitError) {
        try connection.execute(
            "UPDATE godwit_changed SET rowDigest = ? WHERE id = ?", [.string(digest), number])
    }

    /// Larger than all steps before: rows never leave the two tables, so that with each one a greatest id grows.
    private static let nextStep = """
        (SELECT coalesce(max(id), 0) FROM godwit_removed) + (SELECT coalesce(max(id), 0) FROM godwit_changed) + 1
        """

    private func text(of identity: [Value]?) -> Value { identity.map { .text(TypedJSON.array(of: $0)) } ?? .null }
}
