package import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// Imports keys that were not mapped, or did not exist, at the time of the import, or whose rule was corrected since.
///
/// Invariant: values written after the import are not overwritten. A setting fills its column only if the import made the
/// record, and the column and the record's date still have the values from the import.
extension LegacyStage {
    /// Imports the keys inside the caller's transaction, and renews the receipt.
    ///
    /// This stage must have only the rules of those keys.
    ///
    /// - Parameter earlier: The outcomes of the other keys.
    package func importLate(
        _ earlier: ImportedKeys, within connection: SQLiteConnection
    ) throws(GodwitError) -> RunReport.Legacy {
        try connection.requireSoundIndexes(changing: filledEntities.map(\.name))
        let shape = try connection.readShape()
        var keys = try connection.readKeys(of: filledEntities, in: shape)
        let single = filledEntities.filter { $0.singleton != nil }
        var rows: [String: [String: Value]] = [:]
        for entity in single where earlier.record(of: entity.name) != nil {
            rows[entity.name] = try connection.row(of: entity, key: .string(entity.singleton ?? ""))
            // The planner decides as if the record did not exist yet.
            if rows[entity.name] != nil { keys[entity.name] = [] }
        }
        let unfilled = try connection.readUnfilled(manifest.legacy.settings, in: shape)
        var plan = decide(LegacyTargets(shape: shape, keys: keys, unfilled: unfilled))
        var made: [PlannedRecord] = []
        var isChanged = false
        for record in plan.records {
            guard let entity = single.first(where: { $0.name == record.entity }), let row = rows[entity.name] else {
                made.append(record)
                continue
            }
            let isFilled = try update(record, of: entity, row, earlier, connection, &plan.ledger)
            isChanged = isChanged || isFilled
        }
        var insertion = try LegacyInsertion(of: made, entities: manifest.entities, connection, context)
        try insertion.perform()
        plan.ledger = plan.ledger.map { line in
            guard line.bucket == .unmapped, let bucket = earlier.bucket(of: line.key) else { return line }
            return RunReport.Legacy.Key(
                key: line.key, bucket: bucket, source: line.source, note: "by an earlier import")
        }
        plan.records = made
        var report = Self.report(plan, outcome: Self.outcome(of: plan))
        try connection.renew(receipt(of: report, after: earlier, in: connection))
        try context.faultPoint(.beforeLegacyCommit)
        // A corrected rule that gives the values that are there already.
        if !isChanged, made.isEmpty, report.outcome == .done { report.outcome = .alreadyDone }
        return report
    }

    /// Fills the columns that still have the values from the import, and returns whether there were any.
    ///
    /// The keys of other columns get the outcome `conflict`.
    private func update(
        _ record: PlannedRecord, of entity: Entity, _ row: [String: Value], _ earlier: ImportedKeys,
        _ connection: SQLiteConnection, _ ledger: inout [RunReport.Legacy.Key]
    ) throws(GodwitError) -> Bool {
        let (date, given) = (entity.modified?.column, earlier.record(of: entity.name) ?? [:])
        let isUntouched = date.map { row[$0] == given[$0] } ?? true
        var (columns, values) = ([String](), [Value]())
        for (column, value) in zip(record.columns, record.values)
        where !column.isSameName(as: entity.key) && !column.isSameName(as: date ?? "") {
            let index = ledger.firstIndex { $0.into == "\(entity.name).\(column)" }
            let isCorrection = index.map { earlier.bucket(of: ledger[$0].key) != nil } ?? false
            if isCorrection, row[column] == value { continue }
            if isUntouched, given[column].map({ $0 == row[column] }) ?? true {
                columns.append(column)
                values.append(value)
            } else if let index {
                ledger[index].bucket = .conflict
                ledger[index].note = "the record was changed since the import"
            }
        }
        guard !columns.isEmpty else { return false }
        if let date, let newDate = later(of: record, than: row, in: date, entity) {
            columns.append(date)
            values.append(newDate)
        }
        try write(columns, values, to: entity, connection)
        let now = try connection.row(of: entity, key: .string(entity.singleton ?? ""))
        for (column, value) in zip(columns, values) where now?[column] != value {
            throw GodwitError(
                .legacy, .data, "`\(entity.name).\(column)` does not have the legacy value after the write",
                hint:
                    "Remove the trigger that changes it in a schema file, or do not map the key.")
        }
        return true
    }

    /// The date of a planned record; nil if the record in the store has a later one, which it keeps.
    private func later(
        of record: PlannedRecord, than row: [String: Value], in column: String, _ entity: Entity
    ) -> Value? {
        guard let index = record.columns.firstIndex(where: { $0.isSameName(as: column) }) else { return nil }
        let encoding = entity.modified?.encoding
        guard let old = row[column].flatMap({ Instant($0, as: encoding) }),
            let new = Instant(record.values[index], as: encoding)
        else { return record.values[index] }
        return new > old ? record.values[index] : nil
    }

    /// Updates the only record of an entity, and throws (65) if other records would change.
    private func write(
        _ columns: [String], _ values: [Value], to entity: Entity, _ connection: SQLiteConnection
    ) throws(GodwitError) {
        let (shape, entities) = (try connection.readShape(), manifest.entities.map(\.name))
        try connection.requireHarmlessTriggers(of: [.update], on: [entity.name], shape, entities: entities)
        // Changes of the record by a trigger are found when it is read back.
        let isAlone = try connection.countRecords(of: entity.name) == 1
        let sideEffectGuard = try SideEffectGuard(
            of: connection, shape, entities: entities, proven: isAlone ? [entity.name] : [])
        let table = try connection.table(for: entity, in: shape)
        let before = connection.totalChanges
        try ConflictClauses(of: table.shape, in: connection).update(
            columns, to: values, where: "\(table.key) = ? COLLATE BINARY", [.string(entity.singleton ?? "")],
            in: connection)
        try sideEffectGuard.requireUnchanged(
            since: before, by: .update, of: entity.name, doing: "importing a value of `\(entity.name)`", stage: .legacy)
    }
}
