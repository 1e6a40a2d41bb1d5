package import GodwitSQLite

/// A store that is compared with another one, with its readers and the sums that its check waits for.
package struct ComparedStore {
    package let connection: SQLiteConnection
    /// Opens further readers of the same state for other threads; nil for a small store.
    let readers: SoundnessCheck?
    /// Sums for a check of the store that runs at the same time; otherwise it would read the tables again.
    let sums: RecordSums?
    /// The store with the parents of the records, if this store has only some of its records.
    package let whole: SQLiteConnection?

    /// A store without further readers.
    package init(_ connection: SQLiteConnection, within whole: SQLiteConnection? = nil) {
        (self.connection, readers, sums) = (connection, nil, nil)
        self.whole = whole
    }

    /// Withdraws the sums, because another store is compared instead.
    package func withdrawSums() { sums?.withdraw() }

    /// The state of a snapshot, which must stay open until the comparison has ended.
    ///
    /// - Parameters:
    ///   - sums: nil if no check waits for them.
    ///   - isShared: whether other threads may read it too; nil to decide by its size.
    package init(_ snapshot: borrowing StoreSnapshot, sums: RecordSums? = nil, isShared: Bool? = nil) {
        (connection, readers) = (snapshot.connection, isShared ?? snapshot.isLarge ? snapshot.soundness : nil)
        self.sums = sums
        whole = nil
    }
}
