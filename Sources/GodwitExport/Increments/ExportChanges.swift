package import GodwitModel
internal import GodwitSQLite
internal import Crypto

/// What has become of the records of an export: found by comparing every one of them with the store, by content.
///
/// Not by dates alone: a record that a sync brings late has an old date, and one that was set back has one, too. The
/// earlier export's keys and the hashes of its records lie in a working store, so memory does not grow with them.
package final class ExportChanges {
    private let notes: WorkingStore
    /// The export they are the differences from.
    package let origin: DocumentOrigin
    /// The content version of the whole store: what the earlier export becomes with these differences.
    package private(set) var contentVersion = ""
    /// For each table, how many records differ or are new, and how many are gone.
    private(set) var counts: [(changed: Int64, gone: Int64)] = []
    private let names: [String]

    /// How many records differ or are new, by entity.
    package var changed: [String: Int64] { byEntity(counts.map(\.changed)) }

    /// How many records are gone, by entity.
    package var gone: [String: Int64] { byEntity(counts.map(\.gone)) }

    private func byEntity(_ numbers: [Int64]) -> [String: Int64] {
        Dictionary(zip(names, numbers), uniquingKeysWith: { first, _ in first })
    }

    /// Reads the earlier export to its end, and then the store; 65 where the one can't be the base of the other.
    ///
    /// - Parameters:
    ///   - path: the earlier export, one that holds everything.
    ///   - schemaMigration: the migration that the store is at.
    ///   - environment: the store's CloudKit environment; nil where it is not known.
    ///   - reading: the records of the store.
    package init(
        since path: String, _ reading: ExportReading, manifest: Manifest, selection: [String]?, schemaMigration: Int?,
        environment: CloudEnvironment?, context: RunContext
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

    /// The hash of everything, and which records differ from those of the base.
    private func compare(_ reading: ExportReading, _ context: RunContext) throws(GodwitError) {
        let tables = reading.tables
        let comparison = try RecordComparison(notes.connection, tables.map(\.name))
        var sink = ExportSink()
        _ = try EntitiesWriter(reading, context: context, stage: .export, isLast: false).write(
            tables, to: &sink,
            look: { table in { record, key throws(GodwitError) in try comparison.take(record, key, of: table) } })
        contentVersion = try sink.endArray()
        for table in tables.indices {
            let gone = try notes.connection.first(
                "SELECT count(*) FROM base WHERE entity = ?", [.integer(Int64(table))])
            guard case .integer(let count)? = gone else { continue }
            counts.append((comparison.changed[table], count))
        }
    }

    /// The places of the records of a table that differ or are new, in their order.
    func changed(_ table: Int) throws(GodwitError) -> ChangedRecords {
        try ChangedRecords(notes.connection, table)
    }

    /// The keys of a table's records that are gone, as they are written.
    func gone(_ table: Int) throws(GodwitError) -> GoneKeys { try GoneKeys(notes.connection, table) }
}

/// Which records of a table are written, asked for one after the other.
final class ChangedRecords {
    private let places: SQLiteCursor
    private var next: Int64?

    init(_ notes: SQLiteConnection, _ table: Int) throws(GodwitError) {
        let found = try notes.prepare("SELECT place FROM changed WHERE entity = ? ORDER BY place")
        try found.bind(integer: Int64(table), at: 1)
        next = try found.step() ? found.integer(0) : nil
        places = found
    }

    /// Whether the record at this place, counted from 1, is the next one to be written.
    func isNext(_ place: Int64) throws(GodwitError) -> Bool {
        guard place == next else { return false }
        next = try places.step() ? places.integer(0) : nil
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
