internal import CSQLiteShim

/// A collation that orders text by its UTF-8 bytes, for stores that keep it as UTF-16.
///
/// There `BINARY` compares the UTF-16 bytes, <https://sqlite.org/datatype3.html#collating_sequences>: another order than
/// in the store on the other side, so that records would be taken for missing. SQLite hands text to this one as UTF-8.
enum ByteOrder {
    static let collation = "godwit_bytes"

    /// Makes the collation known to a handle; it holds nothing that must be freed.
    static func register(on handle: OpaquePointer) {
        sqlite3_create_collation_v2(
            handle, collation, SQLITE_UTF8, nil,
            { _, count, bytes, otherCount, otherBytes in
                let one = UnsafeRawBufferPointer(start: bytes, count: Int(count))
                let other = UnsafeRawBufferPointer(start: otherBytes, count: Int(otherCount))
                return Int32(clamping: one.compareBytes(with: other))
            }, nil)
    }
}
