internal import GodwitJSON

/// Sums the entries of an index during a scan, and compares each with the previous one.
///
/// A class with memory of its own, so that a loop allocates nothing per entry.
final class EntrySummation {
    @exclusivity(unchecked) private var sum = EntrySum()
    @exclusivity(unchecked) private var order: EntryOrder
    private let key = EntryDigest.Key.drawn
    private let endsWithRowid: Bool

    init(_ index: IndexLayout) {
        order = EntryOrder(index)
        endsWithRowid = index.endsWithRowid
    }

    var entries: IndexEntries { IndexEntries(sum: sum, areDistinctAtFirst: !order.repeatsFirst) }

    /// Adds an entry; true if it is greater than the previous one.
    @inline(__always)
    func add(_ entry: RowValues) -> Bool {
        var digest = EntryDigest(key)
        // The most frequent entry is a text and a rowid.
        if entry.count == 2, case .text(let text) = entry[0], case .integer(let rowid) = entry[1] {
            digest.combine(.text(text))
            digest.combine(.integer(rowid))
            sum.add(digest)
            return order.ascends(to: text, rowid)
        }
        for column in 0..<entry.count {
            let value = EntryValue(entry[column])
            digest.combine(value)
            order.add(value)
        }
        sum.add(digest)
        return order.ascends()
    }

    /// Whether the last entry must be found by a seek too: entry 1, 2, 4, 8, …, and each that a scan could read
    /// correctly even if it is damaged.
    @inline(__always)
    func requiresSeek(of entry: RowValues) -> Bool {
        sum.count & (sum.count - 1) == 0 || endsWithRowid && entry.mayHideDamage
    }
}

/// A scan reads the columns of the schema by index, and always reads the rowid from the end of the entry.
///
/// A seek compares whole entries.
extension RowValues {
    /// Whether a scan could read the right rowid, the last value, from an entry whose header has a wrong length for it.
    ///
    /// A longer rowid also takes the last bytes of the previous value. The number stays the same if these bytes are its
    /// sign extension: 00 or FF. Values without bytes (NULL, an empty text, 0, 1) and a rowid of 0 or 1 cannot show the
    /// error either. <https://sqlite.org/fileformat2.html#record_format>
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
            // SQLite may store a real as an integer: <https://sqlite.org/datatype3.html#storage_classes_and_datatypes>.
            return Int64(exactly: number) != nil || Self.isSign(UInt8(truncatingIfNeeded: number.bitPattern))
        }
    }

    @inline(__always)
    private static func isSign(_ byte: UInt8) -> Bool { byte == 0 || byte == 0xFF }
}
