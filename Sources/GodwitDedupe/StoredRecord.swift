internal import GodwitModel

/// A record of a table, with the identity of its row.
struct StoredRecord: Sendable {
    /// The rowid, or the primary key of a table WITHOUT ROWID.
    let identity: [Value]
    /// The stored columns, in the order of the table.
    let columns: [Value]
}
