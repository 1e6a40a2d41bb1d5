/// A row as JSON: the hot loop of every export, in one module with all that it calls, since to call from one to another for each
/// value takes as long as to write a short one.
extension JSONBuffer {
    /// Writes the values of a row as an object, from brace to brace.
    ///
    /// - Parameters:
    ///   - labels: the text before each value; one for each value.
    ///   - keyPlace: the number of a value.
    /// - Returns: where that value's text is in the buffer.
    package mutating func append(
        record values: UnsafeBufferPointer<RowValue>, _ labels: FieldLabels, keyPlace: Int
    ) -> Range<Int> {
        var key = 0..<0
        for place in values.indices {
            labels.write(place, to: &self)
            let start = count
            append(column: values[place])
            if place == keyPlace { key = start..<count }
        }
        append(byte: 0x7D)
        return key
    }

    /// A value of a row.
    @inline(__always)
    package mutating func append(column value: RowValue) {
        switch value {
        case .null: append("null")
        case .integer(let number): append(integer: number)
        case .real(let number): append(real: number)
        case .text(let text): append(text: text)
        case .blob(let blob): append(blob: blob)
        }
    }
}
