internal import GodwitModel

/// A record as it lies in a table, with what tells its row from all others.
struct StoredRecord: Sendable {
    /// The rowid, or the primary key where there is none.
    let identity: [Value]
    /// The stored columns, in the table's own order.
    let columns: [Value]
}
