/// A set of hashes with a fixed size: each is at its own place, or at the next free one.
///
/// The last bit of a hash is not compared, so that none is 0.
final class HashTable {
    private let places: UnsafeMutableBufferPointer<UInt64>
    private let shift: UInt64
    @exclusivity(unchecked) private var room: Int

    /// - Parameter count: number of hashes for which there is room.
    init(for count: Int64) {
        let bits = max(Int64.bitWidth - count.leadingZeroBitCount + 1, 6)
        places = .allocate(capacity: 1 << bits)
        places.initialize(repeating: 0)
        shift = UInt64(64 - bits)
        room = 3 << (bits - 2)
    }

    deinit { places.deallocate() }

    var isFull: Bool { room == 0 }

    /// Adds a hash; false if it is there already, or if there is no room.
    @inline(__always)
    func insert(_ hash: UInt64) -> Bool {
        let place = place(of: hash)
        guard places[place] == 0, room > 0 else { return false }
        places[place] = hash | 1
        room &-= 1
        return true
    }

    @inline(__always)
    func has(_ hash: UInt64) -> Bool { places[place(of: hash)] != 0 }

    /// The index of a hash, or the free index for it.
    @inline(__always)
    private func place(of hash: UInt64) -> Int {
        var place = Int(truncatingIfNeeded: hash >> shift)
        while places[place] != 0, places[place] != hash | 1 { place = (place &+ 1) & (places.count &- 1) }
        return place
    }
}
