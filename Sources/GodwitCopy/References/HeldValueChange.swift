internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// A change of a parent's value in the cloud store, for every row that contains the value.
struct HeldValueChange {
    let from: Value
    let to: Value

    /// Number of rows that are read at once, because rows must not change while a cursor reads them.
    private static let batch = 256

    /// Changes the rows, and the references to their column in turn; `godwit_changed` gets the old values.
    func apply(
        to held: [HeldColumn], holding target: ReferenceTranslation.Target, in cloud: SQLiteConnection,
        manifest: Manifest, _ records: RemovedRecords, _ sideEffectGuard: SideEffectGuard, _ context: RunContext
    ) throws(GodwitError) {
        let shape = try cloud.readShape()
        var waiting = held.filter { $0.holds(target.column, of: target.parent.name) }
        var done: [HeldColumn] = []
        while let next = waiting.popLast() {
            guard !done.contains(where: { $0.isHeld(by: next.table, next.column) }) else { continue }
            done.append(next)
            guard let entity = manifest.entities.first(where: { $0.name.isSameName(as: next.table) }),
                shape.table(named: next.table)?.column(named: next.column) != nil
            else { continue }
            let table = try cloud.table(for: entity, in: shape)
            while try change(next.column, of: table, cloud, records, sideEffectGuard) {
                try context.cancellation.check(.copy)
            }
            waiting += held.filter { $0.holds(next.column, of: next.table) }
        }
    }

    /// Changes some rows; false if none are left.
    private func change(
        _ column: String, of table: EntityTable, _ cloud: SQLiteConnection, _ records: RemovedRecords,
        _ sideEffectGuard: SideEffectGuard
    ) throws(GodwitError) -> Bool {
        let (name, width) = (quoted(column), table.identity.count)
        let affinity = table.shape.column(named: column)?.affinity(inStrict: table.shape.isStrict) ?? .blob
        let to = try PlainTable.stored(to, in: affinity, stage: cloud.stage)
        let rows = try cloud.rows(
            """
            SELECT \((table.identity + [table.key, name]).joined(separator: ", ")) FROM \(table.source)
            WHERE \(name) = ? COLLATE BINARY AND \(name) IS NOT ? COLLATE BINARY LIMIT \(Self.batch)
            """, [from, to])
        let identifying = try cloud.identityColumns(of: table.shape)
        let conflicts = try ConflictClauses(of: table.shape, in: cloud)
        for row in rows {
            var identity = Array(row[..<width])
            let before = cloud.totalChanges
            try conflicts.update([column], to: [to], where: table.identityCondition, identity, in: cloud)
            try sideEffectGuard.requireUnchanged(
                since: before, by: .update, of: table.shape.name,
                doing: "changing the references of `\(table.shape.name)`", stage: .copy)
            if let place = identifying?.firstIndex(where: { $0.isSameName(as: column) }) { identity[place] = to }
            try records.keepChange(
                entity: table.entity.name, key: row[width], column: column, from: row[width + 1], to: to,
                reason: "replaced:parent", identity: identity)
        }
        return rows.count == Self.batch
    }
}
