package import GodwitModel
package import GodwitStore

/// One row per singleton and per key: chooses winners, sets losers aside whole, points their children at the winner.
///
/// Invariant: a record leaves its table only after it was written to `godwit_removed` in the same transaction.
package struct DedupeStage: Sendable {
    private let manifest: Manifest
    private let context: RunContext
    private let runIdentifier: String
    /// How many groups a report lists; all are counted.
    private static let listedGroups = 1000

    package init(manifest: Manifest, context: RunContext, runIdentifier: String) {
        self.manifest = manifest
        self.context = context
        self.runIdentifier = runIdentifier
    }

    /// Whether there is anything to dedupe; reads only.
    package func hasWork(_ connection: SQLiteConnection) throws(GodwitError) -> Bool {
        let shape = try connection.readShape()
        for entity in manifest.entities where shape.table(named: entity.name) != nil {
            let table = try connection.table(for: entity, in: shape)
            try connection.requireKeys(table)
            if entity.singleton != nil {
                let rows = try connection.rows("SELECT \(table.columnList) FROM \(table.name) LIMIT 2")
                if DuplicateGroup.decide(rows.map(table.candidate), entity: entity) != nil { return true }
            } else if try connection.first(Self.repeatedKeys(table) + " LIMIT 1") != nil {
                return true
            }
        }
        return false
    }

    /// Dedupes every entity inside a transaction that the caller began.
    package func dedupe(within connection: SQLiteConnection, role: StoreRole) throws(GodwitError) -> DedupeReport {
        // Winners change keys while children still point at the old one: checked at commit instead.
        try connection.execute("PRAGMA defer_foreign_keys=ON")
        var report = DedupeReport(store: role)
        let shape = try connection.readShape()
        let records = try RemovedRecords(connection, runIdentifier: runIdentifier, now: context.now)
        for entity in manifest.entities where shape.table(named: entity.name) != nil {
            let table = try connection.table(for: entity, in: shape)
            try connection.requireKeys(table)
            let children = try self.children(of: entity, in: shape, connection)
            let work = GroupWork(connection: connection, table: table, children: children, records: records)
            if entity.singleton != nil {
                try dedupe(work, keyed: nil, into: &report)
            } else {
                for row in try connection.rows(Self.repeatedKeys(table)) {
                    try context.cancellation.check(.dedupe)
                    try dedupe(work, keyed: row[0], into: &report)
                }
            }
        }
        report.outcome = report.groupCount > 0 ? .done : .nothingToDo
        return report
    }

    private func dedupe(_ work: GroupWork, keyed key: Value?, into report: inout DedupeReport) throws(GodwitError) {
        let (rows, candidates) = try sorted(work.rows(keyed: key), work.table)
        guard let group = DuplicateGroup.decide(candidates, entity: work.table.entity) else { return }
        report.repointed += try work.apply(group, to: rows)
        for candidate in candidates where group.losers.count > 0 {
            report.dates.examine(candidate.modified, of: work.table.entity, now: context.now)
        }
        report.groupCount += 1
        if !group.losers.isEmpty { report.removed[work.table.entity.name, default: 0] += group.losers.count }
        guard report.groups.count < Self.listedGroups else { return }
        func contender(_ index: Int) -> Contender {
            Contender(key: candidates[index].key.readable, modifiedAt: candidates[index].modified)
        }
        report.groups.append(
            DedupeGroup(
                entity: work.table.entity.name, key: group.finalKey.readable, winner: contender(group.winner),
                losers: group.losers.map(contender),
                reason: group.reason, rekeyed: group.isRekeyed))
    }

    /// In the order of their columns, so that the books read alike on every device.
    private func sorted(
        _ rows: [GroupWork.Row], _ table: EntityTable
    ) -> (rows: [GroupWork.Row], candidates: [Precedence.Candidate]) {
        let pairs = rows.map { ($0, table.candidate($0.columns)) }.sorted {
            $0.1.columns.lexicographicallyPrecedes($1.1.columns)
        }
        return (pairs.map(\.0), pairs.map(\.1))
    }

    private func children(
        of parent: Entity, in shape: SchemaShape, _ connection: SQLiteConnection
    ) throws(GodwitError) -> [ChildColumn] {
        var found: [ChildColumn] = []
        for entity in manifest.entities where shape.table(named: entity.name) != nil {
            for reference in entity.belongsTo where reference.parent == parent.name {
                found.append(ChildColumn(table: try connection.table(for: entity, in: shape), column: reference.column))
            }
        }
        return found
    }

    /// Keys that occur more than once, in key order, compared by bytes whatever the column's collation.
    private static func repeatedKeys(_ table: EntityTable) -> String {
        """
        SELECT \(table.key) FROM \(table.name) GROUP BY \(table.key) COLLATE BINARY, typeof(\(table.key))
        HAVING count(*) > 1
        """
    }
}

/// A column of a child entity that holds keys of the parent being deduped.
package struct ChildColumn: Sendable {
    package let table: EntityTable
    package let column: String
}
