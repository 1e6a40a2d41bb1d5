package import GodwitModel
internal import Synchronization

/// Sums two tables at once, while a caller finds their rows equal one by one, for the checks of both stores.
///
/// Rows that are equal in every column and in their rowids need the same index entries. So the sums of one table are
/// valid for the other one too, if each index of the other has the same columns in the same order as an index of the
/// first. Several threads may add rows, each in its own part.
/// Invariant: the sums are kept for neither table before all rows of both were found equal.
package final class TwinSummation: Sendable {
    private let layout: TableLayout
    private let columnIndexes: [String: Int]
    private let sums: RecordSums?
    private let twin: (sums: RecordSums, layout: TableLayout)?
    /// For each index of the first table, the sums of the completed parts.
    private let total: Mutex<[EntrySum]>

    /// A table, and the sums that the check of its store waits for; nil if it needs none.
    package struct Side {
        let store: SQLiteConnection
        let table: String
        let sums: RecordSums?

        package init(_ store: SQLiteConnection, table: String, sums: RecordSums?) {
            (self.store, self.table) = (store, table)
            self.sums = sums?.isPromised(table) == true ? sums : nil
        }
    }

    /// Nil if neither check needs the sums.
    ///
    /// - Parameters:
    ///   - one: the table whose rows are added.
    ///   - rowid: index of the rowid in these rows.
    ///   - columns: indexes of the other columns, by quoted name.
    package init?(
        of one: Side, and other: Side, rowid: Int, columns: [String: Int]
    ) throws(GodwitError) {
        guard one.sums != nil || other.sums != nil, let layout = try one.store.summedLayout(of: one.table) else {
            return nil
        }
        (self.layout, sums) = (layout, one.sums)
        columnIndexes = layout.columnIndexes(rowid: rowid, columns: columns)
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

    /// Starts a part of the rows, for the calling thread.
    package func beginPart() -> RecordSummation? { RecordSummation(of: layout) { columnIndexes[$0] } }

    /// Adds a part; all its rows must have been found equal.
    package func add(_ part: RecordSummation) {
        let sums = part.sums
        total.withLock { total in
            for index in total.indices { total[index].add(sums[index]) }
        }
    }

    /// Keeps the promises, after all rows were found equal.
    package func keep() {
        let found = total.withLock(\.self)
        sums?.keep(layout.name, found)
        if let twin, let found = layout.sums(found, for: twin.layout) { twin.sums.keep(twin.layout.name, found) }
    }
}

extension TableLayout {
    /// The sums of this table for the indexes of another one with the same rows; nil if that one has an index on other
    /// columns.
    fileprivate func sums(_ sums: [EntrySum], for twin: TableLayout) -> [EntrySum]? {
        let mine = indexes.map { $0.columns.map(\.name) }
        let matches = twin.indexes.map { index in mine.firstIndex(of: index.columns.map(\.name)) }
        return matches.contains(nil) ? nil : matches.compactMap(\.self).map { sums[$0] }
    }
}
