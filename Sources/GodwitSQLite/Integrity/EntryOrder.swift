/// Compares each entry of an index with the previous one.
///
/// The memory of the previous entry is used again, so a scan allocates nothing per row.
struct EntryOrder: ~Copyable {
    /// Maximum number of bytes of one entry.
    static let largest = 1 << 20

    // Allocated once, because Swift retains an array at each use.
    private let isDescending: UnsafeMutableBufferPointer<Bool>
    private let keyCount: Int
    private let isUnique: Bool
    private var before: KeptEntry
    private var current: KeptEntry
    private var bytes = 0
    private var isFirst = true
    /// The order of the previous entry relative to this one, by the columns so far; 0 as long as they are equal.
    private var order = 0
    private var hasNull = false
    private var repeatsKey = false
    /// Whether any entry begins with the same value as the previous one.
    private(set) var repeatsFirst = false

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

    @inline(__always)
    mutating func add(_ value: EntryValue) {
        let column = current.count
        if column == 0 { before.unfold() }
        if case .null = value, column < keyCount { hasNull = true }
        if !isFirst, order == 0 {
            let found = before.compare(column, with: value)
            order = isDescending[column] ? -found : found
            if column == 0, found == 0 { repeatsFirst = true }
            if column == keyCount - 1, order == 0, !hasNull { repeatsKey = true }
        }
        switch value {
        case .text(let new), .blob(let new): bytes += new.count
        default: break
        }
        current.append(bytes <= Self.largest ? value : .null)
    }

    /// Ends the current entry; true if it is greater than the previous one and, in a unique index, has another key.
    ///
    /// False also for an entry of more than `largest` bytes.
    mutating func ascends() -> Bool {
        let ascends = bytes <= Self.largest && !(isUnique && repeatsKey) && (isFirst || order < 0)
        swap(&before, &current)
        current.empty()
        (bytes, order, hasNull, repeatsKey, isFirst) = (0, 0, false, false, false)
        return ascends
    }

    /// Adds and ends an entry of a text and a number; true if it is greater than the previous one.
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

    /// The same, column by column; keeps the entry as a pair if it can be one.
    @inline(never)
    private mutating func addPair(_ text: UnsafeRawBufferPointer, _ number: Int64) -> Bool {
        add(.text(text))
        add(.integer(number))
        defer { if text.count <= KeptEntry.longestPaired { before.keep(text, number) } }
        return ascends()
    }
}

/// The values of an entry, which stay valid after the row that they were read from.
private struct KeptEntry: ~Copyable {
    /// Texts and blobs as ranges of `bytes`.
    private enum Kept {
        case null, integer(Int64), real(Double), text(start: Int, count: Int), blob(start: Int, count: Int)
    }

    /// Maximum length of the text of a pair, in bytes; the initial memory has room for it.
    static let longestPaired = 240

    private let values: UnsafeMutableBufferPointer<Kept>
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 16)
    private var used = 0
    private(set) var count = 0
    /// The number of a pair, which is not in `values` yet.
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

    /// The entry, if it was kept as a pair.
    @inline(__always)
    var pair: (text: UnsafeRawBufferPointer, number: Int64)? {
        number.map { (UnsafeRawBufferPointer(rebasing: bytes[..<used]), $0) }
    }

    /// Replaces the entry by a pair: a text of at most `longestPaired` bytes, and a number.
    @inline(__always)
    mutating func keep(_ text: UnsafeRawBufferPointer, _ number: Int64) {
        (used, count, self.number) = (text.count, 0, number)
        bytes.copyWords(of: text)
    }

    /// Converts a pair to values.
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
    func compare(_ column: Int, with value: EntryValue) -> Int {
        let mine: EntryValue =
            switch values[column] {
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
    /// The same result as `compareBytes`, but faster: most texts of an index differ in their first eight bytes.
    @inline(__always)
    fileprivate func compareWords(with other: UnsafeRawBufferPointer) -> Int {
        guard count >= 8, other.count >= 8 else { return compareBytes(with: other) }
        let mine = UInt64(bigEndian: loadUnaligned(as: UInt64.self))
        let theirs = UInt64(bigEndian: other.loadUnaligned(as: UInt64.self))
        return mine == theirs ? compareBytes(with: other) : mine < theirs ? -1 : 1
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Copies bytes to the start, sixteen at a time; there must be room for them.
    @inline(__always)
    fileprivate func copyWords(of other: UnsafeRawBufferPointer) {
        guard other.count >= 16 else { return copyMemory(from: other) }
        var offset = 0
        while offset &+ 16 < other.count {
            copySixteen(of: other, at: offset)
            offset &+= 16
        }
        copySixteen(of: other, at: other.count &- 16)
    }

    @inline(__always)
    private func copySixteen(of other: UnsafeRawBufferPointer, at offset: Int) {
        storeBytes(
            of: other.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self), toByteOffset: offset,
            as: SIMD16<UInt8>.self)
    }
}
