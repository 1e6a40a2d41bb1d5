internal import GodwitJSON
internal import GodwitModel
internal import Libc

/// Reads one run of a spool, record by record, through a small window.
///
/// Invariant: the window contains the header and order bytes of the current record, and as much of its text as fits.
struct RunReader {
    private let spool: RecordSpool
    private let window: UnsafeMutableRawBufferPointer
    /// Offsets in the window: start of the current record, and end of the bytes that were read.
    private var start = 0
    private var filled = 0
    /// Offsets in the file: end of the window, and end of the run.
    private var offset: Int64
    private let end: Int64
    /// End of the part that was returned to the file system.
    private var givenBack: Int64
    private(set) var header = RecordHeader()
    private var hasRecord = false
    /// The current record's first eight order bytes.
    private(set) var prefix: UInt64 = 0

    /// Minimum size of a window; any record's header and order bytes fit into it.
    static let smallestWindow = 1 << 12
    /// File systems free whole blocks, which usually have this size.
    private static let blockSize: Int64 = 1 << 12

    /// - Parameter window: memory of the caller, at least `smallestWindow`.
    init(_ spool: RecordSpool, _ run: Range<Int64>, window: UnsafeMutableRawBufferPointer) {
        (self.spool, self.window) = (spool, window)
        (offset, end) = (run.lowerBound, run.upperBound)
        givenBack = Self.firstWholeBlock(from: run.lowerBound)
    }

    /// Start of the first block without bytes before this offset, which may belong to another run.
    static func firstWholeBlock(from offset: Int64) -> Int64 { (offset + blockSize - 1) / blockSize * blockSize }

    /// End of the last block without bytes after this offset.
    static func lastWholeBlock(before offset: Int64) -> Int64 { offset / blockSize * blockSize }

    /// The order bytes of the current record; valid until the next one.
    var order: UnsafeRawBufferPointer {
        let order = header.order
        return UnsafeRawBufferPointer(rebasing: window[start + order.lowerBound..<start + order.upperBound])
    }

    /// Offset of the current record's text in the file.
    var textPlace: Int64 { offset - Int64(filled - start) + Int64(header.textOffset) }

    /// Moves to the next record; false at the end of the run.
    mutating func advance() throws(GodwitError) -> Bool {
        start += hasRecord ? header.wholeCount : 0
        if start > filled {
            // Skip the rest of a text that did not fit into the window.
            offset += Int64(start - filled)
            (start, filled) = (0, 0)
        }
        guard offset - Int64(filled - start) < end else { return false }
        try require(RecordHeader.size)
        if let base = window.baseAddress { header = RecordHeader(at: base + start) }
        hasRecord = true
        try require(header.order.upperBound)
        prefix = RecordOrder.prefix(of: order)
        return true
    }

    /// Returns what is before the current record to the file system, if it is large enough.
    mutating func giveBackRead(_ least: Int64) {
        let current = Self.lastWholeBlock(before: offset - Int64(filled - start))
        guard current - givenBack >= max(least, 1) else { return }
        spool.giveBack(givenBack..<current)
        givenBack = current
    }

    /// The current record's text in the window, valid until the next record; nil if it does not fit.
    mutating func text() throws(GodwitError) -> UnsafeRawBufferPointer? {
        guard header.wholeCount <= window.count else { return nil }
        try require(header.wholeCount)
        let first = start + header.textOffset
        return UnsafeRawBufferPointer(rebasing: window[first..<first + Int(header.textCount)])
    }

    mutating func copyText(to buffer: inout JSONBuffer) throws(GodwitError) {
        if let text = try text() {
            buffer.append(raw: text)
        } else {
            let offset = textPlace
            try buffer.append(count: Int(header.textCount)) { space throws(GodwitError) in
                try spool.read(space, at: offset)
            }
        }
    }

    /// Reads until the window contains this number of bytes of the current record.
    private mutating func require(_ count: Int) throws(GodwitError) {
        guard filled - start < count else { return }
        let rest = filled - start
        if let base = window.baseAddress, rest > 0 { memmove(base, base + start, rest) }
        (start, filled) = (0, rest)
        let more = Int(min(Int64(window.count - filled), end - offset))
        guard filled + more >= count else {
            throw GodwitError(.export, .bug, "a run of sorted records ends too early")
        }
        try spool.read(UnsafeMutableRawBufferPointer(rebasing: window[filled..<filled + more]), at: offset)
        filled += more
        offset += Int64(more)
    }
}
