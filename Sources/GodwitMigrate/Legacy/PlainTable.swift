internal import GodwitModel
internal import GodwitStore

/// What SQLite makes of values by the affinity of their columns, and by nothing else.
///
/// The values go through a table in memory without a constraint, trigger or default, so that SQLite's own arithmetic
/// decides and not a copy of it: <https://sqlite.org/datatype3.html#type_affinity>.
enum PlainTable {
    /// The rows as columns of these affinities store them, in the same order.
    static func stored(_ rows: [[Value]], in columns: [ColumnAffinity]) throws(GodwitError) -> [[Value]] {
        let store = try MemoryStore(stage: .legacy)
        let names = columns.indices.map { "c\($0)" }
        let declarations = zip(names, columns).map { "\($0) \($1.typeName)" }.joined(separator: ", ")
        try store.connection.execute("CREATE TABLE plain(\(declarations))")
        let places = names.map { _ in "?" }.joined(separator: ", ")
        let insertion = try store.connection.prepare("INSERT INTO plain VALUES (\(places))")
        for row in rows {
            try insertion.bind(row)
            try insertion.run()
        }
        return try store.connection.rows("SELECT \(names.joined(separator: ", ")) FROM plain ORDER BY rowid")
    }
}
