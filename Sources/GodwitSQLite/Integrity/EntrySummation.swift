internal import GodwitJSON

/// Sums up the entries of an index as somebody scans it, and holds each against the one before.
///
/// A class, with memory of its own, for a loop that allocates nothing for an entry.
final class EntrySummation {
    @exclusivity(unchecked) private var sum = EntrySum()
    @exclusivity(unchecked) private var order: EntryOrder
    private let key = EntryDigest.Key.drawn
    private let endsWithRowid: Bool

    init(_ index: IndexLayout) {
        order = EntryOrder(index)
        endsWithRowid = index.endsWithRowid
    }

    /// What was found so far.
    var entries: IndexEntries { IndexEntries(sum: sum, areDistinctAtFirst: !order.repeatsFirst) }

    /// Adds an entry: whether it stands behind the one before.
    @inline(__always)
    func add(_ entry: RowValues) -> Bool {
        var digest = EntryDigest(key)
        // Most indexes are over a text, and most entries of theirs a text and a rowid.
        if entry.count == 2, case .text(let text) = entry[0], case .integer(let rowid) = entry[1] {
            digest.combine(.text(text))
            digest.combine(.integer(rowid))
            sum.add(digest)
            return order.ascends(to: text, rowid)
        }
        for place in 0..<entry.count {
            let value = EntryValue(entry[place])
            digest.combine(value)
            order.add(value)
        }
        sum.add(digest)
        return order.ascends()
    }

    /// Whether the entry that was added last has to be found by a seek as well: the first, the second, the fourth, the
    /// eighth ..., and each that could be read though it is damaged.
    @inline(__always)
    func requiresSeek(of entry: RowValues) -> Bool {
        sum.count & (sum.count - 1) == 0 || endsWithRowid && entry.mayHideDamage
    }
}

/// A scan reads the columns that the schema names, each at its place, and the rowid from the end of the entry, wherever
/// its place is. A seek compares whole entries.
extension RowValues {
    /// Whether a scan could read the right rowid, the last value, from an entry whose header gives it the wrong length.
    ///
    /// A longer one also takes in the end of the value before, and comes to the same number where that is as the sign of
    /// the number goes on: 00 or FF. A value may have no bytes at all: NULL, an empty text, 0, 1. So may the rowid, if it
    /// is 0 or 1. <https://sqlite.org/fileformat2.html#record_format>
    @inline(__always)
    fileprivate var mayHideDamage: Bool {
        guard count > 1 else { return true }
        switch self[count - 1] {
        case .integer(0), .integer(1): return true
        default: break
        }
        switch self[count - 2] {
        case .null: return true
        case .text(let bytes), .blob(let bytes): return bytes.last.map(Self.isSign) ?? true
        case .integer(let number): return number == 0 || number == 1 || Self.isSign(UInt8(truncatingIfNeeded: number))
        case .real(let number):
            // A column of reals may have it as an integer: <https://sqlite.org/datatype3.html#storage_classes_and_datatypes>.
            return Int64(exactly: number) != nil || Self.isSign(UInt8(truncatingIfNeeded: number.bitPattern))
        }
    }

    @inline(__always)
    private static func isSign(_ byte: UInt8) -> Bool { byte == 0 || byte == 0xFF }
}
