/// The format of a record in memory and in the spool while records are sorted: header, order bytes, text.
///
/// The order bytes of a text key without JSON escapes are those in the record's text, from the quotation mark on; they
/// are not stored twice.

import Libc

package struct RecordHeader {
    /// Bytes of the record's JSON object.
    package var textCount: UInt32 = 0
    /// Number of order bytes before the text; 0 if those in the text are used.
    package var orderCount: UInt32 = 0
    /// Range of the key's value in the text.
    var keyStart: UInt32 = 0
    var keyEnd: UInt32 = 0
    package var rowid: Int64 = 0

    static let size = MemoryLayout<RecordHeader>.size

    /// Maximum length of a text; SQLite sorts records with longer ones.
    static let longestText = Int(UInt32.max)
    /// Maximum number of order bytes, and maximum offset of their end in the text: a reader of a run has all of them in
    /// memory.
    static let longestOrder = 1 << 10

    package var wholeCount: Int { RecordHeader.size + Int(orderCount) + Int(textCount) }

    init() {}

    init(at address: UnsafeRawPointer) { self = address.loadUnaligned(as: RecordHeader.self) }

    var textOffset: Int { RecordHeader.size + Int(orderCount) }

    var key: Range<Int> { Int(keyStart)..<Int(keyEnd) }

    /// Range of the order bytes, from the header.
    @inline(__always)
    var order: Range<Int> {
        if orderCount > 0 { return RecordHeader.size..<textOffset }
        // Up to the closing quotation mark.
        let (start, end) = (RecordHeader.size &+ Int(keyStart), RecordHeader.size &+ Int(keyEnd) &- 1)
        return Range(uncheckedBounds: (start, max(start, end)))
    }
}

/// The order bytes of a record.
///
/// They compare like the key in SQL's `key COLLATE BINARY, typeof(key)`; `RowValues.writeOrder` makes them.
struct RecordOrder {
    /// The first eight bytes as a number, padded with zeros.
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
        for index in 0..<8 { prefix = prefix << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
        return prefix
    }
}

extension UnsafeRawBufferPointer {
    /// Negative, zero or positive: byte order, shorter first if one is a prefix of the other.
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
