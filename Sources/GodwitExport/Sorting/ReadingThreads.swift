package import GodwitFiles
internal import GodwitModel
package import GodwitSQLite

/// How many threads read a large table, and how they share it.
///
/// It is read in ranges of its rowids, each by whichever thread is free, the others on connections of their own.
package struct ReadingThreads: Sendable {
    /// Who opens more readers of the same state of the store; nil where there can be no others.
    package let readers: SoundnessCheck?
    /// The calling one included.
    ///
    /// More than two would each need memory for a piece of their own.
    package var count = min(Processors.count, 2)
    /// The fewest records of a table that more than one thread reads: to open a store takes as long as to read thousands.
    package var fewest: Int64 = 20_000
    /// How many rowids are worth a range of their own.
    package var rangeSize: UInt64 = 1 << 12
    /// What starts a thread.
    package var start: @Sendable (@escaping @Sendable () -> Void) -> WorkerThread? = { WorkerThread($0) }

    private static let mostRanges = 64

    /// - Parameter readers: of the snapshot that is read, which must stay open.
    package init(_ readers: SoundnessCheck?) { self.readers = readers }

    /// The calling thread alone.
    package static let one = ReadingThreads(nil)

    /// All rows as one range, unless others can read the table, and it is worth it.
    func ranges(
        _ table: ExportedTable, _ scan: ExportedTable.Scan, in store: SQLiteConnection
    ) throws(GodwitError)
        -> [RowRange]
    {
        guard count > 1, readers != nil, table.count >= fewest,
            case .integer(let first)? = try store.first(scan.end(isLast: false)),
            case .integer(let last)? = try store.first(scan.end(isLast: true))
        else { return [.all] }
        return RowRange.parts(from: first, through: last, most: Self.mostRanges, ofAtLeast: rangeSize)
    }
}
