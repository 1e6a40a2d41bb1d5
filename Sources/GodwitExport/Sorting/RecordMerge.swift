internal import GodwitJSON
internal import GodwitModel

/// Sorted runs as one: a heap of their first records finds the run whose record comes next.
///
/// Invariant: `heap[0]` is the run with the smallest current record; runs that have ended are not in it.
struct RecordMerge: ~Copyable {
    private let spool: RecordSpool
    private let readers: UnsafeMutableBufferPointer<RunReader>
    private let memory: UnsafeMutableRawBufferPointer
    private var heap: [Place] = []

    private struct Place {
        var prefix: UInt64
        let run: Int
    }

    /// - Parameters:
    ///   - runs: where they lie in the spool, from any record on.
    ///   - memory: bytes for the windows of all runs together; with very many runs it is more.
    init(_ spool: RecordSpool, _ runs: [Range<Int64>], memory size: Int) throws(GodwitError) {
        let count = runs.count
        let window = min(max(size / max(count, 1) & ~4095, RunReader.smallestWindow), 1 << 18)
        memory = .allocate(byteCount: max(window * count, 1), alignment: 4096)
        readers = .allocate(capacity: count)
        self.spool = spool
        for (index, run) in runs.enumerated() {
            let part = UnsafeMutableRawBufferPointer(rebasing: memory[index * window..<(index + 1) * window])
            readers.initializeElement(at: index, to: RunReader(spool, run, window: part))
        }
        for run in 0..<count where try readers[run].advance() {
            heap.append(Place(prefix: readers[run].prefix, run: run))
        }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
    }

    deinit {
        readers.deinitialize()
        readers.deallocate()
        memory.deallocate()
    }

    /// Whether there is another record.
    var hasRecord: Bool { !heap.isEmpty }

    /// The smallest record that is left.
    var header: RecordHeader { readers[heap[0].run].header }
    var textPlace: Int64 { readers[heap[0].run].textPlace }

    /// Whether no other run has that record's key; its own run may.
    var isAlone: Bool {
        let first = heap[0]
        for child in 1...2 where child < heap.count {
            guard heap[child].prefix == first.prefix else { continue }
            if readers[heap[child].run].order.order(against: readers[first.run].order) == 0 { return false }
        }
        return true
    }

    /// Its text in place, valid until the next record; nil if it is longer than what is read at a time.
    mutating func text() throws(GodwitError) -> UnsafeRawBufferPointer? { try readers[heap[0].run].text() }

    /// Whether that record has a key of these bytes.
    func hasOrder(_ prefix: UInt64, _ order: UnsafeRawBufferPointer) -> Bool {
        heap[0].prefix == prefix && readers[heap[0].run].order.order(against: order) == 0
    }

    /// Adds the bytes that order it, or its text, to a buffer.
    func copyOrder(to buffer: inout JSONBuffer) -> UInt64 {
        buffer.append(raw: readers[heap[0].run].order)
        return heap[0].prefix
    }

    mutating func copyText(to buffer: inout JSONBuffer) throws(GodwitError) {
        try readers[heap[0].run].copyText(to: &buffer)
    }

    /// Goes to the next record.
    mutating func advance() throws(GodwitError) {
        let run = heap[0].run
        if try readers[run].advance() {
            heap[0].prefix = readers[run].prefix
        } else {
            let last = heap.removeLast()
            if heap.isEmpty { return }
            heap[0] = last
        }
        siftDown(from: 0)
    }

    /// Returns what is before the current record of each run to the file system, if it is large enough.
    mutating func giveBackRead(_ least: Int64) {
        for place in heap { readers[place.run].giveBackRead(least) }
    }

    private mutating func siftDown(from top: Int) {
        var place = top
        let moving = heap[top]
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
            guard precedes(heap[child], moving) else { break }
            heap[place] = heap[child]
            place = child
        }
        heap[place] = moving
    }

    @inline(__always)
    private func precedes(_ one: Place, _ other: Place) -> Bool {
        if one.prefix != other.prefix { return one.prefix < other.prefix }
        return readers[one.run].order.order(against: readers[other.run].order) < 0
    }
}
