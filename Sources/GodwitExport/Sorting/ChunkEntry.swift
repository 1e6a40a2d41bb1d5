/// The offset of a record in a chunk, with the first eight bytes of its order, which decide most comparisons.
package struct ChunkEntry: Equatable {
    package let prefix: UInt64
    package let offset: Int

    package init(prefix: UInt64, offset: Int) { (self.prefix, self.offset) = (prefix, offset) }

    /// A byte of the prefix, counted from the last.
    @inline(__always)
    fileprivate func byte(_ number: Int) -> Int { Int(truncatingIfNeeded: prefix >> (8 * UInt64(number)) & 0xFF) }
}

extension [ChunkEntry] {
    /// Sorts entries by prefix; entries with equal prefixes keep their order.
    ///
    /// A radix sort from the last byte to the first. Sorting a full chunk by comparison takes fourteen decisions per
    /// entry, and the processor predicts half of them wrong. It skips bytes that are equal in all entries, and does
    /// nothing if the entries are sorted.
    ///
    /// - Parameter spare: memory for as many entries; its content is undefined before and afterwards.
    package mutating func sortByPrefix(with spare: inout [ChunkEntry]) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 8 << 8) { counts in
            counts.initialize(repeating: 0)
            guard !countBytes(counts) else { return }
            spare.removeAll(keepingCapacity: true)
            spare.append(contentsOf: self)
            for byte in 0..<8 {
                let starts = UnsafeMutableBufferPointer(rebasing: counts[byte << 8..<(byte + 1) << 8])
                guard starts[self[0].byte(byte)] < count else { continue }
                Self.sum(starts)
                deal(by: byte, starts, to: &spare)
                swap(&self, &spare)
            }
        }
    }

    /// Counts the values of each byte; returns whether the entries are sorted.
    private func countBytes(_ counts: UnsafeMutableBufferPointer<Int>) -> Bool {
        var (last, isInOrder) = (UInt64(0), true)
        for entry in self {
            if entry.prefix < last { isInOrder = false }
            last = entry.prefix
            for byte in 0..<8 { counts[byte << 8 | entry.byte(byte)] &+= 1 }
        }
        return isInOrder
    }

    /// Replaces the count of each value by the index of its first entry.
    private static func sum(_ counts: UnsafeMutableBufferPointer<Int>) {
        var offset = 0
        for value in counts.indices {
            let count = counts[value]
            counts[value] = offset
            offset += count
        }
    }

    private func deal(by byte: Int, _ starts: UnsafeMutableBufferPointer<Int>, to other: inout [ChunkEntry]) {
        other.withUnsafeMutableBufferPointer { other in
            for entry in self {
                let value = entry.byte(byte)
                other[starts[value]] = entry
                starts[value] &+= 1
            }
        }
    }
}
