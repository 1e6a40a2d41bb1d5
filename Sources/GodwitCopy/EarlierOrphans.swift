internal import GodwitModel
internal import GodwitSQLite

/// The orphans of a cloud store before the copy, to distinguish them from those that the copy adds.
///
/// Counts are not enough: a copy may add the parent of one orphan and another orphan, with an equal count. The keys are
/// in a temporary table, which disappears with the connection.
struct EarlierOrphans {
    private let search: OrphanSearch
    private let cloud: SQLiteConnection
    private static let notes = "temp.godwit_orphan"

    /// Records the existing orphans; a new store has none.
    init(_ search: OrphanSearch, in cloud: SQLiteConnection, created: Bool) throws(GodwitError) {
        (self.search, self.cloud) = (search, cloud)
        try cloud.execute("CREATE TABLE IF NOT EXISTS \(Self.notes)(reference TEXT, key, target)")
        try cloud.execute("CREATE INDEX IF NOT EXISTS temp.godwit_orphan_key ON godwit_orphan(reference, key)")
        guard !created else { return }
        for column in try search.columns(in: cloud) where try column.mayHaveOrphans() {
            try cloud.execute(
                "INSERT INTO \(Self.notes) SELECT ?, \(column.key), \(column.reference) FROM \(column.orphans)",
                [.string(column.name)])
        }
    }

    /// New orphans, by `Entity.column`; omits columns without any.
    func countNew() throws(GodwitError) -> [String: Int] {
        var found: [String: Int] = [:]
        for column in try search.columns(in: cloud) where try column.mayHaveOrphans() {
            let sql = "SELECT count(*) FROM \(newOrphans(column))"
            guard case .integer(let count)? = try cloud.first(sql, [.string(column.name)]), count > 0 else { continue }
            found[column.name] = Int(count)
        }
        return found
    }

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
