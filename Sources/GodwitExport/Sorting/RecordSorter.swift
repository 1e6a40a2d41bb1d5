internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
import Synchronization

/// Puts the records of tables in the order of an export, as JSON.
///
/// SQLite's own way to that order is to seek each row by an index, at random, or to sort whole rows. Here a table is read
/// once from its beginning to its end, as fast as the disk gives it; the texts are sorted in pieces that fit into memory,
/// spooled to a private file where there is more than one, and put together when they are written. Records that share a key, few
/// in any store that is sound, are put in order by SQLite itself, and so is every table that can't be sorted by the bytes
/// of its keys.
///
/// A large table is read by two threads, where another one can read the store. Each fills a piece of its own, and sorts and
/// spools it itself: as much memory as for one thread that fills a piece while another is spooled.
final class RecordSorter {
    private let store: SQLiteConnection
    private let stage: Stage
    private let memory: SortMemory
    private let threads: ReadingThreads
    private let spool: SharedSpool
    private let own: ChunkFiller
    /// Bytes of tables that are kept in memory.
    private var kept = 0

    init(
        _ store: SQLiteConnection, _ context: RunContext, stage: Stage, memory: SortMemory, threads: ReadingThreads
    ) {
        (self.store, self.stage, self.memory, self.threads) = (store, stage, memory, threads)
        spool = SharedSpool { () throws(GodwitError) in
            try RecordSpool(context, stage: stage, KeySamples(spacing: memory.sampleSpacing))
        }
        own = ChunkFiller(memory.chunk, spool)
    }

    /// Ends the thread that spools.
    func end() { own.end() }

    /// Reads a table and sorts it; nil where SQLite has to.
    ///
    /// - Parameters:
    ///   - isLast: whether its records may stay in the memory that they were read into.
    ///   - look: shown each row.
    func sort(
        _ table: ExportedTable, isLast: Bool, _ look: inout ReadingLook
    ) throws(GodwitError) -> SortedRecords? {
        guard memory.chunk > 0, let scan = table.scan else { return nil }
        let ties = try KeyTies(store, scan)
        // Nothing of it is left for the next table, whatever comes of this one.
        defer { own.removeAll() }
        guard let runs = try read(table, scan, &look) else { return nil }
        if !own.hasSpooled {
            own.filling.sort()
            if hasTooManyTies(own.filling.repeatedKeys, look.count) { return nil }
            if let chunk = keepFilled(isLast: isLast) { return SortedRecords(.memory(chunk), ties) }
        }
        let spool = try spool.required()
        if own.filling.count > 0 { spool.write(own.filling) }
        try spool.requireWritten()
        let repeated = spool.repeatedKeys - runs.repeatedBefore
        let run = SortedRecords.Runs(
            spool: spool, runs: runs.first..<spool.runs.count, haveRepeatedKeys: repeated > 0, memory: memory)
        return hasTooManyTies(repeated, look.count) ? nil : SortedRecords(.spooled(run), ties)
    }

    /// Where the runs of a table begin in the spool.
    private struct Beginning {
        let first: Int
        let repeatedBefore: Int
    }

    private var beginning: Beginning {
        Beginning(first: spool.spool?.runs.count ?? 0, repeatedBefore: spool.spool?.repeatedKeys ?? 0)
    }

    /// Reads all rows; nil where SQLite has to sort them.
    ///
    /// Those that are not spooled are in the calling thread's piece then.
    private func read(
        _ table: ExportedTable, _ scan: ExportedTable.Scan, _ look: inout ReadingLook
    ) throws(GodwitError) -> Beginning? {
        let ranges = try threads.ranges(table, scan, in: store)
        let runs = beginning
        if ranges.count > 1 {
            do throws(GodwitError) {
                return try readTogether(table, scan, ranges, look) ? runs : nil
            } catch {
                guard ![.interrupted, .terminated].contains(error.code) else { throw error }
            }
            // What only the other thread could not read, such as a very long value, the calling one can. What is in the
            // spool of it by now is nobody's.
            own.removeAll()
            look = look.anew()
        }
        let again = beginning
        let isRead = try own.read(table, scan, .all, of: store, look)
        own.wait()
        return isRead ? again : nil
    }

    /// The same by several threads; throws what any of them met.
    private func readTogether(
        _ table: ExportedTable, _ scan: ExportedTable.Scan, _ ranges: [RowRange], _ look: ReadingLook
    ) throws(GodwitError) -> Bool {
        let (capacity, spool, readers) = (memory.chunk, spool, threads.readers)
        // What one thread would fill while the other piece is spooled, a second one fills here.
        let spare = Mutex(own.takeSpare())
        let others = Mutex<[Share]>([])
        let work = SharedWork<Reader, Bool>(ranges.count) { part, reader throws(GodwitError) in
            try reader.share.filler.read(table, scan, ranges[part], of: reader.store, reader.share.look)
        }
        let mine = Reader(store: store, share: Share(filler: own, look: look))
        own.isSpoolingItself = true
        defer { own.isSpoolingItself = false }
        let areRead = try work.perform(with: mine, threads: threads.count, startThread: threads.start) {
            // Beside a check of the store, for whose findings the writing has to wait.
            WorkerThread.giveWay(steps: 2)
            guard let store = try? readers?.scanningConnection() else { return nil }
            let filler = ChunkFiller(capacity, spool, filling: spare.withLock { $0.take() })
            let share = Share(filler: filler, look: look.another())
            others.withLock { $0.append(share) }
            return Reader(store: store, share: share)
        }
        for share in others.withLock(\.self) {
            look.add(share.look)
            try own.add(share.filler)
        }
        return !areRead.contains(false)
    }

    /// What a thread reads with.
    private struct Reader {
        let store: SQLiteConnection
        let share: Share
    }

    /// What a thread has read.
    private struct Share: Sendable {
        let filler: ChunkFiller
        let look: ReadingLook
    }

    /// The records of a small table, which stay in memory; nil where there is no room for them.
    private func keepFilled(isLast: Bool) -> RecordChunk? {
        if kept + own.filling.size <= memory.kept {
            kept += own.filling.size
            return own.filling.compacted()
        }
        return isLast ? own.takeFilling() : nil
    }

    /// Each is put in order by a question to SQLite, which sorts very many of them at once more quickly.
    private func hasTooManyTies(_ repeated: Int, _ count: Int64) -> Bool {
        repeated > memory.unremarkable && Int64(repeated) > count / Int64(memory.recordsPerRepeatedKey)
    }
}
