package import GodwitJSON

/// Rows as JSON, directly from SQLite's bytes, also for stores in UTF-16; `RowValues` can do more with a row.
extension SQLiteCursor {
    package func write(column: Int, to buffer: inout JSONBuffer) {
        // Check the type first: if asked for UTF-8, SQLite may convert the text in place, and not every text can be
        // converted back.
        if wide != nil, type(column) == .text { return withBytes(column) { buffer.append(text: $0) } }
        buffer.append(column: RowValue(statement, Int32(column)))
    }

    /// Writes the row as a JSON object.
    ///
    /// - Parameters:
    ///   - labels: the text before each value.
    ///   - first: index of the first column to write.
    ///   - keyPlace: index of a value among those that are written.
    ///
    /// - Returns: the range of that value's text in the buffer.
    package func write(
        record labels: FieldLabels, from first: Int = 0, keyPlace: Int, to buffer: inout JSONBuffer
    ) -> Range<Int> {
        var key = 0..<0
        for index in 0..<labels.count {
            labels.write(index, to: &buffer)
            let start = buffer.count
            write(column: first + index, to: &buffer)
            if index == keyPlace { key = start..<buffer.count }
        }
        buffer.append(byte: 0x7D)
        return key
    }
}
