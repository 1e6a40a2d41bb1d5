package import GodwitSQLite

/// A hash of a record's columns, eight bytes at a time: each is multiplied, and both halves of the product count.
///
/// It need not withstand anybody who looks for two records of one hash, as SHA-256 would at several times its cost.
package struct RecordHash {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// Adds a column of a row: equal values of one type have equal hashes.
    package mutating func add(_ column: Int, of row: borrowing SQLiteCursor) {
        switch row.type(column) {
        case .null: addNull()
        case .integer: add(UInt64(bitPattern: row.integer(column)))
        case .real: add(row.real(column).bitPattern)
        case .text, .blob: row.withBytes(column) { add($0) }
        }
    }

    package mutating func addNull() { add(0) }

    private mutating func add(_ word: UInt64) {
        // An odd number whose bits are spread: 2^64 divided by the golden ratio.
        let (high, low) = (value ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        value = high ^ low &+ 1
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(UInt64(bytes.count))
        var start = 0
        while start + 8 <= bytes.count {
            add(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian)
            start += 8
        }
        var rest: UInt64 = 0
        while start < bytes.count {
            rest = rest << 8 | UInt64(bytes[start])
            start += 1
        }
        add(rest)
    }
}
