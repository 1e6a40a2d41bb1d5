/// A record's place in a chunk, with the first bytes that order it beside it: most comparisons need no others.
package struct ChunkEntry: Equatable {
    package let prefix: UInt64
    package let place: Int

    package init(prefix: UInt64, place: Int) { (self.prefix, self.place) = (prefix, place) }

    /// A byte of the prefix, counted from the last.
    @inline(__always)
    fileprivate func byte(_ number: Int) -> Int { Int(truncatingIfNeeded: prefix >> (8 * UInt64(number)) & 0xFF) }
}

extension [ChunkEntry] {
    /// Puts entries in the order of their prefixes, those with the same one in the order they are in.
    ///
    /// They are dealt out by one byte after the other, from the last on, and none are compared: to sort a full chunk by
    /// comparing takes fourteen decisions for each entry, of which the processor guesses half wrong. A byte that is the same
    /// in all is left out, and what is in order already is only looked at.
    ///
    /// - Parameter spare: memory for as many; what is in it is of no use before and afterwards.
    package mutating func sortByPrefix(with spare: inout [ChunkEntry]) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 8 << 8) { counts in
            counts.initialize(repeating: 0)
            guard !countBytes(counts) else { return }
            spare.removeAll(keepingCapacity: true)
            spare.append(contentsOf: self)
            for byte in 0..<8 {
                let places = UnsafeMutableBufferPointer(rebasing: counts[byte << 8..<(byte + 1) << 8])
                guard places[self[0].byte(byte)] < count else { continue }
                Self.sum(places)
                deal(by: byte, places, to: &spare)
                swap(&self, &spare)
            }
        }
    }

    /// Counts how often each byte has each value; returns whether the entries are in order.
    private func countBytes(_ counts: UnsafeMutableBufferPointer<Int>) -> Bool {
        var (last, isInOrder) = (UInt64(0), true)
        for entry in self {
            if entry.prefix < last { isInOrder = false }
            last = entry.prefix
            for byte in 0..<8 { counts[byte << 8 | entry.byte(byte)] &+= 1 }
        }
        return isInOrder
    }

    /// Makes of how many there are of each value where the first of them belongs.
    private static func sum(_ counts: UnsafeMutableBufferPointer<Int>) {
        var place = 0
        for value in counts.indices {
            let count = counts[value]
            counts[value] = place
            place += count
        }
    }

    private func deal(by byte: Int, _ places: UnsafeMutableBufferPointer<Int>, to other: inout [ChunkEntry]) {
        other.withUnsafeMutableBufferPointer { other in
            for entry in self {
                let value = entry.byte(byte)
                other[places[value]] = entry
                places[value] &+= 1
            }
        }
    }
}
