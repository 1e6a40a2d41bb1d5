package import GodwitJSON
package import GodwitModel

/// A row as JSON, directly from SQLite's bytes: the hot loop of every export.
extension RowValues {
    /// Writes the row as a JSON object.
    ///
    /// - Parameters:
    ///   - labels: the text before each value.
    ///   - first: index of the first column to write.
    ///   - keyPlace: index of a value among those that are written.
    ///
    /// - Returns: the range of that value's text in the buffer.
    /// - Throws: `bug` if there are fewer values than labels: a record without its last columns would seem complete.
    package func write(
        record labels: FieldLabels, from first: Int = 0, keyPlace: Int, to buffer: inout JSONBuffer
    ) throws(GodwitError) -> Range<Int> {
        let end = first + labels.count
        guard first >= 0, end <= values.count else {
            throw GodwitError(
                .export, .bug,
                "a row of \(values.count) columns should be written as \(labels.count) columns from index "
                    + "\(first)")
        }
        let written = UnsafeBufferPointer(rebasing: values[first..<end])
        return buffer.append(record: written, labels, keyPlace: keyPlace)
    }

    /// Whether a column is text that was written without escapes, given the number of bytes that were written.
    ///
    /// Escaped or tagged text is always longer.
    @inline(__always)
    package func isPlainText(_ column: Int, written count: Int) -> Bool {
        if case .text(let text) = self[column] { text.count + 2 == count } else { false }
    }

    /// Writes bytes that sort like the column in `column COLLATE BINARY, typeof(column)`: a number for the storage
    /// class, then the value.
    ///
    /// The number for text is a quotation mark, as in JSON.
    ///
    /// - Returns: false for a real, which may be equal to an integer.
    package func writeOrder(of column: Int, to buffer: inout JSONBuffer) -> Bool {
        switch self[column] {
        case .null: buffer.append(byte: 0)
        case .integer(let number):
            buffer.append(byte: 1)
            let order = UInt64(bitPattern: number) ^ 1 << 63
            withUnsafeBytes(of: order.bigEndian) { buffer.append(raw: $0) }
        case .real: return false
        case .text(let text):
            buffer.append(byte: 0x22)
            buffer.append(raw: text)
        case .blob(let blob):
            buffer.append(byte: 0x23)
            buffer.append(raw: blob)
        }
        return true
    }
}
