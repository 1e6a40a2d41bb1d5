internal import GodwitFiles
internal import GodwitJSON
package import GodwitModel
package import GodwitSQLite

/// A short hash of a row's stored columns: it shows if a row is still the row in the ledger when SQLite may have given
/// its rowid to another.
package enum RowDigest {
    /// 16 hexadecimal digits; nil if no row has that identity.
    package static func of(
        _ identity: [Value], in table: TableShape, identifiedBy columns: [String], _ connection: SQLiteConnection
    ) throws(GodwitError) -> String? {
        let stored = table.storedColumns.map { quoted($0.name) }.joined(separator: ", ")
        let condition = columns.map { "\($0) IS ? COLLATE BINARY" }.joined(separator: " AND ")
        let found = try connection.rows(
            "SELECT \(stored) FROM \(connection.source(table.name)) WHERE \(condition)", identity)
        guard let row = found.first else { return nil }
        var json = JSONBuffer(capacity: 256)
        for value in row {
            json.append(value)
            json.append("\n")
        }
        return String(sha256Hex(json.bytes).prefix(16))
    }
}
