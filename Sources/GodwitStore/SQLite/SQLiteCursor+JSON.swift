internal import CSQLiteShim
package import GodwitModel

/// Rows as JSON, straight from SQLite's bytes.
///
/// The hot loop of every export: each column is asked for once, by `sqlite3_column_value`, and what it gives is read in
/// place. Such a value is not protected against other threads (<https://sqlite.org/c3ref/value.html>); a cursor is used by
/// one thread at a time.
extension SQLiteCursor {
    /// Writes a column as JSON.
    package func write(column: Int, to buffer: inout JSONBuffer) {
        guard let value = sqlite3_column_value(statement, Int32(column)) else { return buffer.append("null") }
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: buffer.append(integer: sqlite3_value_int64(value))
        case SQLITE_FLOAT: buffer.append(real: sqlite3_value_double(value))
        case SQLITE_TEXT where wide == nil:
            let start = UnsafeRawPointer(sqlite3_value_text(value))
            buffer.append(text: UnsafeRawBufferPointer(start: start, count: Self.count(value, start)))
        case SQLITE_TEXT: withBytes(column) { buffer.append(text: $0) }
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(value)
            buffer.append(blob: UnsafeRawBufferPointer(start: start, count: Self.count(value, start)))
        default: buffer.append("null")
        }
    }

    /// Writes the row as an object, from brace to brace.
    ///
    /// - Parameters:
    ///   - labels: what stands before each value.
    ///   - first: the place of the first column that is written.
    ///   - keyPlace: the number of a value among those that are written.
    /// - Returns: where that value's text is in the buffer.
    package func write(
        record labels: FieldLabels, from first: Int = 0, keyPlace: Int, to buffer: inout JSONBuffer
    ) -> Range<Int> {
        var key = 0..<0
        for place in 0..<labels.count {
            labels.write(place, to: &buffer)
            let start = buffer.count
            write(column: first + place, to: &buffer)
            if place == keyPlace { key = start..<buffer.count }
        }
        buffer.append(byte: 0x7D)
        return key
    }

    /// Writes bytes that order like the column in `column COLLATE BINARY, typeof(column)`: a number for the storage class,
    /// then the value.
    ///
    /// - Returns: false for a real, which may equal an integer, and for text in UTF-16.
    package func writeOrder(of column: Int, to buffer: inout JSONBuffer) -> Bool {
        guard wide == nil, let value = sqlite3_column_value(statement, Int32(column)) else { return false }
        switch sqlite3_value_type(value) {
        case SQLITE_NULL: buffer.append(byte: 0)
        case SQLITE_INTEGER:
            buffer.append(byte: 1)
            let number = UInt64(bitPattern: sqlite3_value_int64(value)) ^ 1 << 63
            withUnsafeBytes(of: number.bigEndian) { buffer.append(raw: $0) }
        case SQLITE_TEXT:
            buffer.append(byte: 3)
            let start = UnsafeRawPointer(sqlite3_value_text(value))
            buffer.append(raw: UnsafeRawBufferPointer(start: start, count: Self.count(value, start)))
        case SQLITE_BLOB:
            buffer.append(byte: 4)
            let start = sqlite3_value_blob(value)
            buffer.append(raw: UnsafeRawBufferPointer(start: start, count: Self.count(value, start)))
        default: return false
        }
        return true
    }

    @inline(__always)
    private static func count(_ value: OpaquePointer, _ start: UnsafeRawPointer?) -> Int {
        start == nil ? 0 : Int(sqlite3_value_bytes(value))
    }
}

/// What stands before each value of a record: `{"name":` before the first, `,"name":` before the others.
package final class FieldLabels: Sendable {
    // In memory of their own, since an array's is asked for anew at each use.
    /// Where each begins and ends.
    private nonisolated(unsafe) let places: UnsafeMutableBufferPointer<Range<Int>>
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer
    package let count: Int

    package init(_ names: [String]) {
        var (text, found): ([UInt8], [Range<Int>]) = ([], [])
        for name in names {
            var label = JSONBuffer(capacity: 64)
            label.append(found.isEmpty ? "{" : ",")
            label.append(string: name)
            label.append(":")
            found.append(text.count..<text.count + label.count)
            text += label.bytes
            text += [UInt8](repeating: 0, count: JSONBuffer.padding(behind: label.count))
        }
        memory = .allocate(byteCount: max(text.count, 1), alignment: 16)
        memory.copyBytes(from: text)
        places = .allocate(capacity: found.count)
        _ = places.initialize(from: found)
        count = found.count
    }

    deinit {
        places.deallocate()
        memory.deallocate()
    }

    /// Writes the label of a value.
    @inline(__always)
    package func write(_ place: Int, to buffer: inout JSONBuffer) {
        buffer.append(padded: UnsafeRawBufferPointer(rebasing: memory[places[place]]))
    }
}
