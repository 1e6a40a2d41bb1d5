package import GodwitModel

/// The last numbers that AUTOINCREMENT gave: <https://sqlite.org/autoinc.html>.
extension SQLiteConnection {
    /// Raises the last number of each table to that of another store, so that a new record never gets the number of one
    /// that was deleted there.
    package func raiseSequences(to source: SQLiteConnection) throws(GodwitError) {
        guard try source.hasTable("sqlite_sequence"), try hasTable("sqlite_sequence") else { return }
        let counting = try rows("SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0").filter
        {
            SQLTokens($0[1].readable).words.contains("autoincrement")
        }
        for table in counting.map(\.[0]) {
            let highest =
                "SELECT max(seq) FROM sqlite_sequence WHERE name = ? COLLATE NOCASE AND typeof(seq) = 'integer'"
            guard case .integer(let wanted)? = try source.first(highest, [table]), wanted > 0 else { continue }
            let present = try first("SELECT max(seq) FROM main.sqlite_sequence WHERE name = ?", [table])
            switch present {
            case .integer(let number)? where number >= wanted: continue
            case .integer?:
                try execute("UPDATE main.sqlite_sequence SET seq = ? WHERE name = ?", [.integer(wanted), table])
            default:
                try execute("INSERT INTO main.sqlite_sequence(name, seq) VALUES (?, ?)", [table, .integer(wanted)])
            }
        }
    }
}
