internal import GodwitModel
internal import GodwitSQLite

/// The orphans that a cloud store held before the copy, so that those the copy brings can be told from them.
///
/// Numbers alone would not do: a copy may bring one orphan its parent and another orphan along, and be found to have
/// changed nothing. The notes lie in a temporary table, which goes with the connection.
struct EarlierOrphans {
    private let search: OrphanSearch
    private let cloud: SQLiteConnection
    private static let notes = "temp.godwit_orphan"

    /// Notes the orphans there are; in a new store there are none.
    init(_ search: OrphanSearch, in cloud: SQLiteConnection, created: Bool) throws(GodwitError) {
        self.search = search
        self.cloud = cloud
        try cloud.execute("CREATE TABLE IF NOT EXISTS \(Self.notes)(reference TEXT, key, target)")
        try cloud.execute("CREATE INDEX IF NOT EXISTS temp.godwit_orphan_key ON godwit_orphan(reference, key)")
        guard !created else { return }
        for column in try search.columns(in: cloud) where try column.mayHaveOrphans(in: cloud) {
            try cloud.execute(
                "INSERT INTO \(Self.notes) SELECT ?, \(column.key), \(column.reference) FROM \(column.orphans)",
                [.string(column.name)])
        }
    }

    /// Orphans that were not there before, by `Entity.column`; columns without any are left out.
    func countNew() throws(GodwitError) -> [String: Int] {
        var found: [String: Int] = [:]
        for column in try search.columns(in: cloud) where try column.mayHaveOrphans(in: cloud) {
            let sql = "SELECT count(*) FROM \(newOrphans(column))"
            guard case .integer(let count)? = try cloud.first(sql, [.string(column.name)]), count > 0 else { continue }
            found[column.name] = Int(count)
        }
        return found
    }

    /// The keys of the first of them in one column, for a message.
    func firstNewKeys(of name: String) throws(GodwitError) -> [String] {
        guard let column = try search.columns(in: cloud).first(where: { $0.name == name }) else { return [] }
        let sql = "SELECT \(column.key) FROM \(newOrphans(column)) ORDER BY \(column.key) COLLATE BINARY LIMIT 3"
        return try cloud.rows(sql, [.string(name)]).map { $0[0].readable }
    }

    private func newOrphans(_ column: OrphanSearch.Column) -> String {
        """
        \(column.orphans) AND NOT EXISTS (
          SELECT 1 FROM \(Self.notes) AS noted WHERE noted.reference = ?
          AND noted.key IS \(column.table).\(column.key) COLLATE BINARY
          AND noted.target IS \(column.table).\(column.reference) COLLATE BINARY)
        """
    }
}
