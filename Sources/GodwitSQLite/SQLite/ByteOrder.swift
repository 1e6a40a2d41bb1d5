internal import GodwitJSON
internal import CSQLiteShim

/// A collation that orders text by its UTF-8 bytes, for stores that keep it as UTF-16.
///
/// There `BINARY` compares the UTF-16 bytes, <https://sqlite.org/datatype3.html#collating_sequences>: another order than
/// in the store on the other side, so that records would be taken for missing. It compares the units as they are, and
/// two texts that differ are never equal: SQLite's conversion to UTF-8 makes one of several that are no valid UTF-16.
enum ByteOrder {
    static let collation = "godwit_bytes"

    /// Makes the collation known to a handle; it holds nothing that must be freed.
    static func register(on handle: OpaquePointer) {
        sqlite3_create_collation_v2(
            handle, collation, SQLITE_UTF16, nil,
            { _, count, units, otherCount, otherUnits in
                let one = UnsafeRawBufferPointer(start: units, count: Int(count))
                let other = UnsafeRawBufferPointer(start: otherUnits, count: Int(otherCount))
                return Int32(clamping: WTF8.compare(one, other))
            }, nil)
    }

    /// Takes it away again.
    static func withdraw(from handle: OpaquePointer) {
        sqlite3_create_collation_v2(handle, collation, SQLITE_UTF16, nil, nil, nil)
    }
}
