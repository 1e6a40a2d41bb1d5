package import GodwitModel

extension SQLiteConnection {
    /// Throws (65) if Core Data mirrors the store to CloudKit, as its `ANSCK…` tables show.
    ///
    /// The mirroring keeps its own list of what it has sent; rows that others write never reach CloudKit.
    package func refuseMirrored() throws(GodwitError) {
        let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 5) = 'ANSCK' LIMIT 1"
        guard try first(sql) != nil else { return }
        throw GodwitError(
            stage, .data, "CloudKit mirrors `\(name)`: records that another program writes into it are lost",
            hint: "Import through the app, or name another store in the manifest.")
    }
}
