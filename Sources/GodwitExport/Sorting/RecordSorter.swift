internal import GodwitModel
internal import GodwitStore

/// Puts the records of tables in the order of an export, as JSON.
///
/// SQLite's own way to that order is to seek each row by an index, at random, or to sort whole rows. Here a table is read
/// once from its beginning to its end, as fast as the disk gives it; the texts are sorted in pieces that fit into memory,
/// spooled to a private file where there is more than one, and put together when they are written. Records that share a key, few
/// in any store that is sound, are put in order by SQLite itself, and so is every table that can't be sorted by the bytes
/// of its keys.
final class RecordSorter {
    private let store: SQLiteConnection
    private let context: RunContext
    private let stage: Stage
    private let memory: SortMemory
    private let worker = BackgroundWorker()
    private var filling: RecordChunk
    private var other: RecordChunk?
    private var spool: RecordSpool?
    /// Bytes of tables that are kept in memory.
    private var kept = 0

    init(_ store: SQLiteConnection, _ context: RunContext, stage: Stage, memory: SortMemory) {
        (self.store, self.context, self.stage, self.memory) = (store, context, stage, memory)
        filling = RecordChunk(capacity: memory.chunk + memory.chunk / 8)
    }

    /// Ends the thread that spools.
    func end() { worker.end() }

    /// Reads a table and sorts it; nil where SQLite has to.
    ///
    /// - Parameters:
    ///   - isLast: whether its records may stay in the memory that they were read into.
    ///   - look: shown each row.
    func sort(
        _ table: ExportedTable, isLast: Bool, _ look: ReadingLook
    ) throws(GodwitError) -> SortedRecords? {
        guard memory.chunk > 0, let scan = table.scan else { return nil }
        let ties = try KeyTies(store, scan)
        let (firstRun, repeatedBefore) = (spool?.runs.count ?? 0, spool?.repeatedKeys ?? 0)
        var isSpooled = false
        // Nothing of it is left for the next table, whatever comes of this one.
        defer { filling.removeAll() }
        let isRead = try store.scan(scan.columns, from: scan.source) { row throws(GodwitError) in
            guard filling.append(row, table.labels, keyColumn: scan.keyColumn) else { return false }
            try look.take(row)
            guard filling.size >= memory.chunk else { return true }
            try spoolBehind()
            isSpooled = true
            return true
        }
        worker.wait()
        guard isRead else { return nil }
        if !isSpooled {
            filling.sort()
            if hasTooManyTies(filling.repeatedKeys, look.count) { return nil }
            if let chunk = keepFilled(isLast: isLast) { return SortedRecords(.memory(chunk), ties) }
        }
        let spool = try requireSpool()
        if filling.count > 0 { spool.write(filling) }
        try spool.requireWritten()
        let repeated = spool.repeatedKeys - repeatedBefore
        let run = SortedRecords.Runs(
            spool: spool, runs: firstRun..<spool.runs.count, haveRepeatedKeys: repeated > 0, memory: memory)
        return hasTooManyTies(repeated, look.count) ? nil : SortedRecords(.spooled(run), ties)
    }

    /// Has what is full sorted and spooled, and goes on with the other piece.
    private func spoolBehind() throws(GodwitError) {
        let target = try requireSpool()
        let next = other ?? RecordChunk(capacity: memory.chunk + memory.chunk / 8)
        worker.wait()
        try target.requireWritten()
        worker.begin { [filling] in target.write(filling) }
        (filling, other) = (next, filling)
        filling.removeAll()
    }

    /// The records of a small table, which stay in memory; nil where there is no room for them.
    private func keepFilled(isLast: Bool) -> RecordChunk? {
        if kept + filling.size <= memory.kept {
            kept += filling.size
            return filling.compacted()
        }
        guard isLast else { return nil }
        defer { filling = RecordChunk(capacity: 0) }
        return filling
    }

    private func requireSpool() throws(GodwitError) -> RecordSpool {
        if let spool { return spool }
        let made = try RecordSpool(context, stage: stage, KeySamples(spacing: memory.sampleSpacing))
        spool = made
        return made
    }

    /// Each is put in order by a question to SQLite, which sorts very many of them at once more quickly.
    private func hasTooManyTies(_ repeated: Int, _ count: Int64) -> Bool {
        repeated > memory.unremarkable && Int64(repeated) > count / Int64(memory.recordsPerRepeatedKey)
    }
}
