internal import GodwitJSON
internal import CSQLiteShim

/// Reads and binds the text of a store in UTF-16, as WTF-8 that represents its code units exactly.
///
/// SQLite's own conversion is not used: it joins or drops the neighbors of an unpaired surrogate, and converts U+FFFE
/// and U+FFFF to U+FFFD. Between the two byte orders it only swaps bytes: <https://sqlite.org/src/file/src/utf.c>.
final class WideText {
    /// Memory for the next text; moved out during use, so that a second text gets its own.
    private var spare: [UInt8] = []

    /// The WTF-8 of a text column, valid inside the closure.
    func withBytes<R>(
        _ column: Int32, of statement: OpaquePointer, _ body: (UnsafeRawBufferPointer) -> R
    ) -> R {
        // In this order; otherwise the count is not that of UTF-16: https://sqlite.org/c3ref/column_blob.html
        let start = sqlite3_column_text16(statement, column)
        let count = start == nil ? 0 : Int(sqlite3_column_bytes16(statement, column))
        var memory = take((count / 2) * WTF8.bytesPerUnit)
        defer { spare = memory }
        return memory.withUnsafeMutableBytes { memory in
            let length = WTF8.encode(UnsafeRawBufferPointer(start: start, count: count), into: memory)
            return body(UnsafeRawBufferPointer(rebasing: memory[..<length]))
        }
    }

    /// Binds a copy of WTF-8 and returns SQLite's result code; nil if the bytes are not WTF-8.
    func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32, of statement: OpaquePointer) -> Int32? {
        var memory = take(2 * (bytes.count + 1))
        defer { spare = memory }
        return memory.withUnsafeMutableBytes { memory in
            guard let count = WTF8.decode(bytes, into: .init(rebasing: memory[2...])) else { return nil }
            // SQLite removes one byte order mark, so a text that begins with one gets another before it.
            memory.storeBytes(of: 0xFEFF, as: UInt16.self)
            let first = memory.load(fromByteOffset: 2, as: UInt16.self)
            let start = count > 0 && (first == 0xFEFF || first == 0xFFFE) ? 0 : 2
            return godwit_sqlite_bind_text16_copied(
                statement, index, memory.baseAddress.map { $0 + start }, UInt64(2 * count + 2 - start))
        }
    }

    private func take(_ count: Int) -> [UInt8] {
        var memory: [UInt8] = []
        swap(&memory, &spare)
        if memory.count < count { memory = Array(repeating: 0, count: max(count + count / 2, 1024)) }
        return memory
    }
}
