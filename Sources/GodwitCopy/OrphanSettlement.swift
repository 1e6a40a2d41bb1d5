internal import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// Applies the manifest's rules for orphans (`missing: setNull` or `setAside`) in a private clone that the copy reads.
///
/// Invariant: every record and value that the cloud store does not get is in the clone's ledger, which is copied. The
/// local store itself does not change.
package struct OrphanSettlement {
    private let manifest: Manifest
    private let runIdentifier: String
    private let now: Instant
    /// Entities that are not copied, because they were before; see `ParentSearch`.
    private let uncopied: [Entity]

    package init(manifest: Manifest, runIdentifier: String, now: Instant, uncopied: [Entity] = []) {
        (self.manifest, self.runIdentifier, self.now, self.uncopied) = (manifest, runIdentifier, now, uncopied)
    }

    /// Number of settled orphans of one reference.
    package struct Settled: Sendable {
        package let entity: String
        package let reference: Reference
        package let count: Int
        /// Whether these are all of several references: then the manifest names a wrong column, more likely than that all of
        /// the parents are gone.
        package let isAll: Bool
    }

    private var references: [(entity: Entity, reference: Reference)] {
        let copied = manifest.entitiesParentsFirst.filter { entity in !uncopied.contains { $0.name == entity.name } }
        return copied.flatMap { entity in
            entity.belongsTo.filter(\.missing.changesRecords).map { (entity, $0) }
        }
    }

    /// Whether a store has such orphans; false without a query if the manifest has no such rule.
    package func hasWork(in store: SQLiteConnection, and cloud: SQLiteConnection?) throws(GodwitError) -> Bool {
        for (entity, reference) in references {
            if try !orphans(of: reference, entity, in: store, cloud, most: 1).isEmpty { return true }
        }
        return false
    }

    /// Settles all of them inside the caller's transaction, also records that become orphans by that.
    ///
    /// Triggers and foreign key actions must be off: the ledger would not contain what they remove.
    package func settle(
        in clone: SQLiteConnection, and cloud: SQLiteConnection?
    ) throws(GodwitError) -> [Settled] {
        var counts: [Int] = Array(repeating: 0, count: references.count)
        let totals = try references.map { entity, reference throws(GodwitError) in
            try clone.countReferences(of: reference, entity)
        }
        let removed = try RemovedRecords(clone, runIdentifier: runIdentifier, now: now)
        var isChanging = true
        while isChanging {
            isChanging = false
            for (index, (entity, reference)) in references.enumerated() {
                for identity in try orphans(of: reference, entity, in: clone, cloud, most: nil) {
                    try settle(identity, of: reference, entity, in: clone, removed)
                    counts[index] += 1
                    isChanging = true
                }
            }
        }
        return references.indices.filter { counts[$0] > 0 }.map { index in
            Settled(
                entity: references[index].entity.name, reference: references[index].reference, count: counts[index],
                isAll: counts[index] > 1 && counts[index] == totals[index])
        }
    }

    /// The identities of the rows without a parent in either store.
    private func orphans(
        of reference: Reference, _ entity: Entity, in store: SQLiteConnection, _ cloud: SQLiteConnection?, most: Int?
    ) throws(GodwitError) -> [[Value]] {
        let search = try ParentSearch(
            manifest: manifest, stores: [store, cloud].compactMap(\.self), planned: [],
            uncopied: cloud == nil ? [] : uncopied)
        return try search.identities(of: reference, entity, in: store, most: most)
    }

    private func settle(
        _ identity: [Value], of reference: Reference, _ entity: Entity, in clone: SQLiteConnection,
        _ removed: RemovedRecords
    ) throws(GodwitError) {
        let table = try clone.table(for: entity, in: clone.readShape())
        let rows = try clone.rows(
            "SELECT \(table.columnList) FROM \(table.source) WHERE \(table.identityCondition)", identity)
        guard let row = rows.first else { return }
        let key = row[table.keyIndex]
        if reference.missing == .setAside {
            try removed.keep(
                entity: entity.name, key: key, columns: table.columns, values: row, reason: "orphan", winnerKey: .null)
            return try clone.execute("DELETE FROM \(table.name) WHERE \(table.identityCondition)", identity)
        }
        let place = table.columns.firstIndex { $0.isSameName(as: reference.column) }
        try removed.keepChange(
            entity: entity.name, key: key, column: reference.column, from: place.map { row[$0] } ?? .null, to: .null,
            reason: "orphan", identity: identity)
        try clone.execute(
            "UPDATE \(table.name) SET \(quoted(reference.column)) = NULL WHERE \(table.identityCondition)", identity)
    }
}

extension SQLiteConnection {
    /// The number of records with a value in a column that refers to another entity; 0 if the store lacks the column.
    func countReferences(of reference: Reference, _ entity: Entity) throws(GodwitError) -> Int {
        guard try readShape().table(named: entity.name)?.column(named: reference.column) != nil else { return 0 }
        let rows = try source(entity.name, in: "main")
        let sql = "SELECT count(*) FROM \(rows) WHERE \(quoted(reference.column)) IS NOT NULL"
        guard case .integer(let count)? = try first(sql) else { return 0 }
        return Int(count)
    }
}
