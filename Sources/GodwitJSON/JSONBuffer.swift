package import GodwitModel

/// A growing buffer of JSON text that SQLite's column bytes are written into directly.
///
/// Nothing is allocated per value while the buffer's capacity lasts: integers, whole and short reals, and text are
/// formatted in place. Formats promised in `docs/export-format.md`: RFC 8259, UTF-8, `/` not escaped, reals with a
/// point or an exponent and in the shortest form that reads back to the same double, and tagged objects for what JSON
/// can't hold.
///
/// Invariant: the code that writes behind `count` has reserved the place first. Memory of its own instead of an array,
/// since an array asks at each byte whether it has one owner and is large enough.
package struct JSONBuffer: ~Copyable {
    var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    package internal(set) var count = 0

    package init(capacity: Int = 1 << 16) {
        self.capacity = max(capacity, 32)
        memory = .allocate(capacity: self.capacity)
    }

    deinit { memory.deallocate() }

    /// A copy of the text.
    package var bytes: [UInt8] { withBytes { Array($0) } }

    /// The text in place, valid inside the closure.
    package borrowing func withBytes<R, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> R
    ) throws(Failure) -> R {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Empties the buffer and keeps its memory.
    package mutating func removeAll() { count = 0 }

    /// Takes away the last bytes, of which there are at least so many.
    package mutating func removeLast(_ bytes: Int) { count -= min(max(bytes, 0), count) }

    /// Makes room for so many more bytes.
    @inline(__always)
    package mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(by: more) }
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        // A record of a hundred megabytes must not ask for two hundred: there may be no room for that and the old text.
        let needed = count + more
        capacity = max(needed + needed / 16, min(capacity * 2, 16 << 20))
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: memory, count: count)
        memory.deallocate()
        memory = larger
    }

    /// Adds a byte there is room for.
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        memory[count] = byte
        count += 1
    }

    package mutating func append(_ text: StaticString) {
        append(raw: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package mutating func append(byte: UInt8) {
        reserve(1)
        put(byte)
    }

    package mutating func append(raw: [UInt8]) { raw.withUnsafeBytes { append(raw: $0) } }

    package mutating func append(raw: UnsafeRawBufferPointer) {
        guard let start = raw.baseAddress else { return }
        reserve(raw.count)
        UnsafeMutableRawPointer(memory + count).copyMemory(from: start, byteCount: raw.count)
        count += raw.count
    }

    /// How many bytes there have to be behind so many that are added as `padded`.
    package static func padding(behind count: Int) -> Int { -count & 15 }

    /// Adds bytes that others follow, up to a whole number of sixteens: for short texts that are added very often, since
    /// calling for a copy takes longer than the copy.
    @inline(__always)
    package mutating func append(padded text: UnsafeRawBufferPointer) {
        guard let start = text.baseAddress else { return }
        let size = text.count
        reserve(size + 15)
        let target = UnsafeMutableRawPointer(memory + count)
        var place = 0
        while place < size {
            let part = start.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
            target.storeBytes(of: part, toByteOffset: place, as: SIMD16<UInt8>.self)
            place &+= 16
        }
        count += size
    }

    /// Makes the buffer longer by bytes that the closure sets, all of them.
    package mutating func append(
        count more: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        reserve(more)
        try fill(UnsafeMutableRawBufferPointer(start: memory + count, count: more))
        count += more
    }

    /// Overwrites bytes that were written before; bytes after their end are left out.
    package mutating func overwrite(_ place: Int, with bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, place >= 0, place < count else { return }
        UnsafeMutableRawPointer(memory + place).copyMemory(from: start, byteCount: min(bytes.count, count - place))
    }
}
