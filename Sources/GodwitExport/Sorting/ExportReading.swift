package import GodwitModel
package import GodwitSQLite

/// The records of all tables of an export: each read once, from its beginning to its end, and put in order.
///
/// What stands before the records in a document, counts and dates, is known only when all of them have been read. What was
/// read is kept until then as the text that will be written: small tables in memory, others in a private file.
///
/// Invariant: everything was read in one state of the store, and is written as often as is asked, until the last time.
package final class ExportReading {
    let store: SQLiteConnection
    private(set) var tables: [ExportedTable]
    /// The records of each table, in order; nil for those that SQLite has to put in order, as they are written.
    private(set) var sorted: [SortedRecords?] = []
    /// What was found out on the way.
    package private(set) var scan = ExportScan()

    /// The tables with what alone is written of them.
    func tables(with changes: ExportChanges) -> [ExportedTable] {
        zip(tables, changes.counts).map { $0.counting($1) }
    }

    /// Records in all tables.
    var recordCount: Int64 { tables.reduce(0) { $0 + $1.count } }

    /// Reads the tables of a manifest's entities.
    ///
    /// - Parameters:
    ///   - sums: where a check beside it waits for the sums of whole tables.
    ///   - threads: how many read a large table; no more than one where nobody else can read it.
    package convenience init(
        _ store: SQLiteConnection, manifest: Manifest, context: RunContext, memory: SortMemory = .init(),
        sums: RecordSums? = nil, threads: ReadingThreads = .one
    ) throws(GodwitError) {
        let shape = try store.readShape()
        var tables: [ExportedTable] = []
        for entity in manifest.entities {
            let table = try store.table(for: entity, in: shape)
            tables.append(ExportedTable(table, count: try store.countRecords(of: entity.name)))
        }
        try self.init(store, tables, context, stage: .export, memory: memory, sums: sums, threads: threads)
    }

    /// Reads these tables; their counts are for those who watch, until they are read.
    init(
        _ store: SQLiteConnection, _ tables: [ExportedTable], _ context: RunContext, stage: Stage,
        memory: SortMemory = .init(), sums: RecordSums? = nil, threads: ReadingThreads = .one
    ) throws(GodwitError) {
        (self.store, self.tables) = (store, tables)
        sums?.withdraw(allBut: tables.filter { $0.scan != nil }.map(\.name))
        let sorter = RecordSorter(store, context, stage: stage, memory: memory, threads: threads)
        defer { sorter.end() }
        let total = recordCount
        var read: Int64 = 0
        for (index, table) in tables.enumerated() {
            try context.cancellation.check(stage)
            let summation = sums?.isPromised(table.name) == true ? try table.beginSummation(in: store) : nil
            let watch = ReadingLook.Watch {
                () throws(GodwitError) in
                try context.cancellation.check(stage)
            } tell: { [read] count in
                context.progress(RunProgress(stage: stage, completed: (read + count) / 2, total: total))
            }
            var look = ReadingLook(of: table, summation: summation, watch: watch)
            let records = try sorter.sort(table, isLast: index == tables.count - 1, &look)
            if records == nil { try look.readAlone(store) }
            if let sums { look.settle(sums, isRead: records != nil) }
            read += look.count
            self.tables[index].count = look.count
            sorted.append(records)
            scan.note(look, of: table.name)
        }
        scan.judge(now: context.now)
    }
}
