package import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite

/// The threads that compare two stores row by row, in ranges of the local rowids.
///
/// The ranges cover all possible rowids; the next free thread takes the next range.
package struct RowThreads: Sendable {
    /// Includes the calling thread.
    package var count = min(Processors.count, 3)
    /// Minimum number of rowids in a range.
    package var rangeSize: UInt64 = 1 << 14
    package var start: @Sendable (@escaping @Sendable () -> Void) -> WorkerThread? = { WorkerThread($0) }

    private static let mostRanges = 32

    package init() {}

    /// All rows as one range, unless other threads can read both stores.
    ///
    /// - Parameter bounds: the smallest and greatest rowid, exactly or approximately; nil if there is none.
    func ranges(
        _ local: ComparedStore, _ cloud: ComparedStore,
        _ bounds: () throws(GodwitError) -> (first: Int64, last: Int64)?
    ) throws(GodwitError) -> [RowRange] {
        guard count > 1, local.readers != nil, cloud.readers != nil, let bounds = try bounds() else { return [.all] }
        return RowRange.parts(from: bounds.first, through: bounds.last, most: Self.mostRanges, ofAtLeast: rangeSize)
    }

    /// Calls a body for each range, with the thread's own readers; its result may be nil.
    ///
    /// If another thread cannot read a range, the calling thread reads it again, and its error counts.
    func perform<Outcome: Sendable>(
        _ ranges: [RowRange], _ local: ComparedStore, _ cloud: ComparedStore,
        _ body: @escaping @Sendable (RowRange, RowReaders) throws(GodwitError) -> Outcome?
    ) throws(GodwitError) -> [Outcome?] {
        let own = RowReaders(local: local.connection, cloud: cloud.connection, isCalling: true)
        let (mine, theirs) = (local.readers, cloud.readers)
        let work = SharedWork<RowReaders, Attempt<Outcome>>(ranges.count) { index, readers throws(GodwitError) in
            do throws(GodwitError) { return .made(try body(ranges[index], readers)) } catch {
                if readers.isCalling { throw error }
                return .failed
            }
        }
        let attempts = try work.perform(with: own, threads: count, startThread: start) {
            guard let local = try? mine?.scanningConnection(), let cloud = try? theirs?.scanningConnection() else {
                return nil
            }
            return RowReaders(local: local, cloud: cloud, isCalling: false)
        }
        var outcomes: [Outcome?] = []
        for (range, attempt) in zip(ranges, attempts) {
            switch attempt {
            case .made(let outcome): outcomes.append(outcome)
            case .failed: outcomes.append(try body(range, own))
            }
        }
        return outcomes
    }

    private enum Attempt<Outcome: Sendable>: Sendable {
        case made(Outcome?)
        case failed
    }
}

/// A thread's own readers of both stores.
struct RowReaders {
    let local: SQLiteConnection
    let cloud: SQLiteConnection
    /// Whether this is the calling thread; only that one reports progress.
    let isCalling: Bool
}
