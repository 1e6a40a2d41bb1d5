internal import GodwitJSON
internal import GodwitModel

/// Writes the `entities` array of a store, for an export or for the proof of a restore.
struct EntitiesWriter {
    private let reading: ExportReading
    private let context: RunContext
    private let stage: GodwitError.Stage
    private let isLast: Bool

    /// Receives each record's text, and the text of its key.
    typealias RecordObserver = (_ record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) throws(GodwitError) ->
        Void

    /// - Parameter isLast: whether this is the last read of the records; then sorted runs are freed.
    init(_ reading: ExportReading, context: RunContext, stage: GodwitError.Stage, isLast: Bool) {
        (self.reading, self.context, self.stage, self.isLast) = (reading, context, stage, isLast)
    }

    /// Writes all tables.
    ///
    /// - Parameters:
    ///   - changes: the changes to write; nil for all records.
    ///   - observe: called for each record with the index of its table.
    ///
    /// - Returns: the size of the longest record, in bytes.
    func write(
        _ tables: [ExportedTable], to sink: inout ExportSink, changes: ExportChanges? = nil,
        observe: ((Int) -> RecordObserver)? = nil
    ) throws(GodwitError) -> Int {
        var (done, seen) = (Int64(0), Int64(0))
        var longest = 0
        try sink.append { $0.append("[") }
        for (index, table) in tables.enumerated() {
            try context.cancellation.check(stage)
            try sink.append { json in
                if index > 0 { json.append(",\n  ") }
                table.writeDescription(to: &json)
                json.append(",\n   \"records\": [")
            }
            sink.beginEntity(table.name)
            let before = done
            let chosen = try changes?.changed(index)
            longest = max(longest, try writeRecords(of: index, &sink, chosen, observe?(index), &seen, done: &done))
            if let changes { try writeGone(changes, index, table, to: &sink) }
            try sink.append { $0.append("]}") }
            guard done - before == table.count else {
                throw GodwitError(stage, .bug, "\(table.name) changed under its own read transaction")
            }
        }
        try sink.append { $0.append("]") }
        return longest
    }

    /// Writes the selected records of a table, in order.
    private func writeRecords(
        of index: Int, _ sink: inout ExportSink, _ chosen: ChangedRecords?, _ observe: RecordObserver?,
        _ seen: inout Int64,
        done: inout Int64
    ) throws(GodwitError) -> Int {
        let records = OrderedRecords(
            store: reading.store, table: reading.tables[index], sorted: reading.sorted[index])
        // Reading was the first half of the progress.
        let (before, total) = (seen, reading.recordCount)
        var (longest, number, written) = (0, Int64(0), Int64(0))
        try records.forEach(isLast: isLast) { record, key throws(GodwitError) in
            number += 1
            if number & 4095 == 0 {
                try context.cancellation.check(stage)
                context.progress(RunProgress(stage: stage, completed: (total + before + number) / 2, total: total))
            }
            if try chosen?.isNext(number) == false { return }
            try observe?(record, UnsafeRawBufferPointer(rebasing: record[key]))
            longest = max(longest, record.count)
            try sink.append(record: record, isFirst: written == 0)
            written += 1
        }
        done += written
        seen += number
        return longest
    }

    private func writeGone(
        _ changes: ExportChanges, _ index: Int, _ table: ExportedTable, to sink: inout ExportSink
    ) throws(GodwitError) {
        try sink.append { $0.append("],\n   \"gone\": [") }
        let keys = try changes.gone(index)
        var count: Int64 = 0
        while let key = try keys.next() {
            try sink.append(gone: key, isFirst: count == 0)
            count += 1
            if count & 4095 == 0 { try context.cancellation.check(stage) }
        }
        guard count == table.goneCount else {
            throw GodwitError(
                stage, .bug, "the number of keys that are gone from \(table.name) differs from their count")
        }
    }
}
