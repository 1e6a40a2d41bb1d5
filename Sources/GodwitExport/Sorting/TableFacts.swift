internal import GodwitModel
internal import GodwitSQLite
import Synchronization

/// Facts about a table that are collected while its records are read: their number and newest date.
///
/// A class, so that a loop copies and allocates nothing per record. Each thread that reads a part of the table has its
/// own, and only that thread uses it until it is done.
final class TableFacts: @unchecked Sendable {
    private let table: ExportedTable
    /// Index of the date in the rows of `ExportedTable.Scan`.
    private let dateColumn: Int?
    private let encoding: InstantEncoding?
    private let watch: Watch
    // Only one thread uses these; exclusivity checks would take longer than the work.
    @exclusivity(unchecked) private(set) var count: Int64 = 0
    @exclusivity(unchecked) private var dates = NewestDate()

    /// Whether this belongs to the thread that reports progress, which never decreases.
    private let isCalling: Bool

    /// Number of records that all threads together have read.
    final class Watch: Sendable {
        private let seen = Atomic<Int64>(0)
        private let reported = Atomic<Int64>(0)
        private let check: @Sendable () throws(GodwitError) -> Void
        private let report: @Sendable (_ count: Int64) -> Void

        /// - Parameters:
        ///   - check: called for each 4096th record; throws to stop.
        ///   - report: receives the number of records, on the calling thread only, in increasing order.
        init(
            check: @escaping @Sendable () throws(GodwitError) -> Void, report: @escaping @Sendable (Int64) -> Void
        ) {
            (self.check, self.report) = (check, report)
        }

        fileprivate func add(_ count: Int64, isReported: Bool) throws(GodwitError) {
            let all = seen.add(count, ordering: .relaxed).newValue
            try check()
            guard isReported, all > reported.load(ordering: .relaxed) else { return }
            reported.store(all, ordering: .relaxed)
            report(all)
        }

        fileprivate func beginAnew() { seen.store(0, ordering: .relaxed) }
    }

    init(of table: ExportedTable, watch: Watch, isCalling: Bool = true) {
        (self.table, self.watch, self.isCalling) = (table, watch, isCalling)
        encoding = table.modified?.encoding
        dateColumn = table.modified.flatMap { modified in
            table.columns.firstIndex { $0.name.isSameName(as: modified.column) }
        }.map { $0 + ExportedTable.Scan.columnsBefore }
    }

    /// An empty one for another thread.
    func another() -> TableFacts {
        TableFacts(of: table, watch: watch, isCalling: false)
    }

    /// Replaces this one if the table must be read again.
    func restarted() -> TableFacts {
        watch.beginAnew()
        return TableFacts(of: table, watch: watch, isCalling: isCalling)
    }

    /// Adds the facts of another part.
    func add(_ other: TableFacts) {
        count += other.count
        dates.take(other.dates)
    }

    /// Processes a row of a `Scan`.
    func take(_ row: RowValues) throws(GodwitError) {
        if let dateColumn { dates.take(row[dateColumn], as: encoding) }
        try advance()
    }

    /// Collects the facts of a table whose records SQLite will sort later.
    func readAlone(_ store: SQLiteConnection) throws(GodwitError) {
        count = 0
        watch.beginAnew()
        guard let modified = table.modified else {
            count = try store.countRecords(of: table.name)
            return
        }
        let dates = try store.prepare("SELECT \(quoted(modified.column)) FROM \(store.source(table.name))")
        while try dates.step() {
            self.dates.take(0, of: dates, as: encoding)
            try advance()
        }
    }

    var newest: Instant? { dates.date }

    private func advance() throws(GodwitError) {
        count += 1
        if count & 4095 == 0 { try watch.add(4096, isReported: isCalling) }
    }
}
