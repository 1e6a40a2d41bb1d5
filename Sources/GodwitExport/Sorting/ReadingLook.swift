internal import GodwitModel
internal import GodwitSQLite
import Synchronization

/// What is found out about a table as its records are read: how many there are, their newest date, and their sums.
///
/// A class, for a loop that neither copies nor allocates anything for a record. Each thread that reads a part of the table
/// has one of its own, and only that thread touches it until it is through.
final class ReadingLook: @unchecked Sendable {
    private let table: ExportedTable
    /// Where the date of a record is in the rows of `ExportedTable.Scan`.
    private let dateColumn: Int?
    private let encoding: InstantEncoding?
    private let summation: RecordSummation?
    private let watch: Watch
    // Nobody else has it, and asking for each record whether that is so takes longer than to count it.
    @exclusivity(unchecked) private(set) var count: Int64 = 0
    @exclusivity(unchecked) private var dates = NewestDate()

    /// Whether this is the one of the thread that tells how far the reading is: none goes back behind what was told.
    private let isCalling: Bool

    /// How many records all threads together have read.
    final class Watch: Sendable {
        private let seen = Atomic<Int64>(0)
        private let told = Atomic<Int64>(0)
        private let check: @Sendable () throws(GodwitError) -> Void
        private let tell: @Sendable (_ count: Int64) -> Void

        /// - Parameters:
        ///   - check: asked at each 4096th record whether to go on.
        ///   - tell: told how many there were, by the calling thread alone; never fewer than before.
        init(
            check: @escaping @Sendable () throws(GodwitError) -> Void, tell: @escaping @Sendable (Int64) -> Void
        ) {
            (self.check, self.tell) = (check, tell)
        }

        fileprivate func add(_ count: Int64, isTold: Bool) throws(GodwitError) {
            let all = seen.add(count, ordering: .relaxed).newValue
            try check()
            guard isTold, all > told.load(ordering: .relaxed) else { return }
            told.store(all, ordering: .relaxed)
            tell(all)
        }

        fileprivate func beginAnew() { seen.store(0, ordering: .relaxed) }
    }

    init(of table: ExportedTable, summation: RecordSummation?, watch: Watch, isCalling: Bool = true) {
        (self.table, self.summation, self.watch, self.isCalling) = (table, summation, watch, isCalling)
        encoding = table.modified?.encoding
        dateColumn = table.modified.flatMap { modified in
            table.columns.firstIndex { $0.name.isSameName(as: modified.column) }
        }.map { $0 + ExportedTable.Scan.columnsBefore }
    }

    /// One for another thread, which has seen no row.
    func another() -> ReadingLook {
        ReadingLook(of: table, summation: summation?.another(), watch: watch, isCalling: false)
    }

    /// One that takes the place of this one, where the table is read once more.
    func anew() -> ReadingLook {
        watch.beginAnew()
        return ReadingLook(of: table, summation: summation?.another(), watch: watch, isCalling: isCalling)
    }

    /// Adds what another one has seen.
    func add(_ other: ReadingLook) {
        count += other.count
        dates.take(other.dates)
        if let theirs = other.summation { summation?.add(theirs) }
    }

    /// Looks at a row of a `Scan`.
    func take(_ row: RowValues) throws(GodwitError) {
        summation?.add(row)
        if let dateColumn { dates.take(row[dateColumn], as: encoding) }
        try advance()
    }

    /// Reads what is wanted of a table whose records are not read yet.
    func readAlone(_ store: SQLiteConnection) throws(GodwitError) {
        count = 0
        watch.beginAnew()
        guard let modified = table.modified else {
            count = try store.countRecords(of: table.name)
            return
        }
        let dates = try store.prepare("SELECT \(quoted(modified.column)) FROM \(quoted(table.name))")
        while try dates.step() {
            self.dates.take(0, of: dates, as: encoding)
            try advance()
        }
    }

    /// Keeps the promise that was given of this table, or takes it back.
    func settle(_ sums: RecordSums, isRead: Bool) {
        if isRead, let summation { sums.keep(summation) } else { sums.withdraw(table.name) }
    }

    /// The newest readable date.
    var newest: Instant? { dates.date }

    private func advance() throws(GodwitError) {
        count += 1
        if count & 4095 == 0 { try watch.add(4096, isTold: isCalling) }
    }
}
