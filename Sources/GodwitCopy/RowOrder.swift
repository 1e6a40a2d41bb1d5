internal import GodwitModel
internal import GodwitStore

/// Walks two tables in the order in which both hold their records, for as long as they hold the same.
///
/// A new cloud store gets its records as they lie in the local one, and is proven so: each page of either store is read
/// once, where an order of keys may jump to another page for each record. Two tables whose rows are equal one by one hold
/// the same records, in whatever order they are asked for; of two that differ anywhere it tells no more than that.
struct RowOrder {
    let lockstep: Lockstep

    /// The number of records, where both tables hold the very same ones in the same rows; nil where they do not.
    ///
    /// - Parameter tick: told of each record.
    func countEqual(
        _ localStore: SQLiteConnection, _ cloudStore: SQLiteConnection, _ tick: () throws(GodwitError) -> Void
    ) throws(GodwitError) -> Int64? {
        guard let mine = lockstep.local.selectInRowOrder, let theirs = lockstep.cloud.selectInRowOrder else {
            return nil
        }
        let local = try localStore.prepare(mine)
        let cloud = try cloudStore.prepare(theirs)
        let places = lockstep.places + [lockstep.cloud.columns.count]
        var count: Int64 = 0
        while try local.step() {
            guard try cloud.step(), local.columns(from: 0, equal: places, of: cloud) else { return nil }
            count += 1
            try tick()
        }
        return try cloud.step() ? nil : count
    }
}
