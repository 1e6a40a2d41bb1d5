internal import GodwitFiles
internal import GodwitJSON
internal import GodwitModel
internal import Libc
internal import Crypto

/// The part of a document in memory: it slides over the bytes, and grows only for a unit (a record, a header member)
/// that does not fit.
///
/// Offsets are relative to the start of the unit, because they stay valid when the window slides or grows; pointers do
/// not. Bytes that leave the window are hashed, if requested.
struct ReadingWindow: ~Copyable {
    private var source: DocumentSource
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    /// Offset of the next byte.
    private(set) var position = 0
    private var end = 0
    /// Offset of the current unit.
    private var unit = 0
    private var unitLimit: Int
    /// Number of bytes that have left the window.
    private var dropped: Int64 = 0
    private var hash: SHA256?
    /// End of the hashed bytes in memory.
    private var hashed = 0
    let name: String
    let stage: GodwitError.Stage
    let limits: ReadingLimits
    private let cancellation: Cancellation

    init(
        _ input: ExportInput, stage: GodwitError.Stage, limits: ReadingLimits, cancellation: Cancellation
    ) throws(GodwitError) {
        source = try DocumentSource(input, stage: stage)
        capacity = 1 << 18
        memory = .allocate(byteCount: capacity, alignment: 16)
        unitLimit = limits.header
        (name, self.stage, self.limits, self.cancellation) = (input.name, stage, limits, cancellation)
    }

    deinit { memory.deallocate() }

    var isCompressed: Bool { source.isCompressed }

    /// Number of document bytes before the next one, unpacked.
    var offset: Int64 { dropped + Int64(position) }

    /// The bytes of the current unit from its start; valid until the next call that may read.
    var unitBytes: UnsafeRawPointer { UnsafeRawPointer(memory + unit) }

    /// Offset of the next byte in the unit.
    var place: Int { position - unit }

    /// Starts a unit at the next byte; bytes before it may leave the window.
    ///
    /// Throws if the unit that ends here was too large, even if all of it was in memory.
    mutating func beginUnit(limit: Int) throws(GodwitError) {
        guard position - unit <= unitLimit else { throw tooLarge() }
        unit = position
        unitLimit = limit
    }

    /// The next byte; nil at the end of the document.
    @inline(__always)
    mutating func peek() throws(GodwitError) -> UInt8? {
        if position == end, try !fill() { return nil }
        return memory.load(fromByteOffset: position, as: UInt8.self)
    }

    /// Skips the next bytes, which must be in memory.
    @inline(__always)
    mutating func advance(_ count: Int = 1) { position += count }

    /// Whether these bytes are next; all of them must fit into a unit.
    mutating func isNext(_ bytes: UnsafeRawBufferPointer) throws(GodwitError) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        while end - position < bytes.count {
            // Bytes in memory that differ decide without reading more.
            if memcmp(memory + position, start, end - position) != 0 { return false }
            guard try fill() else { return false }
        }
        return memcmp(memory + position, start, bytes.count) == 0
    }

    /// Reads a token, or a value with all its parts: again from its beginning with more bytes while its end is missing.
    @inline(__always)
    mutating func read<T>(_ token: (inout JSONCursor) throws(JSONFault) -> T) throws(GodwitError) -> T {
        while true {
            var cursor = JSONCursor(UnsafeRawBufferPointer(start: unitBytes, count: end - unit), offset: place)
            let read: T
            do throws(JSONFault) {
                read = try token(&cursor)
            } catch {
                if error.needsMore, try fillWhole() { continue }
                throw damage(error)
            }
            if cursor.isAtEndOfNumber, try fillWhole() { continue }
            position = unit + cursor.offset
            return read
        }
    }

    // MARK: Hashing

    mutating func beginHashing() {
        hash = SHA256()
        hashed = position
    }

    /// The hash of all bytes since then, as lower-case hex.
    mutating func endHashing() -> String {
        hash?.update(bufferPointer: UnsafeRawBufferPointer(start: memory + hashed, count: position - hashed))
        defer { hash = nil }
        return hexText(hash?.finalize().map { $0 } ?? [])
    }

    // MARK: Sliding

    /// Reads more bytes; false at the end of the document.
    private mutating func fill() throws(GodwitError) -> Bool {
        try cancellation.check(stage)
        slide()
        guard end < unitLimit else { throw tooLarge() }
        if end == capacity { grow() }
        let count = try source.read(
            into: UnsafeMutableRawBufferPointer(start: memory + end, count: min(capacity, unitLimit) - end))
        end += count
        return count > 0
    }

    /// Reads as much as fits into memory; false at the end of the document.
    ///
    /// The memory doubles, so that a token that starts again each time takes linear time.
    private mutating func fillWhole() throws(GodwitError) -> Bool {
        guard try fill() else { return false }
        while end < min(capacity, unitLimit), try fill() {}
        return true
    }

    private func tooLarge() -> GodwitError {
        GodwitError(
            stage, .data,
            "`\(name)` has a record or member of more than \(unitLimit.grouped) bytes at byte "
                + "\((dropped + Int64(unit)).grouped)",
            hint: "Store large data in files: docs/export-format.md lists the limits.")
    }

    /// Removes the bytes before the unit.
    private mutating func slide() {
        guard unit > 0 else { return }
        if unit > hashed {
            hash?.update(bufferPointer: UnsafeRawBufferPointer(start: memory + hashed, count: unit - hashed))
        }
        hashed = max(0, hashed - unit)
        memmove(memory, memory + unit, end - unit)
        dropped += Int64(unit)
        position -= unit
        end -= unit
        unit = 0
    }

    private mutating func grow() {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2, alignment: 16)
        memcpy(larger, memory, end)
        memory.deallocate()
        memory = larger
        capacity *= 2
    }
}
