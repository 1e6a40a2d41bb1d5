package import GodwitSQLite

/// A store that is compared with another one: who reads it, who else may, and who waits for what is found.
package struct ComparedStore {
    package let connection: SQLiteConnection
    /// What opens further readers of the same state, for other threads; nil for a store that is not worth one.
    let readers: SoundnessCheck?
    /// What a check of the store waits for that goes on beside it: it would read the tables once more.
    let sums: RecordSums?
    /// The store that has the parents of its records, where it has only some of a store's records.
    package let whole: SQLiteConnection?

    /// One that nobody else reads.
    package init(_ connection: SQLiteConnection, within whole: SQLiteConnection? = nil) {
        (self.connection, readers, sums) = (connection, nil, nil)
        self.whole = whole
    }

    /// Has a check of the store wait for nothing that is found here: another store is compared in its place.
    package func withdrawSums() { sums?.withdraw() }

    /// What a snapshot shows, which must be open until it has been compared.
    ///
    /// - Parameters:
    ///   - sums: nil where no check waits for them.
    ///   - isShared: whether other threads may read it, too; nil for those of a large store.
    package init(_ snapshot: borrowing StoreSnapshot, sums: RecordSums? = nil, isShared: Bool? = nil) {
        (connection, readers) = (snapshot.connection, isShared ?? snapshot.isLarge ? snapshot.soundness : nil)
        self.sums = sums
        whole = nil
    }
}
