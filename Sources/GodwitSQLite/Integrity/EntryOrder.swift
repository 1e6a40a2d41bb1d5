/// Holds each entry of an index against the one before.
///
/// The entry before is kept in memory that is used again, so a scan allocates nothing for its rows.
struct EntryOrder: ~Copyable {
    /// The most bytes of one entry.
    static let largest = 1 << 20

    // In memory of its own, since an array's is asked for anew at each use.
    private let isDescending: UnsafeMutableBufferPointer<Bool>
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
        let descending = index?.columns.map(\.isDescending) ?? []
        isDescending = .allocate(capacity: descending.count)
        _ = isDescending.initialize(from: descending)
        keyCount = index?.keyCount ?? 0
        isUnique = index?.isUnique ?? false
        before = KeptEntry(columns: descending.count)
        current = KeptEntry(columns: descending.count)
    }

    deinit { isDescending.deallocate() }

    /// Adds the next column of the current entry.
    @inline(__always)
    mutating func add(_ value: EntryValue) {
        let place = current.count
        if place == 0 { before.unfold() }
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

    /// Adds an entry of a text and a number in one step, and ends it: whether it stands behind the one before.
    @inline(__always)
    mutating func ascends(to text: UnsafeRawBufferPointer, _ number: Int64) -> Bool {
        guard let last = before.pair, text.count <= KeptEntry.longestPaired else {
            return addPair(text, number)
        }
        var found = last.text.compareWords(with: text)
        if found == 0 {
            repeatsFirst = true
            if isUnique, keyCount == 1 { return false }
            found = last.number == number ? 0 : last.number < number ? -1 : 1
            if isDescending[1] { found = -found }
        } else if isDescending[0] {
            found = -found
        }
        before.keep(text, number)
        return found < 0
    }

    /// The same, column by column; what is kept of it is a pair, if it can be.
    @inline(never)
    private mutating func addPair(_ text: UnsafeRawBufferPointer, _ number: Int64) -> Bool {
        add(.text(text))
        add(.integer(number))
        defer { if text.count <= KeptEntry.longestPaired { before.keep(text, number) } }
        return ascends()
    }
}

/// The values of an entry, which outlive the row that they were read from.
private struct KeptEntry: ~Copyable {
    /// A value kept: texts and blobs as their place in the bytes.
    private enum Kept {
        case null, integer(Int64), real(Double), text(start: Int, count: Int), blob(start: Int, count: Int)
    }

    /// The longest text of a pair: there is always room for it.
    static let longestPaired = 240

    private let values: UnsafeMutableBufferPointer<Kept>
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 16)
    private var used = 0
    private(set) var count = 0
    /// The number of an entry of a text and a number, of which `values` knows nothing yet.
    private var number: Int64?

    init(columns: Int) {
        values = .allocate(capacity: columns)
        values.initialize(repeating: .null)
    }

    deinit {
        values.deallocate()
        bytes.deallocate()
    }

    mutating func empty() { (used, count, number) = (0, 0, nil) }

    /// An entry that was kept as a pair.
    @inline(__always)
    var pair: (text: UnsafeRawBufferPointer, number: Int64)? {
        number.map { (UnsafeRawBufferPointer(rebasing: bytes[..<used]), $0) }
    }

    /// Keeps a pair in the place of what was kept: a text of no more than `longestPaired` bytes, and a number.
    @inline(__always)
    mutating func keep(_ text: UnsafeRawBufferPointer, _ number: Int64) {
        (used, count, self.number) = (text.count, 0, number)
        bytes.copyWords(of: text)
    }

    /// Makes values of a pair.
    mutating func unfold() {
        guard let number else { return }
        self.number = nil
        (values[0], values[1], count) = (.text(start: 0, count: used), .integer(number), 2)
    }

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

extension UnsafeRawBufferPointer {
    /// The same as `compareBytes`: most texts of an index differ in their first eight bytes, and to call for less than a
    /// comparison takes longer than the comparison.
    @inline(__always)
    fileprivate func compareWords(with other: UnsafeRawBufferPointer) -> Int {
        guard count >= 8, other.count >= 8 else { return compareBytes(with: other) }
        let mine = UInt64(bigEndian: loadUnaligned(as: UInt64.self))
        let theirs = UInt64(bigEndian: other.loadUnaligned(as: UInt64.self))
        return mine == theirs ? compareBytes(with: other) : mine < theirs ? -1 : 1
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Copies bytes there is room for to the beginning, sixteen at a time.
    @inline(__always)
    fileprivate func copyWords(of other: UnsafeRawBufferPointer) {
        guard other.count >= 16 else { return copyMemory(from: other) }
        var place = 0
        while place &+ 16 < other.count {
            copySixteen(of: other, at: place)
            place &+= 16
        }
        copySixteen(of: other, at: other.count &- 16)
    }

    @inline(__always)
    private func copySixteen(of other: UnsafeRawBufferPointer, at place: Int) {
        storeBytes(
            of: other.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self), toByteOffset: place,
            as: SIMD16<UInt8>.self)
    }
}
