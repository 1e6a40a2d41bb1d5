internal import GodwitJSON
internal import GodwitModel
internal import Libc

/// Reads one run of a spool, record by record, through a small window.
///
/// Invariant: the window holds the header of the current record and the bytes that order it; of its text whatever fits.
struct RunReader {
    private let spool: RecordSpool
    private let window: UnsafeMutableRawBufferPointer
    /// Where in the window the current record begins, and the end of what was read.
    private var start = 0
    private var filled = 0
    /// Where in the file the window's end is, and the run's.
    private var place: Int64
    private let end: Int64
    /// Up to where the file was given back.
    private var givenBack: Int64
    private(set) var header = RecordHeader()
    private var hasRecord = false
    /// The first bytes that order the current record.
    private(set) var prefix: UInt64 = 0

    /// The smallest window that any record's head fits into.
    static let smallestWindow = 1 << 12
    /// The system takes back whole blocks; those of most file systems are as large.
    private static let blockSize: Int64 = 1 << 12

    /// - Parameter window: memory of the caller's, at least `smallestWindow`.
    init(_ spool: RecordSpool, _ run: Range<Int64>, window: UnsafeMutableRawBufferPointer) {
        (self.spool, self.window) = (spool, window)
        (place, end) = (run.lowerBound, run.upperBound)
        givenBack = Self.firstWholeBlock(from: run.lowerBound)
    }

    /// Where the first block begins that has nothing of what comes before a place: that may belong to another run.
    static func firstWholeBlock(from place: Int64) -> Int64 { (place + blockSize - 1) / blockSize * blockSize }

    /// Where the last block ends that has nothing of what begins at a place.
    static func lastWholeBlock(before place: Int64) -> Int64 { place / blockSize * blockSize }

    /// The bytes that order the current record; valid until the next one.
    var order: UnsafeRawBufferPointer {
        let order = header.order
        return UnsafeRawBufferPointer(rebasing: window[start + order.lowerBound..<start + order.upperBound])
    }

    /// Where the current record's text is in the file.
    var textPlace: Int64 { place - Int64(filled - start) + Int64(header.textOffset) }

    /// Goes to the next record; false at the end of the run.
    mutating func advance() throws(GodwitError) -> Bool {
        start += hasRecord ? header.wholeCount : 0
        if start > filled {
            // The rest of a text that the window was too small for.
            place += Int64(start - filled)
            (start, filled) = (0, 0)
        }
        guard place - Int64(filled - start) < end else { return false }
        try require(RecordHeader.size)
        if let base = window.baseAddress { header = RecordHeader(at: base + start) }
        hasRecord = true
        try require(header.order.upperBound)
        prefix = RecordOrder.prefix(of: order)
        return true
    }

    /// Gives the system back what lies before the current record, once that is so much.
    mutating func giveBackRead(_ least: Int64) {
        let current = Self.lastWholeBlock(before: place - Int64(filled - start))
        guard current - givenBack >= max(least, 1) else { return }
        spool.giveBack(givenBack..<current)
        givenBack = current
    }

    /// The current record's text in the window, valid until the next record; nil where it does not fit.
    mutating func text() throws(GodwitError) -> UnsafeRawBufferPointer? {
        guard header.wholeCount <= window.count else { return nil }
        try require(header.wholeCount)
        let first = start + header.textOffset
        return UnsafeRawBufferPointer(rebasing: window[first..<first + Int(header.textCount)])
    }

    /// Adds the current record's text to a buffer.
    mutating func copyText(to buffer: inout JSONBuffer) throws(GodwitError) {
        if let text = try text() {
            buffer.append(raw: text)
        } else {
            let place = textPlace
            try buffer.append(count: Int(header.textCount)) { space throws(GodwitError) in
                try spool.read(space, at: place)
            }
        }
    }

    /// Reads on until the window holds so many bytes of the current record.
    private mutating func require(_ count: Int) throws(GodwitError) {
        guard filled - start < count else { return }
        let rest = filled - start
        if let base = window.baseAddress, rest > 0 { memmove(base, base + start, rest) }
        (start, filled) = (0, rest)
        let more = Int(min(Int64(window.count - filled), end - place))
        guard filled + more >= count else {
            throw GodwitError(.export, .bug, "A run of sorted records ends too early.")
        }
        try spool.read(UnsafeMutableRawBufferPointer(rebasing: window[filled..<filled + more]), at: place)
        filled += more
        place += Int64(more)
    }
}
