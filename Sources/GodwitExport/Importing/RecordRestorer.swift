internal import GodwitModel
internal import GodwitSQLite

/// Writes the records of a document into a new store; each value keeps its storage class and bits.
///
/// With a base, it adds the records of an increment, after the replaced ones were removed. It works inside the caller's
/// transaction, so an error at the end of the document reverts everything.
struct RecordRestorer: ~Copyable, DocumentHandler {
    private let store: SQLiteConnection
    private let context: RunContext
    private let rules: ImportStage.Dependencies
    private let base: ImportStage.Filled?
    private var shape = SchemaShape()
    private var insertion: SQLiteCursor?
    private var conflicts: ConflictClauses?
    private var columns: [RestorationPlan.Column] = []
    private var name = ""
    /// Number of records of the current entity.
    private var number: Int64 = 0
    private var done: Int64 = 0
    private var total: Int64?
    private(set) var version = 0
    private(set) var entities: [DocumentEntity] = []
    /// Removed until the caller restores them.
    private(set) var heldBack: HeldBackTriggers?
    private(set) var indexes: HeldBackIndexes?
    private(set) var differences = ColumnDifferences()

    init(
        _ store: SQLiteConnection, rules: ImportStage.Dependencies, onto base: ImportStage.Filled? = nil,
        context: RunContext
    ) {
        (self.store, self.rules, self.base, self.context) = (store, rules, base, context)
        insertion = nil
    }

    /// The hint for an increment without its base.
    private static var adviceOnIncrement: String {
        Wording.text(
            commandLine: "Name that export first: `godwit import -m MANIFEST EVERYTHING INCREMENT -o NEW.store`.",
            library: "Restore a complete export: `Migration.restore(from:to:)` takes no increment.")
    }

    mutating func begin(_ header: DocumentHeader) throws(GodwitError) {
        if let base {
            try base.requireIncrement(header)
            version = base.version
            shape = try store.readShape()
            return
        }
        if let since = header.since {
            throw GodwitError(
                .import, .data,
                "the export is an increment: it has only the changes since export \(since.exportId) of "
                    + "\(since.exportedAt.iso8601)",
                hint: Self.adviceOnIncrement)
        }
        version = try rules.version(for: header, name: store.name)
        try rules.buildSchema(store, version)
        shape = try store.readShape()
        heldBack = try HeldBackTriggers(store, shape, entities: rules.entities)
        indexes = try HeldBackIndexes(store)
        if header.layout == .lines { total = Self.total(of: header.entities) }
    }

    /// Number of all records; nil if the sum overflows, which no real document reaches.
    private static func total(of entities: [DocumentEntity]) -> Int64? {
        var total: Int64 = 0
        for entity in entities {
            let (sum, overflow) = total.addingReportingOverflow(entity.count)
            if overflow { return nil }
            total = sum
        }
        return total
    }

    mutating func begin(_ entity: DocumentEntity) throws(GodwitError) {
        let plan = try RestorationPlan(entity, in: shape, version: version)
        if let base { try base.requireSameShape(entity, entities.count) }
        differences.add(entity, in: plan.table)
        // Schema files may insert records; the document contains those that still existed.
        if base == nil { try store.removeSeeds(ofTable: entity.name) }
        let conflicts = try ConflictClauses(of: plan.table, in: store)
        insertion = try store.prepare(conflicts.insertion(of: plan.insertedColumns, into: quoted(plan.table.name)))
        self.conflicts = conflicts
        columns = plan.columns
        name = entity.name
        number = 0
        entities.append(entity)
    }

    mutating func take(_ record: borrowing DocumentRecord) throws(GodwitError) {
        number += 1
        for index in columns.indices where columns[index].parameter > 0 {
            try bind(record, index, at: columns[index].parameter, columns[index].affinity)
        }
        do throws(GodwitError) {
            try insertion?.run()
            try conflicts?.requireInserted(by: store)
        } catch {
            throw refused(error)
        }
        done += 1
        guard done & 4095 == 0 else { return }
        try context.cancellation.check(.import)
        context.progress(RunProgress(stage: .import, completed: done, total: total))
    }

    mutating func end(_ entity: DocumentEntity) { insertion = nil }

    @inline(__always)
    private mutating func bind(
        _ record: borrowing DocumentRecord, _ index: Int, at parameter: Int, _ affinity: ColumnAffinity
    ) throws(GodwitError) {
        switch record.type(index) {
        case .null: try insertion?.bindNull(at: parameter)
        case .integer:
            guard affinity.keepsIntegers else { throw changed(index) }
            try insertion?.bind(integer: record.integer(index), at: parameter)
        case .real:
            let real = record.real(index)
            guard affinity.keeps(real: real) else { throw changed(index) }
            try insertion?.bind(real: real, at: parameter)
        case .text:
            let text = record.bytes(index)
            guard affinity.keeps(text: text) else { throw changed(index) }
            do throws(GodwitError) { try insertion?.bind(text: text, at: parameter) } catch { throw refused(error) }
        case .blob: try insertion?.bind(blob: record.bytes(index), at: parameter)
        }
    }

    private func changed(_ index: Int) -> GodwitError {
        GodwitError(
            .import, .data,
            "record \(number) of \(name) can't be restored as it was: column '\(columns[index].name)' "
                + "would change its value",
            hint:
                "Use the schema files of the app that exported it, and the file as exported: another "
                + "program may have rewritten it (1.0 as 1)."
        )
    }

    private func refused(_ error: GodwitError) -> GodwitError {
        guard error.code == .data else { return error }
        let isConstraint = error.underlying != nil
        return GodwitError(
            .import, .data, "record \(number) of \(name) can't be restored into `\(store.name)`",
            hint: isConstraint
                ? "Use the schema files of the app that exported it: a constraint of these refuses the record."
                : "Use the schema files of the app that exported it: these say UTF-16 instead of UTF-8.",
            underlying: isConstraint ? error.underlying : error.message)
    }
}
