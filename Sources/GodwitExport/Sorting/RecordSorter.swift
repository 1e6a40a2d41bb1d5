internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
import Synchronization

/// Sorts the records of tables in the order of an export, as JSON.
///
/// SQLite itself would seek each row through an index, at random, or sort whole rows. Here a table is read once from
/// start to end, at the speed of the disk. Its texts are sorted in chunks that fit into memory, spooled to a private
/// file if there are several, and combined while they are written. SQLite sorts records with equal keys, which are few
/// in any sound store, and tables that cannot be sorted by the bytes of their keys.
/// Two threads read a large table, if another one can read the store. Each fills, sorts and spools its own chunk. That
/// takes as much memory as one thread that fills a chunk while another is spooled.
final class RecordSorter {
    private let store: SQLiteConnection
    private let stage: GodwitError.Stage
    private let memory: SortMemory
    private let threads: ReadingThreads
    private let spool: SharedSpool
    private let own: ChunkFiller
    /// Bytes of tables that stay in memory.
    private var kept = 0

    init(
        _ store: SQLiteConnection, _ context: RunContext, stage: GodwitError.Stage, memory: SortMemory,
        threads: ReadingThreads
    ) {
        (self.store, self.stage, self.memory, self.threads) = (store, stage, memory, threads)
        spool = SharedSpool { () throws(GodwitError) in
            try RecordSpool(context, stage: stage, KeySamples(spacing: memory.sampleSpacing))
        }
        own = ChunkFiller(memory.chunk, spool)
    }

    /// Ends the spooling thread.
    func end() { own.end() }

    /// Reads and sorts a table; nil if SQLite must sort it.
    ///
    /// - Parameters:
    ///   - isLast: whether its records may stay in the memory of the chunk.
    ///   - facts: receives each row.
    func sort(
        _ table: ExportedTable, isLast: Bool, _ facts: inout TableFacts
    ) throws(GodwitError) -> SortedRecords? {
        guard memory.chunk > 0, let scan = table.scan else { return nil }
        let ties = try KeyTies(store, scan)
        // Prepare for the next table in every case.
        defer { own.removeAll() }
        guard let runs = try read(table, scan, &facts) else { return nil }
        if !own.hasSpooled {
            own.filling.sort()
            if hasTooManyTies(own.filling.repeatedKeys, facts.count) { return nil }
            if let chunk = keepFilled(isLast: isLast) { return SortedRecords(.memory(chunk), ties) }
        }
        let spool = try spool.required()
        if own.filling.count > 0 { spool.write(own.filling) }
        try spool.requireWritten()
        let repeated = spool.repeatedKeys - runs.repeatedBefore
        let run = SortedRecords.Runs(
            spool: spool, runs: runs.first..<spool.runs.count, haveRepeatedKeys: repeated > 0, memory: memory)
        return hasTooManyTies(repeated, facts.count) ? nil : SortedRecords(.spooled(run), ties)
    }

    /// The first run of a table in the spool.
    private struct Beginning {
        let first: Int
        let repeatedBefore: Int
    }

    private var beginning: Beginning {
        Beginning(first: spool.spool?.runs.count ?? 0, repeatedBefore: spool.spool?.repeatedKeys ?? 0)
    }

    /// Reads all rows; nil if SQLite must sort them.
    ///
    /// Rows that are not spooled are in the calling thread's chunk afterwards.
    private func read(
        _ table: ExportedTable, _ scan: ExportedTable.Scan, _ facts: inout TableFacts
    ) throws(GodwitError) -> Beginning? {
        let ranges = try threads.ranges(table, scan, in: store)
        let runs = beginning
        if ranges.count > 1 {
            do throws(GodwitError) {
                return try readTogether(table, scan, ranges, facts) ? runs : nil
            } catch {
                guard ![.interrupted, .terminated].contains(error.code) else { throw error }
            }
            // The calling thread can read what only the other could not, such as a very long value. Runs that are in
            // the spool already are ignored.
            own.removeAll()
            facts = facts.restarted()
        }
        let again = beginning
        let isRead = try own.read(table, scan, .all, of: store, facts)
        own.wait()
        return isRead ? again : nil
    }

    /// The same with several threads; throws the error of any of them.
    private func readTogether(
        _ table: ExportedTable, _ scan: ExportedTable.Scan, _ ranges: [RowRange], _ facts: TableFacts
    ) throws(GodwitError) -> Bool {
        let (capacity, spool, readers) = (memory.chunk, spool, threads.readers)
        // The second thread uses the memory in which one thread would fill a chunk during spooling.
        let spare = Mutex(own.takeSpare())
        let others = Mutex<[Share]>([])
        let work = SharedWork<Reader, Bool>(ranges.count) { part, reader throws(GodwitError) in
            try reader.share.filler.read(table, scan, ranges[part], of: reader.store, reader.share.facts)
        }
        let mine = Reader(store: store, share: Share(filler: own, facts: facts))
        own.isSpoolingItself = true
        defer { own.isSpoolingItself = false }
        let areRead = try work.perform(with: mine, threads: threads.count, startThread: threads.start) {
            WorkerThread.giveWay()
            guard let store = try? readers?.scanningConnection() else { return nil }
            let filler = ChunkFiller(capacity, spool, filling: spare.withLock { $0.take() })
            let share = Share(filler: filler, facts: facts.another())
            others.withLock { $0.append(share) }
            return Reader(store: store, share: share)
        }
        for share in others.withLock(\.self) {
            facts.add(share.facts)
            try own.add(share.filler)
        }
        return !areRead.contains(false)
    }

    /// A thread's connection and data.
    private struct Reader {
        let store: SQLiteConnection
        let share: Share
    }

    /// What one thread has read.
    private struct Share: Sendable {
        let filler: ChunkFiller
        let facts: TableFacts
    }

    /// Keeps the records of a small table in memory; nil if there is no room.
    private func keepFilled(isLast: Bool) -> RecordChunk? {
        if kept + own.filling.size <= memory.kept {
            kept += own.filling.size
            return own.filling.compacted()
        }
        return isLast ? own.takeFilling() : nil
    }

    /// Each tie needs a query; for very many, SQLite sorts the table faster.
    private func hasTooManyTies(_ repeated: Int, _ count: Int64) -> Bool {
        repeated > memory.unremarkable && Int64(repeated) > count / Int64(memory.recordsPerRepeatedKey)
    }
}
