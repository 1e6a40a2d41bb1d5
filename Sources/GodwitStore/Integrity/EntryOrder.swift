/// Holds each entry of an index against the one before.
///
/// The entry before is kept in memory that is used again, so a scan allocates nothing for its rows.
struct EntryOrder: ~Copyable {
    /// The most bytes of one entry.
    static let largest = 1 << 20

    private let isDescending: [Bool]
    private let keyCount: Int
    private let isUnique: Bool
    private var before: KeptEntry
    private var current: KeptEntry
    private var bytes = 0
    private var isFirst = true
    /// The order of the entry before against this one, by the columns that there were; 0 while they are equal.
    private var order = 0
    private var hasNull = false
    private var repeatsKey = false
    /// Whether any entry begins with the same value as the one before it.
    private(set) var repeatsFirst = false

    /// - Parameter index: nil where nothing is to be held against anything.
    init(_ index: IndexLayout?) {
        isDescending = index?.columns.map(\.isDescending) ?? []
        keyCount = index?.keyCount ?? 0
        isUnique = index?.isUnique ?? false
        before = KeptEntry(columns: isDescending.count)
        current = KeptEntry(columns: isDescending.count)
    }

    /// Adds the next column of the current entry.
    @inline(__always)
    mutating func add(_ value: EntryValue) {
        let place = current.count
        if case .null = value, place < keyCount { hasNull = true }
        if !isFirst, order == 0 {
            let found = before.compare(place, with: value)
            order = isDescending[place] ? -found : found
            if place == 0, found == 0 { repeatsFirst = true }
            if place == keyCount - 1, order == 0, !hasNull { repeatsKey = true }
        }
        switch value {
        case .text(let new), .blob(let new): bytes += new.count
        default: break
        }
        current.append(bytes <= Self.largest ? value : .null)
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

/// The values of an entry, which outlive the row that they were read from.
private struct KeptEntry: ~Copyable {
    /// A value kept: texts and blobs as their place in the bytes.
    private enum Kept {
        case null, integer(Int64), real(Double), text(start: Int, count: Int), blob(start: Int, count: Int)
    }

    private let values: UnsafeMutableBufferPointer<Kept>
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 16)
    private var used = 0
    private(set) var count = 0

    init(columns: Int) {
        values = .allocate(capacity: columns)
        values.initialize(repeating: .null)
    }

    deinit {
        values.deallocate()
        bytes.deallocate()
    }

    mutating func empty() { (used, count) = (0, 0) }

    @inline(__always)
    mutating func append(_ value: EntryValue) {
        values[count] =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .text(let new): .text(start: keep(new), count: new.count)
            case .blob(let new): .blob(start: keep(new), count: new.count)
            }
        count += 1
    }

    @inline(__always)
    private mutating func keep(_ new: UnsafeRawBufferPointer) -> Int {
        let start = used
        used += new.count
        if used > bytes.count { grow() }
        UnsafeMutableRawBufferPointer(rebasing: bytes[start..<used]).copyMemory(from: new)
        return start
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: used * 2, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(bytes))
        bytes.deallocate()
        bytes = larger
    }

    @inline(__always)
    func compare(_ place: Int, with value: EntryValue) -> Int {
        let mine: EntryValue =
            switch values[place] {
            case .null: .null
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .text(let start, let count): .text(stored(start, count))
            case .blob(let start, let count): .blob(stored(start, count))
            }
        return mine.compare(with: value)
    }

    @inline(__always)
    private func stored(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
    }
}
