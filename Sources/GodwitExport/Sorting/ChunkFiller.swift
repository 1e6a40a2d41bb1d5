internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
import Synchronization

/// Reads rows into a chunk, which is sorted and spooled each time it is full.
///
/// Invariant, for `@unchecked Sendable`: one thread has it at a time.
final class ChunkFiller: @unchecked Sendable {
    private let capacity: Int
    private let spool: SharedSpool
    private let worker = BackgroundWorker()
    /// Always the same: the closure that sees the rows has it, where one that it asked for would be counted for each row.
    let filling: RecordChunk
    /// The chunk that is spooled meanwhile.
    private var other: RecordChunk?
    /// Whether any of the rows are in the spool.
    private(set) var hasSpooled = false
    /// Whether the reading thread spools what it has read, and not a thread beside it.
    var isSpoolingItself: Bool

    /// - Parameter capacity: bytes from which on a chunk is full.
    init(_ capacity: Int, _ spool: SharedSpool) {
        (self.capacity, self.spool) = (capacity, spool)
        filling = Self.makeChunk(capacity)
        isSpoolingItself = false
    }

    /// One that spools itself, for a thread beside others.
    ///
    /// - Parameter filling: an empty chunk whose memory is of no other use; nil for a new one.
    init(_ capacity: Int, _ spool: SharedSpool, filling: RecordChunk?) {
        (self.capacity, self.spool) = (capacity, spool)
        self.filling = filling ?? Self.makeChunk(capacity)
        isSpoolingItself = true
    }

    /// The last row that fits into one is a little longer than what is left.
    private static func makeChunk(_ capacity: Int) -> RecordChunk { RecordChunk(capacity: capacity + capacity / 8) }

    /// Waits until what is full is in the spool.
    func wait() { worker.wait() }

    /// Ends the thread that spools.
    func end() { worker.end() }

    /// Nothing of a table is left for the next one.
    func removeAll() {
        worker.wait()
        filling.removeAll()
        hasSpooled = false
    }

    /// Hands over the chunk that is being filled, and goes on with one that has no memory yet.
    func takeFilling() -> RecordChunk {
        let taken = RecordChunk(capacity: 0)
        taken.exchangeRecords(with: filling)
        return taken
    }

    /// Hands over the chunk that is not being filled, if there is one, with nothing in it.
    func takeSpare() -> RecordChunk? {
        worker.wait()
        other?.removeAll()
        return other.take()
    }

    /// Takes what another one has read: into the chunk, while all of it fits in, else into the spool.
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

    /// Reads the rows of a table, or of a range of them.
    ///
    /// - Returns: false where SQLite has to sort them.
    func read(
        _ table: ExportedTable, _ scan: ExportedTable.Scan, _ range: RowRange, of store: SQLiteConnection,
        _ look: ReadingLook
    ) throws(GodwitError) -> Bool {
        let (labels, keyColumn) = (table.labels, scan.keyColumn)
        return try store.scan(scan.columns, from: scan.source(range)) { [filling] row throws(GodwitError) in
            guard try filling.append(row, labels, keyColumn: keyColumn) else { return false }
            try look.take(row)
            if filling.size >= capacity { try spoolFilled() }
            return true
        }
    }

    /// Has what is full sorted and spooled.
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

/// A spool that is made when somebody first needs it.
final class SharedSpool: Sendable {
    private let made = Mutex<RecordSpool?>(nil)
    private let make: @Sendable () throws(GodwitError) -> RecordSpool

    init(_ make: @escaping @Sendable () throws(GodwitError) -> RecordSpool) { self.make = make }

    /// Nil where nobody has needed it.
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
