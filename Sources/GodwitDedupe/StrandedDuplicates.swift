internal import GodwitJSON
internal import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// Records that a dedupe set aside by another key than the manifest names now, and whose key no record has.
///
/// A corrected `key:` finds no duplicates, so nothing else would speak of them again.
package struct StrandedDuplicates: Sendable, Equatable {
    package let entity: String
    /// The column that `key:` names now.
    package let key: String
    package private(set) var count = 0
    /// The run that set the first of them aside.
    package private(set) var run = ""
    /// Whether that run set them aside in the local store, and this is the cloud store.
    package private(set) var isCarried = false

    /// Finds those of each entity in the ledger of a store; reads only.
    package static func all(of manifest: Manifest, in store: SQLiteConnection) throws(GodwitError) -> [Self] {
        guard try store.has(.removed) else { return [] }
        let shape = try store.readShape()
        var found: [Self] = []
        for entity in manifest.entities where entity.singleton == nil && shape.table(named: entity.name) != nil {
            var stranded = Self(entity: entity.name, key: entity.key)
            try stranded.count(in: store, store.table(for: entity, in: shape))
            if stranded.count > 0 { found.append(stranded) }
        }
        return found
    }

    private init(entity: String, key: String) { (self.entity, self.key) = (entity, key) }

    private mutating func count(in store: SQLiteConnection, _ table: EntityTable) throws(GodwitError) {
        var (found, sql) = (self, "")
        try store.forEachDuplicateSetAside(of: entity) { duplicate throws(GodwitError) in
            guard let value = duplicate.record.first(where: { $0.name.isSameName(as: key) })?.value, value != .null,
                value != duplicate.key || !duplicate.winnerKey.readable.isSameName(as: duplicate.key.readable)
            else { return }
            if sql.isEmpty {
                // There may be many.
                try store.useSoundIndexes(of: [entity])
                let rows = try store.source(entity, in: "main")
                sql = "SELECT 1 FROM \(rows) WHERE \(table.key) = ? COLLATE BINARY LIMIT 1"
            }
            if try store.first(sql, [value]) != nil { return }
            if found.count == 0 { (found.run, found.isCarried) = (duplicate.run, duplicate.isCarried) }
            found.count += 1
        }
        self = found
    }
}
