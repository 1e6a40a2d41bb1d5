package import GodwitSQLite

/// A store that is compared with another one, with its readers.
package struct ComparedStore {
    package let connection: SQLiteConnection
    /// Opens further readers of the same state for other threads; nil for a small store.
    let readers: StoreReaders?
    /// The store with the parents of the records, if this store has only some of its records.
    package let whole: SQLiteConnection?

    /// A store without further readers.
    package init(_ connection: SQLiteConnection, within whole: SQLiteConnection? = nil) {
        (self.connection, readers) = (connection, nil)
        self.whole = whole
    }

    /// The state of a snapshot, which must stay open until the comparison has ended.
    ///
    /// - Parameter isShared: whether other threads may read it too; nil to decide by its size.
    package init(_ snapshot: borrowing StoreSnapshot, isShared: Bool? = nil) {
        (connection, readers) = (snapshot.connection, isShared ?? snapshot.isLarge ? snapshot.readers : nil)
        whole = nil
    }
}
