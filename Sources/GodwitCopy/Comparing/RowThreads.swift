package import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite

/// How many threads compare two stores row by row, and how they share the work.
///
/// The rows are compared in ranges of the local ones' numbers, each by whichever thread is free: between them the ranges
/// have every number there is.
package struct RowThreads: Sendable {
    /// The calling one included.
    package var count = min(Processors.count, 3)
    /// How many numbers of rows are worth a range of their own.
    package var rangeSize: UInt64 = 1 << 14
    /// What starts a thread.
    package var start: @Sendable (@escaping @Sendable () -> Void) -> WorkerThread? = { WorkerThread($0) }

    private static let mostRanges = 32

    package init() {}

    /// All rows as one range, unless others can read both stores, too.
    ///
    /// - Parameter bounds: the smallest and the greatest number there is, or something near to it; nil where there is none.
    func ranges(
        _ local: ComparedStore, _ cloud: ComparedStore,
        _ bounds: () throws(GodwitError) -> (first: Int64, last: Int64)?
    ) throws(GodwitError) -> [RowRange] {
        guard count > 1, local.readers != nil, cloud.readers != nil, let bounds = try bounds() else { return [.all] }
        return RowRange.parts(from: bounds.first, through: bounds.last, most: Self.mostRanges, ofAtLeast: rangeSize)
    }

    /// Does something for each range, with readers of the thread's own; nil is what the body gave back.
    ///
    /// What another thread can't read the calling one does again: what that one can't read nobody can.
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
    /// Whether it is the calling thread, which alone tells of its progress.
    let isCalling: Bool
}
