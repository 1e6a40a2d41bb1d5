package import GodwitJSON

/// Rows as JSON, straight from SQLite's bytes, of stores in UTF-16 too; where more is wanted of a row, see `RowValues`.
extension SQLiteCursor {
    /// Writes a column as JSON.
    package func write(column: Int, to buffer: inout JSONBuffer) {
        // Asked first: for the bytes of such a text as UTF-8 SQLite may convert it where it lies, and not every text comes back.
        if wide != nil, type(column) == .text { return withBytes(column) { buffer.append(text: $0) } }
        buffer.append(column: RowValue(statement, Int32(column)))
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
}
