/// Holds each entry of an index against the one before.
///
/// The entry before is kept in memory that is used again, so a scan allocates nothing for its rows.
struct EntryOrder {
    /// A value kept: texts and blobs as their place in the bytes.
    private enum Kept {
        case null, integer(Int64), real(Double), text(Range<Int>), blob(Range<Int>)
    }

    private struct Entry {
        var values: [Kept] = []
        var bytes: [UInt8] = []

        mutating func empty() {
            values.removeAll(keepingCapacity: true)
            bytes.removeAll(keepingCapacity: true)
        }

        @inline(__always)
        mutating func append(_ value: EntryValue) {
            switch value {
            case .null: values.append(.null)
            case .integer(let number): values.append(.integer(number))
            case .real(let number): values.append(.real(number))
            case .text(let new): values.append(.text(append(new)))
            case .blob(let new): values.append(.blob(append(new)))
            }
        }

        @inline(__always)
        private mutating func append(_ new: UnsafeRawBufferPointer) -> Range<Int> {
            let start = bytes.count
            bytes.append(contentsOf: new)
            return start..<bytes.count
        }

        func compare(_ place: Int, with value: EntryValue) -> Int {
            bytes.withUnsafeBytes { bytes in
                let mine: EntryValue =
                    switch values[place] {
                    case .null: .null
                    case .integer(let number): .integer(number)
                    case .real(let number): .real(number)
                    case .text(let range): .text(UnsafeRawBufferPointer(rebasing: bytes[range]))
                    case .blob(let range): .blob(UnsafeRawBufferPointer(rebasing: bytes[range]))
                    }
                return mine.compare(with: value)
            }
        }
    }

    /// The most bytes of one entry.
    static let largest = 1 << 20

    private let isDescending: [Bool]
    private let keyCount: Int
    private let isUnique: Bool
    private var before = Entry()
    private var current = Entry()
    private var bytes = 0
    private var isFirst = true
    /// The order of the entry before against this one, by the columns that there were; 0 while they are equal.
    private var order = 0
    private var hasNull = false
    private var repeatsKey = false

    init(_ index: IndexLayout) {
        isDescending = index.columns.map(\.isDescending)
        keyCount = index.keyCount
        isUnique = index.isUnique
    }

    /// Adds the next column of the current entry.
    @inline(__always)
    mutating func add(_ value: EntryValue) {
        let place = current.values.count
        if case .null = value, place < keyCount { hasNull = true }
        if !isFirst, order == 0 {
            let found = before.compare(place, with: value)
            order = isDescending[place] ? -found : found
            if place == keyCount - 1, order == 0, !hasNull { repeatsKey = true }
        }
        switch value {
        case .text(let new), .blob(let new): bytes += new.count
        default: break
        }
        if bytes <= Self.largest { current.append(value) } else { current.append(.null) }
    }

    /// Ends the current entry: whether it stands behind the one before, with a key of its own where the index is unique.
    ///
    /// False, too, for an entry of more bytes than are worth keeping.
    mutating func ascends() -> Bool {
        let ascends = bytes <= Self.largest && !(isUnique && repeatsKey) && (isFirst || order < 0)
        swap(&before, &current)
        current.empty()
        (bytes, order, hasNull, repeatsKey, isFirst) = (0, 0, false, false, false)
        return ascends
    }
}
