package import GodwitFiles
internal import GodwitModel
package import GodwitSQLite

/// The threads that read a large table, in ranges of its rowids, each on its own connection.
package struct ReadingThreads: Sendable {
    /// Opens further readers of the same state; nil if none are possible.
    package let readers: StoreReaders?
    /// Includes the calling thread.
    ///
    /// At most two, because each needs memory for a chunk.
    package var count = min(Processors.count, 2)
    /// Minimum number of records for more than one thread: opening a store takes as long as reading thousands.
    package var fewest: Int64 = 20_000
    /// Minimum number of rowids in a range.
    package var rangeSize: UInt64 = 1 << 12
    package var start: @Sendable (@escaping @Sendable () -> Void) -> WorkerThread? = { WorkerThread($0) }

    private static let mostRanges = 64

    package init(_ readers: StoreReaders?) { self.readers = readers }

    /// Only the calling thread.
    package static let one = ReadingThreads(nil)

    /// All rows as one range, unless several threads can read the table and it is large enough.
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
