internal import GodwitModel
internal import GodwitSQLite
import Synchronization

/// Walks two tables in the order in which both hold their records, for as long as they hold the same.
///
/// A new cloud store gets its records as they lie in the local one, and is proven so: each page of either store is read
/// once, where an order of keys may jump to another page for each record. Two tables whose rows are equal one by one hold
/// the same records, in whatever order they are asked for; of two that differ anywhere it tells no more than that.
///
/// Of large stores several threads compare ranges of the rows (`RowThreads`).
struct RowOrder: Sendable {
    let lockstep: EntityComparison
    let seen: ComparedCount
    let threads: RowThreads

    private enum Outcome {
        case equal(Int64)
        case different
    }

    /// The number of records, where both tables hold the very same ones in the same rows; nil where they do not.
    ///
    /// What the checks of both stores wait for is kept where they do.
    func countEqual(_ local: ComparedStore, _ cloud: ComparedStore) throws(GodwitError) -> Int64? {
        guard lockstep.local.selectInRowOrder != nil, lockstep.cloud.selectInRowOrder != nil else { return nil }
        let summation = try beginSummation(local, cloud)
        let isInVain = Atomic(false)
        let ranges = try threads.ranges(local, cloud) { () throws(GodwitError) in try bounds(local.connection) }
        let outcomes = try threads.perform(ranges, local, cloud) {
            [self] range, readers throws(GodwitError) in
            let outcome = try compare(range, readers, summation, isInVain)
            if case .different? = outcome { isInVain.store(true, ordering: .relaxed) }
            return outcome
        }
        var count: Int64 = 0
        for outcome in outcomes {
            guard case .equal(let found)? = outcome else { return nil }
            count += found
        }
        summation?.keep()
        return count
    }

    private func bounds(_ local: SQLiteConnection) throws(GodwitError) -> (first: Int64, last: Int64)? {
        let (row, table) = (lockstep.local.identity[0], lockstep.local.name)
        guard case .integer(let first)? = try local.first("SELECT min(\(row)) FROM \(table)"),
            case .integer(let last)? = try local.first("SELECT max(\(row)) FROM \(table)")
        else { return nil }
        return (first, last)
    }

    /// What the rows of a range are; nil where another range was found to differ meanwhile.
    private func compare(
        _ range: RowRange, _ readers: RowReaders, _ summation: TwinSummation?, _ isInVain: borrowing Atomic<Bool>
    ) throws(GodwitError) -> Outcome? {
        if isInVain.load(ordering: .relaxed) { return nil }
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
            if isInVain.load(ordering: .relaxed) { return nil }
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
    func rows(_ range: RowRange, of store: SQLiteConnection) throws(GodwitError) -> SQLiteCursor {
        guard range != .all, let select = selectInRowOrder(between: "?1", and: "?2") else {
            return try store.prepare(selectInRowOrder ?? selectInKeyOrder)
        }
        let rows = try store.prepare(select)
        try rows.bind(integer: range.first, at: 1)
        try rows.bind(integer: range.last, at: 2)
        return rows
    }
}
