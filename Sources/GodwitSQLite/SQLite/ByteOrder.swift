internal import GodwitJSON
internal import CSQLiteShim

/// A collation that orders text by its UTF-8 bytes, for stores in UTF-16.
///
/// In such stores `BINARY` compares the UTF-16 bytes, <https://sqlite.org/datatype3.html#collating_sequences>. That
/// order differs from the other store's, so records would seem to be missing. This collation compares code units, and
/// different texts are never equal: SQLite's conversion to UTF-8 makes several invalid UTF-16 texts equal.
enum ByteOrder {
    static let collation = "godwit_bytes"

    /// Registers the collation on a handle; it owns nothing that must be freed.
    static func register(on handle: OpaquePointer) {
        sqlite3_create_collation_v2(
            handle, collation, SQLITE_UTF16, nil,
            { _, count, units, otherCount, otherUnits in
                let one = UnsafeRawBufferPointer(start: units, count: Int(count))
                let other = UnsafeRawBufferPointer(start: otherUnits, count: Int(otherCount))
                return Int32(clamping: WTF8.compare(one, other))
            }, nil)
    }

    static func withdraw(from handle: OpaquePointer) {
        sqlite3_create_collation_v2(handle, collation, SQLITE_UTF16, nil, nil, nil)
    }
}
