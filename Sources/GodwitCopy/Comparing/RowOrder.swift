internal import GodwitModel
internal import GodwitStore
import Synchronization

/// Walks two tables in the order in which both hold their records, for as long as they hold the same.
///
/// A new cloud store gets its records as they lie in the local one, and is proven so: each page of either store is read
/// once, where an order of keys may jump to another page for each record. Two tables whose rows are equal one by one hold
/// the same records, in whatever order they are asked for; of two that differ anywhere it tells no more than that.
///
/// Of large stores the rows are compared in ranges of their numbers, each by whichever thread is free: between them the
/// ranges have every number there is.
struct RowOrder: Sendable {
    let lockstep: Lockstep
    let seen: ComparedCount
    let threads: RowThreads

    private static let mostRanges = 32

    /// A thread's own readers.
    private struct Readers {
        let local: SQLiteConnection
        let cloud: SQLiteConnection
        /// Whether it is the calling thread: what that one can't read nobody can.
        let isCalling: Bool
    }

    private enum Outcome {
        case equal(Int64)
        case different
        /// Another range was found to differ, or a reader of another thread failed.
        case untold
    }

    /// The number of records, where both tables hold the very same ones in the same rows; nil where they do not.
    ///
    /// What the checks of both stores wait for is kept where they do.
    func countEqual(_ local: ComparedStore, _ cloud: ComparedStore) throws(GodwitError) -> Int64? {
        guard lockstep.local.selectInRowOrder != nil, lockstep.cloud.selectInRowOrder != nil else { return nil }
        let summation = try beginSummation(local, cloud)
        let own = Readers(local: local.connection, cloud: cloud.connection, isCalling: true)
        let ranges = try ranges(local, cloud)
        let isInVain = Atomic(false)
        let walk: @Sendable (Int, Readers) throws(GodwitError) -> Outcome = {
            [self] range, readers throws(GodwitError) in
            do throws(GodwitError) {
                let outcome = try compare(ranges[range], readers, summation, isInVain)
                if case .different = outcome { isInVain.store(true, ordering: .relaxed) }
                return outcome
            } catch {
                if readers.isCalling { throw error }
                return .untold
            }
        }
        let (mine, theirs) = (local.readers, cloud.readers)
        let outcomes = try SharedWork(ranges.count, walk).perform(
            with: own, threads: threads.count, startThread: threads.start
        ) {
            guard let local = try? mine?.scanningConnection(), let cloud = try? theirs?.scanningConnection() else {
                return nil
            }
            return Readers(local: local, cloud: cloud, isCalling: false)
        }
        var count: Int64 = 0
        for (range, outcome) in outcomes.enumerated() {
            var outcome = outcome
            if case .untold = outcome { outcome = try walk(range, own) }
            guard case .equal(let found) = outcome else { return nil }
            count += found
        }
        summation?.keep()
        return count
    }

    /// All rows as one range, unless others can read both stores, too.
    private func ranges(_ local: ComparedStore, _ cloud: ComparedStore) throws(GodwitError) -> [RowRange] {
        guard threads.count > 1, local.readers != nil, cloud.readers != nil else { return [.all] }
        let (row, table) = (lockstep.local.identity[0], lockstep.local.name)
        guard case .integer(let first)? = try local.connection.first("SELECT min(\(row)) FROM \(table)"),
            case .integer(let last)? = try local.connection.first("SELECT max(\(row)) FROM \(table)")
        else { return [.all] }
        return RowRange.parts(from: first, through: last, most: Self.mostRanges, ofAtLeast: threads.rangeSize)
    }

    private func compare(
        _ range: RowRange, _ readers: Readers, _ summation: TwinSummation?, _ isInVain: borrowing Atomic<Bool>
    ) throws(GodwitError) -> Outcome {
        let local = try lockstep.local.rows(range, of: readers.local)
        let cloud = try lockstep.cloud.rows(range, of: readers.cloud)
        let places = lockstep.places + [lockstep.cloud.columns.count]
        let part = summation?.beginPart()
        var count: Int64 = 0
        while try local.step() {
            guard try cloud.step(), local.columns(from: 0, equal: places, of: cloud) else { return .different }
            part?.add(local)
            count += 1
            guard count & 4095 == 0 else { continue }
            if isInVain.load(ordering: .relaxed) { return .untold }
            try seen.add(4096, isTold: readers.isCalling)
        }
        guard try !cloud.step() else { return .different }
        try seen.add(count & 4095, isTold: false)
        if let part { summation?.add(part) }
        return .equal(count)
    }

    /// Begins to sum up the local table for the checks; nil where neither waits for that.
    private func beginSummation(_ local: ComparedStore, _ cloud: ComparedStore) throws(GodwitError) -> TwinSummation? {
        let columns = lockstep.local.columns.enumerated().map { (quoted($1), $0) }
        return try TwinSummation(
            of: .init(local.connection, table: lockstep.local.shape.name, sums: local.sums),
            and: .init(cloud.connection, table: lockstep.cloud.shape.name, sums: cloud.sums),
            rowid: lockstep.local.columns.count, columns: Dictionary(columns, uniquingKeysWith: { first, _ in first }))
    }
}

extension EntityTable {
    /// The rows of a range, in their order, with the rowid behind the columns.
    fileprivate func rows(_ range: RowRange, of store: SQLiteConnection) throws(GodwitError) -> SQLiteCursor {
        guard range != .all, let select = selectInRowOrder(between: "?1", and: "?2") else {
            return try store.prepare(selectInRowOrder ?? selectInKeyOrder)
        }
        let rows = try store.prepare(select)
        try rows.bind(integer: range.first, at: 1)
        try rows.bind(integer: range.last, at: 2)
        return rows
    }
}
