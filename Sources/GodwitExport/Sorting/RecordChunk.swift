package import GodwitJSON
package import GodwitModel
package import GodwitSQLite
internal import CSystemShim

/// As many records as fit into memory at a time, in the order in which they came until they are sorted.
///
/// Rows are added to it one by one, or parts of sorted runs, as they lie in a spool.
///
/// A class, since one thread fills a chunk while another sorts and writes the other one; never both the same.
package final class RecordChunk: @unchecked Sendable {
    // Only one thread has a chunk at a time, and asking for each byte whether that is so takes longer than to write it.
    @exclusivity(unchecked) private var memory: JSONBuffer
    @exclusivity(unchecked) private var entries: [ChunkEntry] = []
    @exclusivity(unchecked) private var spare: [ChunkEntry] = []
    /// Records that have the same key as the one before, once they are sorted.
    package private(set) var repeatedKeys = 0
    /// Up to where what was loaded is whole records of this chunk.
    private var taken = 0

    package init(capacity: Int) { memory = JSONBuffer(capacity: capacity) }

    /// Bytes of the records in it.
    package var size: Int { memory.count }
    package var count: Int { entries.count }

    package func removeAll() {
        memory.removeAll()
        entries.removeAll(keepingCapacity: true)
        repeatedKeys = 0
        taken = 0
    }

    /// Adds a row: its first column the rowid, then the columns that are written.
    ///
    /// - Returns: false where SQLite has to put such records in order.
    package func append(_ row: RowValues, _ labels: FieldLabels, keyColumn: Int) throws(GodwitError) -> Bool {
        let place = memory.count
        var header = RecordHeader()
        withUnsafeBytes(of: header) { memory.append(raw: $0) }
        var text = memory.count
        var key = try row.write(record: labels, from: 1, keyPlace: keyColumn - 1, to: &memory)
        if !row.isPlainText(keyColumn, written: key.count) || key.upperBound - text > RecordHeader.longestOrder {
            memory.removeLast(memory.count - text)
            guard row.writeOrder(of: keyColumn, to: &memory) else { return false }
            text = memory.count
            key = try row.write(record: labels, from: 1, keyPlace: keyColumn - 1, to: &memory)
        }
        let (orderCount, textCount) = (text - place - RecordHeader.size, memory.count - text)
        guard orderCount <= RecordHeader.longestOrder, textCount <= RecordHeader.longestText else { return false }
        header.orderCount = UInt32(orderCount)
        header.textCount = UInt32(textCount)
        (header.keyStart, header.keyEnd) = (UInt32(key.lowerBound - text), UInt32(key.upperBound - text))
        if case .integer(let rowid) = row[0] { header.rowid = rowid }
        withUnsafeBytes(of: header) { memory.overwrite(place, with: $0) }
        entries.append(
            ChunkEntry(prefix: memory.withBytes { RecordOrder.prefix(of: Self.order(of: place, $0)) }, place: place))
        return true
    }

    /// Takes what another chunk has, with its memory, and gives it what it had.
    package func exchangeRecords(with other: RecordChunk) {
        guard self !== other else { return }
        swap(&memory, &other.memory)
        swap(&entries, &other.entries)
        swap(&spare, &other.spare)
        swap(&repeatedKeys, &other.repeatedKeys)
        swap(&taken, &other.taken)
    }

    /// Adds all records of another chunk.
    func append(_ other: RecordChunk) {
        let shift = memory.count
        other.memory.withBytes { memory.append(raw: $0) }
        entries += other.entries.map { ChunkEntry(prefix: $0.prefix, place: $0.place + shift) }
    }

    /// What `load` came upon at the end of what it was given.
    enum Loaded {
        /// A record that doesn't come before the limit, with such a prefix; neither it nor what follows it was taken.
        case limit(UInt64)
        /// The end of the bytes, with so many missing of the last record; none where it is whole.
        case end(missing: Int)
    }

    /// Adds bytes of a sorted run, which continue those that were added last, and takes the records in them.
    ///
    /// - Parameters:
    ///   - limit: the prefix before which records have to come; nil for all.
    ///   - read: fills all the bytes.
    func load(
        _ count: Int, below limit: UInt64?, _ read: (UnsafeMutableRawBufferPointer) throws(GodwitError) -> Void
    ) throws(GodwitError) -> Loaded {
        try memory.append(count: count, read)
        let found: Loaded = memory.withBytes { bytes in
            while true {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[taken...])
                guard rest.count >= RecordHeader.size, let start = rest.baseAddress else {
                    return .end(missing: rest.isEmpty ? 0 : RecordHeader.size - rest.count)
                }
                let size = RecordHeader(at: start).wholeCount
                guard rest.count >= size else { return .end(missing: size - rest.count) }
                let prefix = RecordOrder.prefix(of: Self.order(of: taken, bytes))
                if let limit, prefix >= limit { return .limit(prefix) }
                entries.append(ChunkEntry(prefix: prefix, place: taken))
                taken += size
            }
        }
        if case .limit = found { memory.removeLast(memory.count - taken) }
        return found
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
    package func sort() {
        entries.sortByPrefix(with: &spare)
        repeatedKeys = 0
        memory.withBytes { bytes in
            entries.withUnsafeMutableBufferPointer { entries in
                var start = 0
                while start < entries.count {
                    var end = start + 1
                    while end < entries.count, entries[end].prefix == entries[start].prefix { end += 1 }
                    if end - start > 1 {
                        repeatedKeys += Self.sort(UnsafeMutableBufferPointer(rebasing: entries[start..<end]), bytes)
                    }
                    start = end
                }
            }
        }
    }

    /// Sorts records whose orders begin with the same bytes; returns how many have the same key as the one before.
    private static func sort(
        _ entries: UnsafeMutableBufferPointer<ChunkEntry>, _ bytes: UnsafeRawBufferPointer
    ) -> Int {
        var alike = entries
        alike.sort { order(of: $0.place, bytes).order(against: order(of: $1.place, bytes)) < 0 }
        return zip(alike, alike.dropFirst()).reduce(0) { $0 + (areEqual($1.0, $1.1, bytes) ? 1 : 0) }
    }

    /// A record in the order they are in now: its header and its place.
    package func header(_ index: Int) -> (header: RecordHeader, place: Int) {
        memory.withBytes { header(index, $0) }
    }

    /// The same, given all bytes.
    @inline(__always)
    func header(_ index: Int, _ bytes: UnsafeRawBufferPointer) -> (header: RecordHeader, place: Int) {
        let place = entries[index].place
        return (bytes.baseAddress.map { RecordHeader(at: $0 + place) } ?? RecordHeader(), place)
    }

    /// Has the processor fetch the record that comes some records later: sorted, they lie to and fro, and to read one takes
    /// less time than to wait for it.
    @inline(__always)
    func prefetch(after index: Int, _ bytes: UnsafeRawBufferPointer) {
        guard index + Self.recordsAhead < entries.count, let start = bytes.baseAddress else { return }
        let place = start + entries[index + Self.recordsAhead].place
        for line in 0..<Self.fetchedLines { godwit_prefetch(place + 64 &* line) }
    }

    private static let recordsAhead = 6
    /// Of 64 bytes: of a longer record the processor fetches the rest itself, as it reads on.
    private static let fetchedLines = 5

    /// The first bytes that order it.
    @inline(__always)
    func prefix(_ index: Int) -> UInt64 { entries[index].prefix }

    /// All bytes, to find a record at its place.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws(GodwitError) -> R) throws(GodwitError) -> R {
        try memory.withBytes(body)
    }

    /// Whether two neighbours have the same key.
    func haveSameKey(_ index: Int, _ other: Int) -> Bool {
        memory.withBytes { Self.areEqual(entries[index], entries[other], $0) }
    }

    @inline(__always)
    private static func areEqual(_ one: ChunkEntry, _ other: ChunkEntry, _ bytes: UnsafeRawBufferPointer) -> Bool {
        one.prefix == other.prefix && order(of: one.place, bytes).order(against: order(of: other.place, bytes)) == 0
    }

    /// The bytes that order the record at a place.
    @inline(__always)
    private static func order(of place: Int, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard let start = bytes.baseAddress else { return bytes }
        let order = RecordHeader(at: start + place).order
        return UnsafeRawBufferPointer(start: start + place + order.lowerBound, count: order.count)
    }
}
