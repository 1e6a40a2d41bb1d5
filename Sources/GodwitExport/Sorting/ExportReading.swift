package import GodwitModel
package import GodwitSQLite

/// The sorted records of all tables of an export; each table is read once, from start to end.
///
/// In a document, counts and dates come before the records, but are known only after reading them. Until then, the text
/// of the records is kept: small tables in memory, others in a private file.
/// Invariant: all records are read from one state of the store. They can be written several times, until the last time.
package final class ExportReading {
    let store: SQLiteConnection
    private(set) var tables: [ExportedTable]
    /// The records of each table, in order; nil for tables that SQLite must sort while they are written.
    private(set) var sorted: [SortedRecords?] = []
    package private(set) var scan = ExportScan()

    /// The tables with the counts of an increment.
    func tables(with changes: ExportChanges) -> [ExportedTable] {
        zip(tables, changes.counts).map { $0.counting($1) }
    }

    var recordCount: Int64 { tables.reduce(0) { $0 + $1.count } }

    /// Reads the tables of a manifest's entities.
    ///
    /// - Parameters:
    ///   - threads: the threads that read a large table; one if no other reader is possible.
    package convenience init(
        _ store: SQLiteConnection, manifest: Manifest, context: RunContext, memory: SortMemory = .init(),
        threads: ReadingThreads = .one
    ) throws(GodwitError) {
        let shape = try store.readShape()
        var tables: [ExportedTable] = []
        for entity in manifest.entities {
            let table = try store.table(for: entity, in: shape)
            tables.append(ExportedTable(table, count: try store.estimateRecords(of: entity.name)))
        }
        try self.init(store, tables, context, stage: .export, memory: memory, threads: threads)
    }

    /// Reads these tables; until then, their counts are only for progress reports.
    init(
        _ store: SQLiteConnection, _ tables: [ExportedTable], _ context: RunContext, stage: GodwitError.Stage,
        memory: SortMemory = .init(), threads: ReadingThreads = .one
    ) throws(GodwitError) {
        (self.store, self.tables) = (store, tables)
        let sorter = RecordSorter(store, context, stage: stage, memory: memory, threads: threads)
        defer { sorter.end() }
        let total = recordCount
        var read: Int64 = 0
        for (index, table) in tables.enumerated() {
            try context.cancellation.check(stage)
            let watch = TableFacts.Watch {
                () throws(GodwitError) in
                try context.cancellation.check(stage)
            } report: { [read] count in
                context.progress(RunProgress(stage: stage, completed: (read + count) / 2, total: total))
            }
            var facts = TableFacts(of: table, watch: watch)
            let records = try sorter.sort(table, isLast: index == tables.count - 1, &facts)
            if records == nil { try facts.readAlone(store) }
            read += facts.count
            self.tables[index].count = facts.count
            sorted.append(records)
            scan.note(facts, of: table.name)
        }
        scan.judge(now: context.now)
    }
}
