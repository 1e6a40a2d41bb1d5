internal import GodwitModel
internal import GodwitStore

/// As many records as fit into memory at a time, in the order in which they came until they are sorted.
///
/// A class, since one thread fills a chunk while another sorts and writes the other one; never both the same.
final class RecordChunk: @unchecked Sendable {
    // Only one thread has a chunk at a time, and asking for each byte whether that is so takes longer than to write it.
    @exclusivity(unchecked) private var memory: JSONBuffer
    @exclusivity(unchecked) private var entries: [Entry] = []
    /// Records that have the same key as the one before, once they are sorted.
    private(set) var repeatedKeys = 0

    /// A record's place, with the first bytes that order it beside it: most comparisons need no others.
    private struct Entry {
        let prefix: UInt64
        let place: Int
    }

    init(capacity: Int) { memory = JSONBuffer(capacity: capacity) }

    /// Bytes of the records in it.
    var size: Int { memory.count }
    var count: Int { entries.count }

    func removeAll() {
        memory.removeAll()
        entries.removeAll(keepingCapacity: true)
        repeatedKeys = 0
    }

    /// Adds the row a cursor stands on: its first column the rowid, then the columns that are written.
    ///
    /// - Returns: false where SQLite has to put such records in order.
    func append(_ row: borrowing SQLiteCursor, _ labels: FieldLabels, keyColumn: Int) -> Bool {
        let place = memory.count
        var header = RecordHeader()
        withUnsafeBytes(of: header) { memory.append(raw: $0) }
        guard row.writeOrder(of: keyColumn, to: &memory) else { return false }
        let text = memory.count
        let key = row.write(record: labels, from: 1, keyPlace: keyColumn - 1, to: &memory)
        let (orderCount, textCount) = (text - place - RecordHeader.size, memory.count - text)
        guard orderCount <= RecordHeader.longestOrder, textCount <= RecordHeader.longestText else { return false }
        header.orderCount = UInt32(orderCount)
        header.textCount = UInt32(textCount)
        (header.keyStart, header.keyEnd) = (UInt32(key.lowerBound - text), UInt32(key.upperBound - text))
        header.rowid = row.integer(0)
        withUnsafeBytes(of: header) { memory.overwrite(place, with: $0) }
        entries.append(
            Entry(prefix: memory.withBytes { RecordOrder.prefix(of: Self.order(of: place, $0)) }, place: place))
        return true
    }

    /// The same records in no more memory than they need.
    func compacted() -> RecordChunk {
        let chunk = RecordChunk(capacity: memory.count)
        memory.withBytes { chunk.memory.append(raw: $0) }
        chunk.entries = entries.map(\.self)
        chunk.repeatedKeys = repeatedKeys
        return chunk
    }

    /// Puts the records in the order of their keys, and counts the keys that are there more than once.
    func sort() {
        memory.withBytes { bytes in
            entries.sort { Self.precedes($0, $1, bytes) }
            repeatedKeys = 0
            guard var last = entries.first else { return }
            for next in entries.dropFirst() {
                if Self.areEqual(last, next, bytes) { repeatedKeys += 1 }
                last = next
            }
        }
    }

    /// A record in the order they are in now: its header and its place.
    @inline(__always)
    func header(_ index: Int) -> (header: RecordHeader, place: Int) {
        let place = entries[index].place
        return memory.withBytes { bytes in
            (bytes.baseAddress.map { RecordHeader(at: $0 + place) } ?? RecordHeader(), place)
        }
    }

    /// All bytes, to find a record at its place.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws(GodwitError) -> R) throws(GodwitError) -> R {
        try memory.withBytes(body)
    }

    /// Whether two neighbours have the same key.
    func haveSameKey(_ index: Int, _ other: Int) -> Bool {
        memory.withBytes { Self.areEqual(entries[index], entries[other], $0) }
    }

    @inline(__always)
    private static func precedes(_ one: Entry, _ other: Entry, _ bytes: UnsafeRawBufferPointer) -> Bool {
        if one.prefix != other.prefix { return one.prefix < other.prefix }
        return order(of: one.place, bytes).order(against: order(of: other.place, bytes)) < 0
    }

    @inline(__always)
    private static func areEqual(_ one: Entry, _ other: Entry, _ bytes: UnsafeRawBufferPointer) -> Bool {
        one.prefix == other.prefix && order(of: one.place, bytes).order(against: order(of: other.place, bytes)) == 0
    }

    /// The bytes that order the record at a place.
    @inline(__always)
    private static func order(of place: Int, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard let start = bytes.baseAddress else { return bytes }
        let header = RecordHeader(at: start + place)
        return UnsafeRawBufferPointer(start: start + place + RecordHeader.size, count: Int(header.orderCount))
    }
}
