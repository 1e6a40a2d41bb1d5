internal import GodwitModel
internal import GodwitSQLite

/// Inserts the records of a plan and checks that their tables have them as planned, and nothing else changed.
///
/// Works inside the caller's transaction, so a failed check rolls everything back. A conflict clause of the schema must
/// not silently discard a record (`ConflictClauses`). The check sees what triggers do in the tables of the plan;
/// triggers must not change or remove records of other tables (`SideEffectGuard`).
struct LegacyInsertion {
    private let connection: SQLiteConnection
    private let context: RunContext
    /// Consecutive records with the same columns, in the order of the plan.
    private let runs: [ArraySlice<PlannedRecord>]
    private var proofs: [String: InsertionProof] = [:]
    private var conflicts: [String: ConflictClauses] = [:]
    /// The records of other tables; nil if nothing is inserted.
    private let sideEffectGuard: SideEffectGuard?

    /// Reads the tables before the insertion; throws (65) if a record has no table.
    init(
        of records: [PlannedRecord], entities: [Entity], _ connection: SQLiteConnection, _ context: RunContext
    ) throws(GodwitError) {
        (self.connection, self.context) = (connection, context)
        runs = Self.runs(records)
        guard !records.isEmpty else {
            sideEffectGuard = nil
            return
        }
        let shape = try connection.readShape()
        let names = Set(records.map(\.entity))
        try connection.requireHarmlessTriggers(
            of: [.insert], on: names.sorted(), shape, entities: entities.map(\.name))
        sideEffectGuard = try SideEffectGuard(
            of: connection, shape, entities: entities.map(\.name), proven: names.sorted())
        for entity in entities where names.contains(entity.name) {
            let table = try connection.table(for: entity, in: shape)
            let triggers = shape.code.filter { $0.kind == .trigger && $0.table.isSameName(as: entity.name) }
            conflicts[entity.name] = try ConflictClauses(of: table.shape, in: connection)
            proofs[entity.name] = try InsertionProof(
                table, triggers: triggers.map(\.name).sorted(), connection, context)
        }
    }

    /// Inserts all records and checks them; throws (65) if a check fails.
    mutating func perform() throws(GodwitError) {
        for run in runs { try insert(run) }
        for run in runs {
            guard let name = run.first?.entity, proofs[name] != nil else {
                throw GodwitError(.legacy, .bug, "a legacy value is for an entity that the manifest does not have")
            }
            try proofs[name]?.expect(run)
        }
        for name in proofs.keys.sorted() { try proofs[name]?.require(connection, context) }
    }

    private static func runs(_ records: [PlannedRecord]) -> [ArraySlice<PlannedRecord>] {
        var runs: [ArraySlice<PlannedRecord>] = []
        var start = 0
        while start < records.count {
            let first = records[start]
            let end =
                records[start...].firstIndex { $0.entity != first.entity || $0.columns != first.columns }
                ?? records.endIndex
            runs.append(records[start..<end])
            start = end
        }
        return runs
    }

    private func insert(_ run: ArraySlice<PlannedRecord>) throws(GodwitError) {
        guard let first = run.first else { return }
        guard let conflicts = conflicts[first.entity] else {
            throw GodwitError(.legacy, .bug, "a legacy value is for an entity that the manifest does not have")
        }
        do throws(GodwitError) {
            let insertion = try connection.prepare(
                conflicts.insertion(of: first.columns.map(quoted), into: "main.\(quoted(first.entity))"))
            for (number, record) in run.enumerated() {
                if number & 4095 == 4095 { try context.cancellation.check(.legacy) }
                try insertion.bind(record.values)
                let before = connection.totalChanges
                try insertion.run()
                try conflicts.requireInserted(by: connection)
                try requireNoOther(since: before, first.entity)
            }
        } catch {
            throw Self.refused(error, first.entity)
        }
    }

    private func requireNoOther(since before: Int64, _ entity: String) throws(GodwitError) {
        guard connection.totalChanges - before != connection.changedRows else { return }
        try sideEffectGuard?.requireUnchanged(
            since: before, by: .insert, of: entity, doing: "importing a record of `\(entity)`", stage: .legacy)
    }

    private static func refused(_ error: GodwitError, _ entity: String) -> GodwitError {
        // A rejection for the sake of other records has no cause in SQLite.
        guard error.code == .data, error.underlying != nil else { return error.at(.legacy) }
        var failure = error.at(.legacy)
        failure.message = "a legacy value can't become a `\(entity)` record: \(error.message)"
        if error.underlying?.hasPrefix("NOT NULL constraint failed") == true {
            failure.hint = "Give the columns that no legacy key fills a DEFAULT, or allow NULL in them."
        } else if error.underlying?.hasPrefix("UNIQUE constraint failed") == true {
            failure.hint =
                "Loosen the UNIQUE or PRIMARY KEY, or its collation, in a new schema file: it takes two "
                + "records for one."
        }
        return failure
    }
}
