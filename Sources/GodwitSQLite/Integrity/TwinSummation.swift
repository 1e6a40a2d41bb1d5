package import GodwitModel
internal import Synchronization

/// Sums up two tables at once, as somebody finds their rows equal one by one, for the checks of both stores.
///
/// Rows that are equal in every column and in their numbers ask for the same entries of the same indexes: what one table
/// adds up to stands for the other as well, where each index of that one is over columns that an index of the first has,
/// in the same order. The rows may be added in parts, each by whichever thread.
///
/// Invariant: nothing is kept for either before all rows of both were found equal.
package final class TwinSummation: Sendable {
    private let layout: TableLayout
    private let places: [String: Int]
    private let sums: RecordSums?
    private let twin: (sums: RecordSums, layout: TableLayout)?
    /// For each index of the first table, what the parts that have come to their end add up to.
    private let total: Mutex<[EntrySum]>

    /// A table, and what the check of its store waits for; nil where it waits for nothing.
    package struct Side {
        let store: SQLiteConnection
        let table: String
        let sums: RecordSums?

        package init(_ store: SQLiteConnection, table: String, sums: RecordSums?) {
            (self.store, self.table) = (store, table)
            self.sums = sums?.isPromised(table) == true ? sums : nil
        }
    }

    /// Begins with no row; nil where neither check has a use for it.
    ///
    /// - Parameters:
    ///   - one: the table whose rows are added.
    ///   - rowid: the column of these rows that is the rowid.
    ///   - columns: where the others are in them, by their names, which are ready for SQL.
    package init?(
        of one: Side, and other: Side, rowid: Int, columns: [String: Int]
    ) throws(GodwitError) {
        guard one.sums != nil || other.sums != nil, let layout = try one.store.summedLayout(of: one.table) else {
            return nil
        }
        (self.layout, sums) = (layout, one.sums)
        places = layout.places(rowid: rowid, columns: columns)
        total = Mutex(layout.indexes.map { _ in EntrySum() })
        if let sums = other.sums, let twin = try other.store.summedLayout(of: other.table),
            layout.sums(total.withLock(\.self), for: twin) != nil
        {
            self.twin = (sums, twin)
        } else {
            twin = nil
        }
        guard sums != nil || twin != nil, beginPart() != nil else { return nil }
    }

    /// Begins a part of the rows, which the calling thread adds to it.
    package func beginPart() -> RecordSummation? { RecordSummation(of: layout) { places[$0] } }

    /// Adds a part, all rows of which were found equal.
    package func add(_ part: RecordSummation) {
        let sums = part.sums
        total.withLock { total in
            for index in total.indices { total[index].add(sums[index]) }
        }
    }

    /// Keeps the promises, once all rows were found equal.
    package func keep() {
        let found = total.withLock(\.self)
        sums?.keep(layout.name, found)
        if let twin, let found = layout.sums(found, for: twin.layout) { twin.sums.keep(twin.layout.name, found) }
    }
}

extension TableLayout {
    /// The sums of this table for the indexes of another one that has the same rows; nil where that has an index over
    /// columns that none of these is over.
    fileprivate func sums(_ sums: [EntrySum], for twin: TableLayout) -> [EntrySum]? {
        let mine = indexes.map { $0.columns.map(\.name) }
        let places = twin.indexes.map { index in mine.firstIndex(of: index.columns.map(\.name)) }
        return places.contains(nil) ? nil : places.compactMap(\.self).map { sums[$0] }
    }
}
