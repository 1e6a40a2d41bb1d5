internal import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// Ensures one record per singleton and per key: chooses winners, sets the other duplicates aside, and changes
/// references to the winner.
///
/// Invariant: a record is removed from its table only after it was written to `godwit_removed` in the same transaction.
package struct DedupeStage: Sendable {
    private let manifest: Manifest
    private let context: RunContext
    private let runIdentifier: String
    private let rowsInMemory: Int
    /// Maximum number of groups in a report; all are counted.
    package static let listedGroups = 1000

    /// - Parameter rowsInMemory: maximum number of rows of groups in memory; further ones go to a temporary store.
    package init(manifest: Manifest, context: RunContext, runIdentifier: String, rowsInMemory: Int = 1 << 15) {
        (self.manifest, self.context, self.runIdentifier) = (manifest, context, runIdentifier)
        self.rowsInMemory = rowsInMemory
    }

    /// Whether there are duplicates; reads only.
    package func hasWork(_ connection: SQLiteConnection) throws(GodwitError) -> Bool {
        // Check all entities first: duplicates in one must not hide an error in another.
        for table in try requireKeys(connection) {
            let entity = table.entity
            let search = DuplicateSearch(connection: connection, table: table)
            if entity.singleton != nil {
                let candidates = try search.all(limit: 2).map { table.candidate($0.columns) }
                if Self.decide(candidates, table) != nil { return true }
            } else if try search.findsAny() {
                return true
            }
        }
        return false
    }

    /// Throws (65) if records of any entity have no key.
    ///
    /// - Returns: the tables of all entities in the store.
    @discardableResult
    package func requireKeys(_ connection: SQLiteConnection) throws(GodwitError) -> [EntityTable] {
        let shape = try connection.readShape()
        let tables = try manifest.entities.filter { shape.table(named: $0.name) != nil }
            .map { entity throws(GodwitError) in try connection.table(for: entity, in: shape) }
        for table in tables { try connection.requireKeys(table) }
        return tables
    }

    /// Dedupes every entity inside the caller's transaction.
    package func dedupe(within connection: SQLiteConnection, role: StoreRole) throws(GodwitError) -> RunReport.Dedupe {
        try connection.withForeignKeysJudged { () throws(GodwitError) in try dedupeAll(connection, role) }
    }

    private func dedupeAll(_ connection: SQLiteConnection, _ role: StoreRole) throws(GodwitError) -> RunReport.Dedupe {
        // Keys of winners change while children still have the old one, so foreign keys are checked at the commit.
        try connection.execute("PRAGMA defer_foreign_keys=ON")
        var report = RunReport.Dedupe(store: role)
        let shape = try connection.readShape()
        let books = try RemovedRecords(connection, runIdentifier: runIdentifier, now: context.now)
        let sideEffectGuard = try SideEffectGuard(of: connection, shape, entities: manifest.entities.map(\.name))
        let removed = SpillableRowMap(stage: connection.stage, cancellation: context.cancellation)
        // Parents first: a child whose key contains its parent's may become a duplicate only after that.
        for entity in manifest.entitiesParentsFirst where shape.table(named: entity.name) != nil {
            try connection.requireKeys(connection.table(for: entity, in: shape))
            guard let groups = try findGroups(of: entity, in: shape, connection) else { continue }
            try connection.requireSoundIndexes(changing: [entity.name])
            let table = try connection.table(for: entity, in: shape)
            let work = try GroupWork(
                connection: connection, table: table,
                references: try ParentReference.all(to: table, in: shape, manifest: manifest, connection),
                books: books, sideEffectGuard: sideEffectGuard, removed: removed,
                conflicts: ConflictClauses(of: table.shape, in: connection))
            let search = DuplicateSearch(connection: connection, table: table)
            var likeness = DuplicateLikeness(of: table, isParent: !work.references.isEmpty)
            if entity.singleton != nil {
                try dedupe(search.all(), work, into: &report, &likeness)
            } else {
                try search.forEachGroup(of: groups) { records throws(GodwitError) in
                    try context.cancellation.check(.dedupe)
                    try dedupe(records, work, into: &report, &likeness)
                }
            }
            if let finding = likeness.finding {
                report.unlikeDuplicates = (report.unlikeDuplicates ?? []) + [finding]
            }
        }
        report.groups = manifest.entities.flatMap { entity in report.groups.filter { $0.entity == entity.name } }
        report.outcome = report.groupCount > 0 ? .done : .nothingToDo
        // The record of a singleton may have got another key.
        let changed = manifest.entities.filter { report.removed[$0.name] != nil || $0.singleton != nil }
        if report.groupCount > 0 { report.unnamedReferences = try unnamedReferences(to: changed, removed, connection) }
        return report
    }

    /// The duplicates of an entity, nil for none; of a singleton only whether it has any.
    private func findGroups(
        of entity: Entity, in shape: SchemaShape, _ connection: SQLiteConnection
    ) throws(GodwitError) -> RowGroups? {
        let table = try connection.table(for: entity, in: shape)
        let search = DuplicateSearch(connection: connection, table: table)
        let groups = RowGroups(
            width: table.identity.count, stage: connection.stage, cancellation: context.cancellation,
            maxRowsInMemory: rowsInMemory)
        guard entity.singleton == nil else {
            let candidates = try search.all(limit: 2).map { table.candidate($0.columns) }
            return Self.decide(candidates, table) == nil ? nil : groups
        }
        try search.find(groups)
        return groups.isEmpty ? nil : groups
    }

    /// Undeclared references that lost their parents; nil if there are none.
    private func unnamedReferences(
        to changed: [Entity], _ removed: SpillableRowMap, _ connection: SQLiteConnection
    ) throws(GodwitError) -> [UnnamedReference]? {
        let search = try UnnamedReferenceSearch(manifest, in: connection)
        var found: [UnnamedReference] = []
        for entity in changed {
            found += try search.columns(losing: entity) { value throws(GodwitError) in
                try removed.has(RowIdentifier(table: entity.name, identity: [value]))
            }
        }
        return found.isEmpty ? nil : found
    }

    private func dedupe(
        _ found: [StoredRecord], _ work: GroupWork, into report: inout RunReport.Dedupe,
        _ likeness: inout DuplicateLikeness
    ) throws(GodwitError) {
        let entity = work.table.entity
        let (records, candidates) = sorted(found, work.table)
        guard let group = Self.decide(candidates, work.table) else { return }
        report.repointed += try work.apply(group, to: records)
        report.groupCount += 1
        try work.noteIdentifiers(of: group, records)
        if !group.losers.isEmpty {
            report.removed[entity.name, default: 0] += group.losers.count
            for loser in group.losers {
                likeness.add(records[loser].columns, besides: records[group.winner].columns)
            }
            for candidate in candidates { report.dates.examine(candidate.modified, of: entity, now: context.now) }
        }
        guard report.groups.count < Self.listedGroups else { return }
        func contender(_ index: Int) -> RunReport.Dedupe.Record {
            RunReport.Dedupe.Record(key: candidates[index].key.readable, modifiedAt: candidates[index].modified)
        }
        report.groups.append(
            RunReport.Dedupe.Group(
                entity: entity.name, key: group.finalKey.readable, winner: contender(group.winner),
                losers: group.losers.map(contender), reason: group.reason, rekeyed: group.isRekeyed))
    }

    private static func decide(_ candidates: [WinnerRule.Candidate], _ table: EntityTable) -> DuplicateGroup? {
        DuplicateGroup.decide(candidates, rule: table.entity.conflict, fixedKey: table.fixedKey)
    }

    /// In the order of their columns, so that the ledger is equal on every device.
    private func sorted(
        _ records: [StoredRecord], _ table: EntityTable
    ) -> (records: [StoredRecord], candidates: [WinnerRule.Candidate]) {
        let pairs = records.map { ($0, table.candidate($0.columns)) }.sorted {
            $0.1.columns.lexicographicallyPrecedes($1.1.columns)
        }
        return (pairs.map(\.0), pairs.map(\.1))
    }
}
