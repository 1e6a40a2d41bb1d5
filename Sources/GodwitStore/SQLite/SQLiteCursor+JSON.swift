package import GodwitModel

/// Rows as JSON, straight from SQLite's bytes, of stores in UTF-16 too; where more is wanted of a row, see `RowValues`.
extension SQLiteCursor {
    /// Writes a column as JSON.
    package func write(column: Int, to buffer: inout JSONBuffer) {
        // Asked first: for the bytes of such a text as UTF-8 SQLite may convert it where it lies, and not every text comes back.
        if wide != nil, type(column) == .text { return withBytes(column) { buffer.append(text: $0) } }
        buffer.append(RowValue(statement, Int32(column)))
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
