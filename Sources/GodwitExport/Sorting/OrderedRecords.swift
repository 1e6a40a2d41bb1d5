internal import GodwitModel
internal import GodwitStore

/// The records of a table as JSON, in the order of an export.
///
/// SQLite's own way to that order is to seek each row by an index, at random, or to sort whole rows. Here the table is read
/// once from its beginning to its end, as fast as the disk gives it; the texts are sorted in pieces that fit into memory,
/// spooled to a private file where there is more than one, and merged. Records that share a key, few in any store that is
/// sound, are put in order by SQLite itself, and so is every table that can't be sorted by the bytes of its keys.
///
/// Invariant: the order is that of `ExportedTable.select`, whichever way it is come by.
struct OrderedRecords {
    let store: SQLiteConnection
    let table: ExportedTable
    let context: RunContext
    let stage: Stage
    let memory: SortMemory

    /// What is done with each record: its text from brace to brace, and where in it the text of its key is.
    typealias Body = (_ record: UnsafeRawBufferPointer, _ key: Range<Int>) throws(GodwitError) -> Void

    /// Calls a body for each record in order.
    ///
    /// - Parameter progress: told how much is done, in records: half of each when it was read.
    func forEach(progress: (Int64) -> Void, _ body: Body) throws(GodwitError) {
        if memory.chunk > 0, let scan = table.scan, let sorted = try sort(scan, progress) {
            let ties = try KeyTies(store, scan)
            let read = sorted.count / 2
            var done: Int64 = 0
            try sorted.forEach(ties) { (record, key) throws(GodwitError) in
                done += 1
                if done & 4095 == 0 {
                    try context.cancellation.check(stage)
                    progress(read + done / 2)
                }
                try body(record, key)
            }
        } else {
            try readInOrder(progress, body)
        }
    }

    /// SQLite's own way.
    private func readInOrder(_ progress: (Int64) -> Void, _ body: Body) throws(GodwitError) {
        let rows = try store.prepare(table.select)
        let keyPlace = table.keyPlace ?? 0
        var record = JSONBuffer()
        var done: Int64 = 0
        while try rows.step() {
            done += 1
            if done & 4095 == 0 {
                try context.cancellation.check(stage)
                progress(done)
            }
            record.removeAll()
            let key = rows.write(record: table.labels, keyPlace: keyPlace, to: &record)
            try record.withBytes { (text) throws(GodwitError) -> Void in try body(text, key) }
        }
    }

    /// Reads the table and sorts it; nil where SQLite has to.
    private func sort(_ scan: ExportedTable.Scan, _ progress: (Int64) -> Void) throws(GodwitError) -> SortedRecords? {
        let rows = try store.prepare(scan.select)
        let keyPlace = table.keyPlace ?? 0
        let worker = BackgroundWorker()
        defer { worker.end() }
        var filling = RecordChunk(capacity: memory.chunk + memory.chunk / 8)
        var other: RecordChunk?
        var spool: RecordSpool?
        var count: Int64 = 0
        while try rows.step() {
            guard filling.append(rows, table.labels, keyPlace: keyPlace) else { return nil }
            count += 1
            if count & 4095 == 0 {
                try context.cancellation.check(stage)
                progress(count / 2)
            }
            guard filling.size >= memory.chunk else { continue }
            if spool == nil { spool = try RecordSpool(context, stage: stage) }
            guard let target = spool else { continue }
            let next = other ?? RecordChunk(capacity: memory.chunk + memory.chunk / 8)
            worker.wait()
            try target.requireWritten()
            worker.begin { [filling] in target.write(filling) }
            (filling, other) = (next, filling)
            filling.removeAll()
        }
        guard let spool else {
            filling.sort()
            return hasTooManyTies(filling.repeatedKeys, count) ? nil : SortedRecords(.memory(filling), count)
        }
        worker.wait()
        if filling.count > 0 { spool.write(filling) }
        try spool.requireWritten()
        return hasTooManyTies(spool.repeatedKeys, count)
            ? nil : SortedRecords(.spooled(spool, windows: memory.windows), count)
    }

    /// Each is put in order by a question to SQLite, which sorts very many of them at once more quickly.
    private func hasTooManyTies(_ repeated: Int, _ count: Int64) -> Bool {
        repeated > memory.unremarkable && Int64(repeated) > count / Int64(memory.recordsPerRepeatedKey)
    }
}
