internal import GodwitModel
internal import GodwitSQLite

/// Removes the records that an increment replaces or reports as removed, from a store that was restored from its base.
///
/// All removals come before the insertions, because two records may have exchanged a unique value.
struct IncrementRemover: ~Copyable, DocumentHandler {
    private let store: SQLiteConnection
    private let context: RunContext
    private let base: ImportStage.Filled
    private let shape: SchemaShape
    private var search: SQLiteCursor?
    private var removal: SQLiteCursor?
    /// Number of columns that identify a row.
    private var width = 0
    private var name = ""
    private var keyPlace = 0
    private var number = 0
    /// Whether the current table's key got a temporary index.
    private var hasOwnIndex = false
    private static let index = "main.godwit_increment_key"

    init(_ store: SQLiteConnection, base: ImportStage.Filled, context: RunContext) throws(GodwitError) {
        (self.store, self.base, self.context) = (store, base, context)
        try store.requireTemporary()
        shape = try store.readShape()
        search = nil
        removal = nil
    }

    mutating func begin(_ header: DocumentHeader) throws(GodwitError) { try base.requireIncrement(header) }

    mutating func begin(_ entity: DocumentEntity) throws(GodwitError) {
        try base.requireSameShape(entity, number)
        number += 1
        let table = try store.table(for: Entity(name: entity.name, key: entity.key), in: shape)
        // The first condition uses an index; the others leave almost only the exact key.
        let taken = table.name
        let statement = """
            SELECT \(table.identity.joined(separator: ", ")), \(table.key) FROM \(taken)
            WHERE \(table.key) IS ?1 AND typeof(\(table.key)) = typeof(?1)
              AND \(table.key) COLLATE \(table.collation) IS ?1
            """
        // Without an index, each search would scan the whole table.
        hasOwnIndex = try store.rows("EXPLAIN QUERY PLAN " + statement).contains { $0[3].readable.hasPrefix("SCAN ") }
        if hasOwnIndex { try store.execute("CREATE INDEX \(Self.index) ON \(taken)(\(table.key))") }
        search = try store.prepare(statement)
        removal = try store.prepare("DELETE FROM \(taken) WHERE \(table.identityCondition)")
        width = table.identity.count
        name = entity.name
        keyPlace = entity.columns.firstIndex { $0.name.utf8.elementsEqual(entity.key.utf8) } ?? 0
    }

    mutating func take(_ record: borrowing DocumentRecord) throws(GodwitError) {
        guard try takeOut(record.value(keyPlace)) <= 1 else { throw misfit("has several records of one key") }
    }

    mutating func take(gone key: borrowing DocumentRecord) throws(GodwitError) {
        guard try takeOut(key.value(0)) == 1 else { throw misfit("lacks a record that the increment lists as removed") }
    }

    mutating func end(_ entity: DocumentEntity) throws(GodwitError) {
        search = nil
        removal = nil
        if hasOwnIndex { try store.execute("DROP INDEX \(Self.index)") }
    }

    private mutating func takeOut(_ key: Value) throws(GodwitError) -> Int {
        var found: [[Value]] = []
        try search?.bind(key, at: 1)
        while try search?.step() == true {
            // SQLite treats 0.0 and -0.0 as equal.
            guard let row = search?.row(), row[width] == key else { continue }
            found.append(Array(row[..<width]))
        }
        search?.reset()
        for identity in found {
            try removal?.bind(identity)
            try removal?.run()
        }
        return found.count
    }

    private func misfit(_ what: String) -> GodwitError {
        GodwitError(
            .import, .data, "the increment does not fit its base: \(name) \(what)",
            hint: "Take another pair of exports: one of the two was edited.")
    }
}

extension ImportStage.Filled {
    /// Throws (65) if a document is not an increment of the restored one.
    func requireIncrement(_ header: DocumentHeader) throws(GodwitError) {
        guard let since = header.since else {
            throw GodwitError(
                .import, .data, "the second export is complete, not an increment",
                hint: Wording.text(
                    commandLine: "Restore it by itself, or name an export that `godwit export --since` wrote.",
                    library: "Restore it by itself."))
        }
        guard Manifest.Environment.mayMeet(header.environment, summary.header.environment) else {
            throw GodwitError(
                .import, .data,
                "the increment is from \(header.environment.named), but its base from "
                    + "\(summary.header.environment.named); Godwit never merges records of two CloudKit "
                    + "environments",
                hint: "Name the base of this increment: \(since.exportId).")
        }
        guard since.contentVersion == summary.sha256 else {
            throw GodwitError(
                .import, .data,
                "the base of the increment is export \(since.exportId) of \(since.exportedAt.iso8601), "
                    + "whose content differs from \(summary.header.exportId)",
                hint: "Name the base of this increment: \(since.exportId).")
        }
        guard header.app.utf8.elementsEqual(summary.header.app.utf8),
            header.schemaMigration == summary.header.schemaMigration
        else {
            throw GodwitError(
                .import, .data, "the increment is of another app or schema version than its base",
                hint: "Take another pair of exports: one of the two was edited.")
        }
    }

    /// Throws (65) if an entity of an increment has another description than in the base.
    func requireSameShape(_ entity: DocumentEntity, _ number: Int) throws(GodwitError) {
        guard number < entities.count, entities[number].name.utf8.elementsEqual(entity.name.utf8),
            entities[number].key.utf8.elementsEqual(entity.key.utf8), entities[number].columns == entity.columns
        else {
            throw GodwitError(
                .import, .data, "the increment declares \(entity.name) in another way than its base",
                hint: "Take another pair of exports: one of the two was edited.")
        }
    }
}
