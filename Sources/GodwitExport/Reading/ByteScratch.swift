internal import GodwitJSON

/// Memory for decoded values: texts without escapes, and bytes from base64.
///
/// Emptied for each record, but not released. Offsets stay valid when it grows.
struct ByteScratch: ~Copyable {
    private var memory: UnsafeMutableRawPointer
    private var capacity = 1 << 12
    private(set) var count = 0

    init() { memory = .allocate(byteCount: 1 << 12, alignment: 16) }

    deinit { memory.deallocate() }

    /// Valid until the next byte is added.
    var bytes: UnsafeRawPointer { UnsafeRawPointer(memory) }

    mutating func removeAll() { count = 0 }

    /// Makes room for so many more bytes, and returns it.
    private mutating func reserve(_ more: Int) -> UnsafeMutableRawBufferPointer {
        if count + more > capacity {
            var size = capacity
            while size < count + more { size *= 2 }
            let larger = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            larger.copyMemory(from: memory, byteCount: count)
            memory.deallocate()
            (memory, capacity) = (larger, size)
        }
        return UnsafeMutableRawBufferPointer(start: memory + count, count: more)
    }

    /// Adds a text without its escapes.
    ///
    /// - Returns: false for an escape that JSON does not have, for half of a surrogate pair, and for NUL.
    mutating func append(unescaping text: UnsafeRawBufferPointer) -> Bool {
        var escapes = JSONUnescaping(text, at: 0)
        guard let written = try? escapes.write(to: reserve(text.count)) else { return false }
        count += written
        return true
    }

    /// Adds the bytes of a base64 text; false for other text.
    mutating func append(base64 text: UnsafeRawBufferPointer) -> Bool {
        guard let written = Base64.decode(text, to: reserve(text.count / 4 * 3)) else { return false }
        count += written
        return true
    }
}
