package import GodwitJSON
package import GodwitModel
package import GodwitSQLite
internal import CSystemShim

/// As many records as fit into memory at a time, in order of insertion until they are sorted.
///
/// Contains rows, or parts of sorted runs in the format of a spool.
/// A class, because one thread fills a chunk while another sorts and writes the other chunk.
package final class RecordChunk: @unchecked Sendable {
    // Only one thread uses a chunk at a time; exclusivity checks would take longer than writing a byte.
    @exclusivity(unchecked) private var memory: JSONBuffer
    @exclusivity(unchecked) private var entries: [ChunkEntry] = []
    @exclusivity(unchecked) private var spare: [ChunkEntry] = []
    /// Number of records with the same key as the previous one, after sorting.
    package private(set) var repeatedKeys = 0
    /// End of the complete records in the loaded bytes.
    private var taken = 0

    package init(capacity: Int) { memory = JSONBuffer(capacity: capacity) }

    package var size: Int { memory.count }
    package var count: Int { entries.count }

    package func removeAll() {
        memory.removeAll()
        entries.removeAll(keepingCapacity: true)
        repeatedKeys = 0
        taken = 0
    }

    /// Adds a row: the rowid, then the columns to write.
    ///
    /// - Returns: false if SQLite must sort such records.
    package func append(_ row: RowValues, _ labels: FieldLabels, keyColumn: Int) throws(GodwitError) -> Bool {
        let offset = memory.count
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
        let (orderCount, textCount) = (text - offset - RecordHeader.size, memory.count - text)
        guard orderCount <= RecordHeader.longestOrder, textCount <= RecordHeader.longestText else { return false }
        header.orderCount = UInt32(orderCount)
        header.textCount = UInt32(textCount)
        (header.keyStart, header.keyEnd) = (UInt32(key.lowerBound - text), UInt32(key.upperBound - text))
        if case .integer(let rowid) = row[0] { header.rowid = rowid }
        withUnsafeBytes(of: header) { memory.overwrite(offset, with: $0) }
        entries.append(
            ChunkEntry(prefix: memory.withBytes { RecordOrder.prefix(of: Self.order(of: offset, $0)) }, offset: offset))
        return true
    }

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
        entries += other.entries.map { ChunkEntry(prefix: $0.prefix, offset: $0.offset + shift) }
    }

    /// The reason why `load` stopped.
    enum Loaded {
        /// A record with this prefix, which is not before the limit; neither it nor later ones were added.
        case limit(UInt64)
        /// The end of the bytes; the last record lacks this number of bytes.
        case end(missing: Int)
    }

    /// Adds bytes of a sorted run, which continue the last ones, and the records in them.
    ///
    /// - Parameters:
    ///   - limit: the prefix before which records must be; nil for all.
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
                entries.append(ChunkEntry(prefix: prefix, offset: taken))
                taken += size
            }
        }
        if case .limit = found { memory.removeLast(memory.count - taken) }
        return found
    }

    /// The same records, without unused memory.
    func compacted() -> RecordChunk {
        let chunk = RecordChunk(capacity: memory.count)
        memory.withBytes { chunk.memory.append(raw: $0) }
        chunk.entries = entries.map(\.self)
        chunk.repeatedKeys = repeatedKeys
        return chunk
    }

    /// Sorts the records by key, and counts repeated keys.
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

    /// Sorts records with equal prefixes; returns the number of records with the same key as the previous one.
    private static func sort(
        _ entries: UnsafeMutableBufferPointer<ChunkEntry>, _ bytes: UnsafeRawBufferPointer
    ) -> Int {
        var alike = entries
        alike.sort { order(of: $0.offset, bytes).order(against: order(of: $1.offset, bytes)) < 0 }
        return zip(alike, alike.dropFirst()).reduce(0) { $0 + (areEqual($1.0, $1.1, bytes) ? 1 : 0) }
    }

    /// The header and offset of a record in the current order.
    package func header(_ index: Int) -> (header: RecordHeader, offset: Int) {
        memory.withBytes { header(index, $0) }
    }

    /// The same, given all bytes.
    @inline(__always)
    func header(_ index: Int, _ bytes: UnsafeRawBufferPointer) -> (header: RecordHeader, offset: Int) {
        let offset = entries[index].offset
        return (bytes.baseAddress.map { RecordHeader(at: $0 + offset) } ?? RecordHeader(), offset)
    }

    /// Prefetches a later record: sorted records are at random offsets, and waiting for memory takes longer than
    /// reading.
    @inline(__always)
    func prefetch(after index: Int, _ bytes: UnsafeRawBufferPointer) {
        guard index + Self.recordsAhead < entries.count, let start = bytes.baseAddress else { return }
        let offset = start + entries[index + Self.recordsAhead].offset
        for line in 0..<Self.fetchedLines { godwit_prefetch(offset + 64 &* line) }
    }

    private static let recordsAhead = 6
    /// Of 64 bytes each; the processor itself prefetches the rest of a longer record.
    private static let fetchedLines = 5

    /// The record's first eight order bytes.
    @inline(__always)
    func prefix(_ index: Int) -> UInt64 { entries[index].prefix }

    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws(GodwitError) -> R) throws(GodwitError) -> R {
        try memory.withBytes(body)
    }

    /// Whether two records next to each other have the same key.
    func haveSameKey(_ index: Int, _ other: Int) -> Bool {
        memory.withBytes { Self.areEqual(entries[index], entries[other], $0) }
    }

    @inline(__always)
    private static func areEqual(_ one: ChunkEntry, _ other: ChunkEntry, _ bytes: UnsafeRawBufferPointer) -> Bool {
        one.prefix == other.prefix && order(of: one.offset, bytes).order(against: order(of: other.offset, bytes)) == 0
    }

    /// The order bytes of the record at an offset.
    @inline(__always)
    private static func order(of offset: Int, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard let start = bytes.baseAddress else { return bytes }
        let order = RecordHeader(at: start + offset).order
        return UnsafeRawBufferPointer(start: start + offset + order.lowerBound, count: order.count)
    }
}
