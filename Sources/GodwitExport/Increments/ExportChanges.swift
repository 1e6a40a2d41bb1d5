package import GodwitModel
internal import GodwitSQLite
internal import Crypto

/// The changes since an earlier export, found by comparing every record with the store by content.
///
/// Dates are not enough: a record that a sync adds late has an old date, and so may a record that was reset. The keys
/// and hashes of the earlier export are in a working store, so memory does not grow with them.
package final class ExportChanges {
    private let notes: WorkingStore
    /// The earlier export.
    package let origin: DocumentOrigin
    /// The content version of the whole store: that of the earlier export with these changes.
    package private(set) var contentVersion = ""
    /// For each table, the number of records that changed or are new, and of those that were removed.
    private(set) var counts: [(changed: Int64, gone: Int64)] = []
    private let names: [String]

    /// Number of records that changed or are new, by entity.
    package var changed: [String: Int64] { byEntity(counts.map(\.changed)) }

    /// Number of removed records, by entity.
    package var gone: [String: Int64] { byEntity(counts.map(\.gone)) }

    private func byEntity(_ numbers: [Int64]) -> [String: Int64] {
        Dictionary(zip(names, numbers), uniquingKeysWith: { first, _ in first })
    }

    /// Reads the earlier export completely, then the store; throws 65 if the export cannot be the base.
    ///
    /// - Parameter path: the earlier export, which must be complete.
    package init(
        since path: String, _ reading: ExportReading, manifest: Manifest, selection: [String]?, schemaMigration: Int?,
        environment: Manifest.Environment?, context: RunContext
    ) throws(GodwitError) {
        let tables = reading.tables
        names = tables.map(\.name)
        notes = try WorkingStore(stage: .export, cancellation: context.cancellation)
        try notes.connection.execute(
            "CREATE TABLE base(entity INTEGER, key BLOB, digest BLOB, PRIMARY KEY(entity, key)) WITHOUT ROWID")
        try notes.connection.execute(
            "CREATE TABLE changed(entity INTEGER, place INTEGER, PRIMARY KEY(entity, place)) WITHOUT ROWID")
        var base = try ExportBase(
            notes: notes.connection, tables: tables, app: manifest.app, selection: selection,
            schemaMigration: schemaMigration, environment: environment, path: path)
        let reader = ExportReader(stage: .export, cancellation: context.cancellation)
        let summary = try reader.read(ExportInput(path: path, stage: .export), into: &base)
        try base.requireAllEntities()
        origin = DocumentOrigin(
            exportId: summary.header.exportId, exportedAt: summary.header.exportedAt, contentVersion: summary.sha256)
        try compare(reading, context)
    }

    /// Computes the hash of all records, and finds those that differ from the base.
    private func compare(_ reading: ExportReading, _ context: RunContext) throws(GodwitError) {
        let tables = reading.tables
        let comparison = try RecordComparison(notes.connection, tables.map(\.name))
        var sink = ExportSink()
        _ = try EntitiesWriter(reading, context: context, stage: .export, isLast: false).write(
            tables, to: &sink,
            observe: { table in { record, key throws(GodwitError) in try comparison.take(record, key, of: table) } })
        contentVersion = try sink.endArray()
        for table in tables.indices {
            let gone = try notes.connection.first(
                "SELECT count(*) FROM base WHERE entity = ?", [.integer(Int64(table))])
            guard case .integer(let count)? = gone else { continue }
            counts.append((comparison.changed[table], count))
        }
    }

    /// The changed and new records of a table, in order.
    func changed(_ table: Int) throws(GodwitError) -> ChangedRecords {
        try ChangedRecords(notes.connection, table)
    }

    /// The keys of a table's removed records, as they are written.
    func gone(_ table: Int) throws(GodwitError) -> GoneKeys { try GoneKeys(notes.connection, table) }
}

/// The records of a table to write; ask for each record in order.
final class ChangedRecords {
    private let numbers: SQLiteCursor
    private var next: Int64?

    init(_ notes: SQLiteConnection, _ table: Int) throws(GodwitError) {
        let found = try notes.prepare("SELECT place FROM changed WHERE entity = ? ORDER BY place")
        try found.bind(integer: Int64(table), at: 1)
        next = try found.step() ? found.integer(0) : nil
        numbers = found
    }

    /// Whether the record with this number, from 1, is the next one to write.
    func isNext(_ number: Int64) throws(GodwitError) -> Bool {
        guard number == next else { return false }
        next = try numbers.step() ? numbers.integer(0) : nil
        return true
    }
}

/// Keys as JSON, in the order of their bytes.
final class GoneKeys {
    private let keys: SQLiteCursor

    init(_ notes: SQLiteConnection, _ table: Int) throws(GodwitError) {
        let found = try notes.prepare("SELECT key FROM base WHERE entity = ? ORDER BY key")
        try found.bind(integer: Int64(table), at: 1)
        keys = found
    }

    func next() throws(GodwitError) -> [UInt8]? {
        try keys.step() ? keys.withBytes(0) { Array($0) } : nil
    }
}
