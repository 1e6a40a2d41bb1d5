internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
import Synchronization

/// Reads rows into a chunk, which is sorted and spooled whenever it is full.
///
/// Invariant for `@unchecked Sendable`: only one thread uses it at a time.
final class ChunkFiller: @unchecked Sendable {
    private let capacity: Int
    private let spool: SharedSpool
    private let worker = BackgroundWorker()
    /// Constant, because the closure for rows captures it; reading a property would count references for each row.
    let filling: RecordChunk
    /// The chunk that is being spooled.
    private var other: RecordChunk?
    private(set) var hasSpooled = false
    /// Whether the reading thread spools its chunks itself, instead of another thread.
    var isSpoolingItself: Bool

    init(_ capacity: Int, _ spool: SharedSpool) {
        (self.capacity, self.spool) = (capacity, spool)
        filling = Self.makeChunk(capacity)
        isSpoolingItself = false
    }

    /// A filler that spools itself, for a further thread.
    ///
    /// - Parameter filling: an empty chunk whose memory is free; nil for a new one.
    init(_ capacity: Int, _ spool: SharedSpool, filling: RecordChunk?) {
        (self.capacity, self.spool) = (capacity, spool)
        self.filling = filling ?? Self.makeChunk(capacity)
        isSpoolingItself = true
    }

    /// A chunk has room for one row more than a full one.
    private static func makeChunk(_ capacity: Int) -> RecordChunk { RecordChunk(capacity: capacity + capacity / 8) }

    /// Waits until full chunks are in the spool.
    func wait() { worker.wait() }

    /// Ends the spooling thread.
    func end() { worker.end() }

    /// Prepares for the next table.
    func removeAll() {
        worker.wait()
        filling.removeAll()
        hasSpooled = false
    }

    /// Returns the current chunk, and continues with one without memory.
    func takeFilling() -> RecordChunk {
        let taken = RecordChunk(capacity: 0)
        taken.exchangeRecords(with: filling)
        return taken
    }

    /// Returns the other chunk, empty, if there is one.
    func takeSpare() -> RecordChunk? {
        worker.wait()
        other?.removeAll()
        return other.take()
    }

    /// Adds the rows of another filler: to the chunk if they fit, otherwise to the spool.
    func add(_ another: ChunkFiller) throws(GodwitError) {
        hasSpooled = hasSpooled || another.hasSpooled
        if !hasSpooled, filling.size + another.filling.size <= capacity {
            filling.append(another.filling)
        } else if another.filling.count > 0 {
            hasSpooled = true
            try spool.required().write(another.filling)
        }
        another.filling.removeAll()
    }

    /// Reads the rows of a table, or a range of them.
    ///
    /// - Returns: false if SQLite must sort them.
    func read(
        _ table: ExportedTable, _ scan: ExportedTable.Scan, _ range: RowRange, of store: SQLiteConnection,
        _ facts: TableFacts
    ) throws(GodwitError) -> Bool {
        let (labels, keyColumn) = (table.labels, scan.keyColumn)
        return try store.scan(scan.columns, from: scan.source(range)) { [filling] row throws(GodwitError) in
            guard try filling.append(row, labels, keyColumn: keyColumn) else { return false }
            try facts.take(row)
            if filling.size >= capacity { try spoolFilled() }
            return true
        }
    }

    /// Sorts and spools the full chunk.
    private func spoolFilled() throws(GodwitError) {
        let target = try spool.required()
        hasSpooled = true
        if isSpoolingItself {
            target.write(filling)
            try target.requireWritten()
            return filling.removeAll()
        }
        let next = other ?? Self.makeChunk(capacity)
        worker.wait()
        try target.requireWritten()
        next.exchangeRecords(with: filling)
        other = next
        worker.begin { target.write(next) }
        filling.removeAll()
    }
}

/// A spool that is created when it is first needed.
final class SharedSpool: Sendable {
    private let made = Mutex<RecordSpool?>(nil)
    private let make: @Sendable () throws(GodwitError) -> RecordSpool

    init(_ make: @escaping @Sendable () throws(GodwitError) -> RecordSpool) { self.make = make }

    /// Nil if it was not needed yet.
    var spool: RecordSpool? { made.withLock(\.self) }

    func required() throws(GodwitError) -> RecordSpool {
        try made.withLock { spool throws(GodwitError) in
            if let spool { return spool }
            let new = try make()
            spool = new
            return new
        }
    }
}
