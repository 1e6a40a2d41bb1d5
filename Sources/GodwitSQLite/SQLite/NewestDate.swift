package import GodwitJSON
package import GodwitModel

/// The newest readable date of a column, as its rows are read.
///
/// Most are older than one that was read before, and for dates in the form of `Instant.init(plain:)` the bytes tell that.
package struct NewestDate {
    package private(set) var date: Instant?
    /// The text of a date that is not newer.
    private var text: PlainDateText?

    package init() {}

    /// Takes the date that a column of a row holds, if that is readable.
    package mutating func take(_ column: Int, of row: borrowing SQLiteCursor, as encoding: InstantEncoding?) {
        guard encoding == nil || encoding == .iso8601, let plain = row.plainDateText(column) else {
            return take(row.date(column, as: encoding))
        }
        if let text, !(plain > text) { return }
        guard let found = row.date(column, as: encoding) else { return }
        text = plain
        take(found)
    }

    /// The same of a value that has been read.
    package mutating func take(_ value: RowValue, as encoding: InstantEncoding?) {
        guard encoding == nil || encoding == .iso8601, case .text(let bytes) = value, let plain = PlainDateText(bytes)
        else { return take(Instant(value.copied, as: encoding)) }
        if let text, !(plain > text) { return }
        guard let found = Instant(plain: bytes) ?? Instant(value.copied, as: encoding) else { return }
        text = plain
        take(found)
    }

    /// Takes the newest of the rows that another reader was shown.
    package mutating func take(_ other: NewestDate) { take(other.date) }

    private mutating func take(_ found: Instant?) {
        guard let found, date.map({ found > $0 }) ?? true else { return }
        date = found
    }
}
