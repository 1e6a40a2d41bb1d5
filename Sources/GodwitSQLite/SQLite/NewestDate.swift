package import GodwitJSON
package import GodwitModel

/// The newest readable date of a column, updated while its rows are read.
///
/// Most dates are older than an earlier one. For dates in the form of `Instant.init(plain:)`, a comparison of bytes
/// shows that.
package struct NewestDate {
    package private(set) var date: Instant?
    /// The text of the newest date that was parsed.
    private var text: PlainDateText?

    package init() {}

    /// Includes the date in a column of a row, if it is readable.
    package mutating func take(_ column: Int, of row: borrowing SQLiteCursor, as encoding: InstantEncoding?) {
        guard encoding == nil || encoding == .iso8601, let plain = row.plainDateText(column) else {
            return take(row.date(column, as: encoding))
        }
        if let text, !(plain > text) { return }
        guard let found = row.date(column, as: encoding) else { return }
        text = plain
        take(found)
    }

    /// The same for a value that was read before.
    package mutating func take(_ value: RowValue, as encoding: InstantEncoding?) {
        guard encoding == nil || encoding == .iso8601, case .text(let bytes) = value, let plain = PlainDateText(bytes)
        else { return take(Instant(value.copied, as: encoding)) }
        if let text, !(plain > text) { return }
        guard let found = Instant(plain: bytes) ?? Instant(value.copied, as: encoding) else { return }
        text = plain
        take(found)
    }

    /// Includes the newest date that another reader found.
    package mutating func take(_ other: NewestDate) { take(other.date) }

    private mutating func take(_ found: Instant?) {
        guard let found, date.map({ found > $0 }) ?? true else { return }
        date = found
    }
}
