internal import GodwitModel
internal import GodwitStore

/// What is found out about a table as its records are read: how many there are, their newest date, and their sums.
///
/// A class, for a loop that neither copies nor allocates anything for a record.
final class ReadingLook {
    private let table: ExportedTable
    /// Where the date of a record is in the rows of `ExportedTable.Scan`.
    private let dateColumn: Int?
    private let encoding: InstantEncoding?
    private let summation: RecordSummation?
    private let report: (_ count: Int64) throws(GodwitError) -> Void
    // Nobody else has it, and asking for each record whether that is so takes longer than to count it.
    @exclusivity(unchecked) private(set) var count: Int64 = 0
    @exclusivity(unchecked) private var dates = NewestDate()

    /// - Parameter report: told of each 4096th record.
    init(
        of table: ExportedTable, summation: RecordSummation?, report: @escaping (Int64) throws(GodwitError) -> Void
    ) {
        (self.table, self.summation, self.report) = (table, summation, report)
        encoding = table.modified?.encoding
        dateColumn = table.modified.flatMap { modified in
            table.columns.firstIndex { $0.name.isSameName(as: modified.column) }
        }.map { $0 + ExportedTable.Scan.columnsBefore }
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
        if count & 4095 == 0 { try report(count) }
    }
}
