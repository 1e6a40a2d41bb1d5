internal import GodwitModel
internal import GodwitSQLite
import Synchronization

/// Compares two tables in the order of their rows, as long as they have the same ones.
///
/// A new cloud store gets its records in the order of the local store, and is proven in that order: each page of both
/// stores is read once, whereas key order may need another page for each record. Two tables with equal rows have the
/// same records in any order; if they differ anywhere, this gives no result.
/// For large stores, several threads compare ranges of rows (`RowThreads`).
struct RowOrder: Sendable {
    let lockstep: EntityComparison
    let seen: ComparedCount
    let threads: RowThreads

    private enum Outcome {
        case equal(Int64)
        case different
    }

    /// The number of records if both tables have the same ones in the same rows; nil otherwise.
    func countEqual(_ local: ComparedStore, _ cloud: ComparedStore) throws(GodwitError) -> Int64? {
        guard lockstep.local.selectInRowOrder != nil, lockstep.cloud.selectInRowOrder != nil else { return nil }
        let isInVain = Atomic(false)
        let ranges = try threads.ranges(local, cloud) { () throws(GodwitError) in try bounds(local.connection) }
        let outcomes = try threads.perform(ranges, local, cloud) {
            [self] range, readers throws(GodwitError) in
            let outcome = try compare(range, readers, isInVain)
            if case .different? = outcome { isInVain.store(true, ordering: .relaxed) }
            return outcome
        }
        var count: Int64 = 0
        for outcome in outcomes {
            guard case .equal(let found)? = outcome else { return nil }
            count += found
        }
        return count
    }

    private func bounds(_ local: SQLiteConnection) throws(GodwitError) -> (first: Int64, last: Int64)? {
        let (row, table) = (lockstep.local.identity[0], "\(lockstep.local.name) NOT INDEXED")
        guard case .integer(let first)? = try local.first("SELECT min(\(row)) FROM \(table)"),
            case .integer(let last)? = try local.first("SELECT max(\(row)) FROM \(table)")
        else { return nil }
        return (first, last)
    }

    /// Compares the rows of a range; nil if another range was found to differ.
    private func compare(
        _ range: RowRange, _ readers: RowReaders, _ isInVain: borrowing Atomic<Bool>
    ) throws(GodwitError) -> Outcome? {
        if isInVain.load(ordering: .relaxed) { return nil }
        let local = try lockstep.local.rows(range, of: readers.local)
        let cloud = try lockstep.cloud.rows(range, of: readers.cloud)
        let places = lockstep.places + [lockstep.cloud.columns.count]
        var count: Int64 = 0
        while try local.step() {
            guard try cloud.step(), local.columns(from: 0, equal: places, of: cloud) else { return .different }
            count += 1
            guard count & 4095 == 0 else { continue }
            if isInVain.load(ordering: .relaxed) { return nil }
            try seen.add(4096, isTold: readers.isCalling)
        }
        guard try !cloud.step() else { return .different }
        try seen.add(count & 4095, isTold: false)
        return .equal(count)
    }
}

extension EntityTable {
    /// The rows of a range in order, with the rowid after the columns.
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
