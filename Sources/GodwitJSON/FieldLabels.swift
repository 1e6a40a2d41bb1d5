/// The text before each value of a record: `{"name":` before the first, `,"name":` before the others.
package final class FieldLabels: Sendable {
    // In memory of their own, since an array's is asked for again at each use.
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
