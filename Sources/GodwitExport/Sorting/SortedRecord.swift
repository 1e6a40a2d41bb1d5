/// How a record lies in memory and in the spool while records are being put in order: a header, the bytes that order it,
/// its text.
///
/// A text for a key, with nothing in it that JSON escapes, is ordered by the bytes that stand for it in the record's text,
/// from the quotation mark on: they are not there twice.

import Libc

package struct RecordHeader {
    /// Bytes of the text, from brace to brace.
    package var textCount: UInt32 = 0
    /// Bytes before the text that order it; none where those in the text do.
    package var orderCount: UInt32 = 0
    /// Where the key's value begins and ends in the text.
    var keyStart: UInt32 = 0
    var keyEnd: UInt32 = 0
    /// The row it was made of.
    package var rowid: Int64 = 0

    static let size = MemoryLayout<RecordHeader>.size

    /// The longest text that fits; longer ones are put in order by SQLite.
    static let longestText = Int(UInt32.max)
    /// The most bytes that order a record, and the most of its text that there are up to the end of them: a reader of a run
    /// has them all in memory.
    static let longestOrder = 1 << 10

    /// Bytes of the record with its header.
    package var wholeCount: Int { RecordHeader.size + Int(orderCount) + Int(textCount) }

    init() {}

    init(at place: UnsafeRawPointer) { self = place.loadUnaligned(as: RecordHeader.self) }

    /// Where the text begins, counted from the header.
    var textOffset: Int { RecordHeader.size + Int(orderCount) }

    var key: Range<Int> { Int(keyStart)..<Int(keyEnd) }

    /// Where the bytes that order it are, counted from the header.
    @inline(__always)
    var order: Range<Int> {
        if orderCount > 0 { return RecordHeader.size..<textOffset }
        // Up to the quotation mark behind it.
        let (start, end) = (RecordHeader.size &+ Int(keyStart), RecordHeader.size &+ Int(keyEnd) &- 1)
        return Range(uncheckedBounds: (start, max(start, end)))
    }
}

/// The bytes that order a record, somewhere in memory.
///
/// They compare like the key in SQL's `key COLLATE BINARY, typeof(key)`; `RowValues.writeOrder` makes them.
struct RecordOrder {
    /// The first eight of them as one number, zeros where there are fewer.
    let prefix: UInt64
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        prefix = RecordOrder.prefix(of: bytes)
    }

    @inline(__always)
    static func prefix(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
        var prefix: UInt64 = 0
        for place in 0..<8 { prefix = prefix << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0) }
        return prefix
    }
}

extension UnsafeRawBufferPointer {
    /// Negative, zero or positive: byte by byte, the shorter first where one begins with the other.
    @inline(__always)
    func order(against other: UnsafeRawBufferPointer) -> Int {
        let common = Swift.min(count, other.count)
        if common > 0, let mine = baseAddress, let theirs = other.baseAddress {
            let order = memcmp(mine, theirs, common)
            if order != 0 { return Int(order) }
        }
        return count - other.count
    }
}
