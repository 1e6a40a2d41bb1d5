internal import GodwitJSON
internal import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// Writes the decisions of a legacy import into the store, with the receipt, in one transaction.
///
/// Invariant: the receipt is written only after everything inserted has been read back and compared, and it completes
/// the stage permanently. If no file has a mapped key, no receipt is written, because a wrong path must not look like a
/// completed migration.
package struct LegacyStage: Sendable {
    let manifest: Manifest
    let context: RunContext
    let runIdentifier: String
    private let allowsEmpty: Bool
    let decide: @Sendable (LegacyTargets) -> LegacyImportPlan
    private let keysElsewhere: Elsewhere?

    /// Keys of records that will be copied into the store later, by entity.
    package typealias Elsewhere = @Sendable (_ entities: [Entity]) throws(GodwitError) -> [String: Set<Value>]

    /// - Parameters:
    ///   - keysElsewhere: Keys that count as present though they are not yet: the records of a read-only local store,
    ///     which are copied after this stage.
    ///   - decide: Returns the plan for the contents of the store; a closure, because this stage cannot read legacy
    ///     files.
    package init(
        manifest: Manifest, context: RunContext, runIdentifier: String, allowsEmpty: Bool,
        keysElsewhere: Elsewhere? = nil, decide: @escaping @Sendable (LegacyTargets) -> LegacyImportPlan
    ) {
        (self.manifest, self.context, self.runIdentifier) = (manifest, context, runIdentifier)
        (self.allowsEmpty, self.keysElsewhere, self.decide) = (allowsEmpty, keysElsewhere, decide)
    }

    /// Whether an import would write something into this store; reads only.
    package func hasWork(_ connection: SQLiteConnection) throws(GodwitError) -> Bool {
        guard try connection.readReceipt(.legacy) == nil else { return false }
        let plan = decide(try targets(connection))
        return plan.hasMappedKeys || allowsEmpty
    }

    /// Imports inside the caller's transaction.
    package func importLegacy(within connection: SQLiteConnection) throws(GodwitError) -> RunReport.Legacy {
        guard try connection.readReceipt(.legacy) == nil else { return RunReport.Legacy(outcome: .alreadyDone) }
        let plan = decide(try targets(connection))
        guard plan.hasMappedKeys || allowsEmpty else { return Self.report(plan, outcome: .nothingToDo) }
        try connection.requireSoundIndexes(changing: filledEntities.map(\.name))
        var insertion = try LegacyInsertion(of: plan.records, entities: manifest.entities, connection, context)
        try insertion.perform()
        let report = Self.report(plan, outcome: Self.outcome(of: plan))
        try connection.write(receipt(of: report, after: ImportedKeys(), in: connection))
        try context.faultPoint(.beforeLegacyCommit)
        return report
    }

    /// The report if nothing is written, because there is no store or no mapped key.
    package func reportWithoutImport(outcome: Outcome) -> RunReport.Legacy {
        Self.report(decide(LegacyTargets(shape: SchemaShape(), keys: [:])), outcome: outcome)
    }

    /// The records that an import would insert; reads only.
    ///
    /// - Parameters:
    ///   - connection: The store, also one of an earlier version; nil if it does not exist yet.
    ///   - shape: The tables after the schema files are applied.
    package func plannedRecords(
        for connection: SQLiteConnection?, shape: SchemaShape
    ) throws(GodwitError) -> [PlannedRecord] {
        let entities = filledEntities
        var keys: [String: Set<Value>] = [:]
        if let connection {
            guard try connection.readReceipt(.legacy) == nil else { return [] }
            let own = try connection.readShape()
            let readable = entities.filter { own.table(named: $0.name)?.column(named: $0.key) != nil }
            keys = try connection.readKeys(of: readable, in: own)
        }
        for (name, more) in try keysElsewhere?(entities) ?? [:] { keys[name, default: []].formUnion(more) }
        let plan = decide(LegacyTargets(shape: shape, keys: keys))
        return plan.hasMappedKeys ? plan.records : []
    }

    /// The entities that legacy keys fill.
    var filledEntities: [Entity] {
        let names = Set(manifest.legacy.settings.map(\.entity) + manifest.legacy.favorites.map(\.entity))
        return manifest.entities.filter { names.contains($0.name) }
    }

    static func report(_ plan: LegacyImportPlan, outcome: Outcome) -> RunReport.Legacy {
        var inserted: [String: Int] = [:]
        if outcome.hasChanges { for record in plan.records { inserted[record.entity, default: 0] += 1 } }
        return RunReport.Legacy(outcome: outcome, sources: plan.sources, ledger: plan.ledger, inserted: inserted)
    }

    static func outcome(of plan: LegacyImportPlan) -> Outcome {
        plan.ledger.contains { $0.bucket == .conflict || $0.bucket == .unsupported } ? .partial : .done
    }

    private func targets(_ connection: SQLiteConnection) throws(GodwitError) -> LegacyTargets {
        let shape = try connection.readShape()
        let entities = filledEntities
        var keys = try connection.readKeys(of: entities, in: shape)
        var unfilled = try connection.readUnfilled(manifest.legacy.settings, in: shape)
        for (name, more) in try keysElsewhere?(entities) ?? [:] {
            keys[name, default: []].formUnion(more)
            // Which columns those records fill is not known.
            if !more.isEmpty { unfilled[name] = nil }
        }
        return LegacyTargets(shape: shape, keys: keys, unfilled: unfilled)
    }

    /// The receipt of an import, with the values against which later keys are checked.
    func receipt(
        of report: RunReport.Legacy, after earlier: ImportedKeys, in store: SQLiteConnection
    ) throws(GodwitError) -> Receipt {
        var keys = earlier
        keys.add(report.ledger, by: manifest.legacy)
        // A record that the app made does not belong to the import: no later key may fill it.
        for entity in filledEntities where report.inserted[entity.name] != nil || earlier.record(of: entity.name) != nil
        {
            try keys.add(recordOf: entity, in: store)
        }
        return Receipt(
            stage: .legacy, runIdentifier: runIdentifier, completedAt: context.now, manifestSHA256: manifest.sha256,
            members: [
                ("sources", .array(report.sources.map(\.receiptItem))), ("buckets", .numbers(report.buckets)),
                ("lines", .integer(Int64(report.ledger.count))), ("keys", keys.outcomes), ("rules", keys.ruleTexts),
                ("records", keys.recordTexts),
                ("environment", manifest.environment.map { .string($0.rawValue) }),
            ])
    }
}

extension RunReport.Legacy.Source {
    /// The file as the receipt of an import names it.
    fileprivate var receiptItem: LegacyValue {
        .dictionary([
            LegacyPair(key: "path", value: .string(path)), LegacyPair(key: "size", value: .integer(size)),
            LegacyPair(key: "sha256", value: sha256.map(LegacyValue.string) ?? .null),
            LegacyPair(key: "keys", value: .integer(Int64(keyCount))),
        ])
    }
}

extension SQLiteConnection {
    /// The columns of settings that are NULL in all records, by entity, folded.
    func readUnfilled(_ rules: [SettingRule], in shape: SchemaShape) throws(GodwitError) -> [String: Set<[UInt8]>] {
        var unfilled: [String: Set<[UInt8]>] = [:]
        for rule in rules {
            guard let table = shape.table(named: rule.entity), let column = table.column(named: rule.column) else {
                continue
            }
            let filled =
                "SELECT 1 FROM \(try source(table.name, in: "main")) WHERE \(quoted(column.name)) IS NOT NULL LIMIT 1"
            if try rows(filled).isEmpty { unfilled[rule.entity, default: []].insert(rule.column.foldedName) }
        }
        return unfilled
    }

    /// The keys of all records, by entity, without entities that have no table.
    package func readKeys(of entities: [Entity], in shape: SchemaShape) throws(GodwitError) -> [String: Set<Value>] {
        var keys: [String: Set<Value>] = [:]
        for entity in entities where shape.table(named: entity.name) != nil {
            // SQLite would read the quoted name of a missing column as text, and every row would have that key.
            let table = try table(for: entity, in: shape)
            // DISTINCT uses the column's collation and treats 1 and 1.0 as equal.
            let rows = try rows(
                "SELECT DISTINCT \(table.key) COLLATE BINARY, typeof(\(table.key)) FROM main.\(table.source)")
            keys[entity.name] = Set(rows.map { $0[0] })
        }
        return keys
    }
}
