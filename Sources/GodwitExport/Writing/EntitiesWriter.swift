internal import GodwitJSON
internal import GodwitModel

/// Writes the `entities` array of a store: for an export, and once more for the proof of a restore.
struct EntitiesWriter {
    private let reading: ExportReading
    private let context: RunContext
    private let stage: Stage
    private let isLast: Bool

    /// What is done with each record besides: its text from brace to brace, and the text of its key.
    typealias Look = (_ record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) throws(GodwitError) -> Void

    /// - Parameter isLast: whether the records are written for the last time: where many were sorted, they are given back.
    init(_ reading: ExportReading, context: RunContext, stage: Stage, isLast: Bool) {
        (self.reading, self.context, self.stage, self.isLast) = (reading, context, stage, isLast)
    }

    /// Writes all tables.
    ///
    /// - Parameters:
    ///   - tables: those of the reading, with what is said of them.
    ///   - changes: what alone is written of them; nil for everything.
    ///   - look: called for each record with the number of its table.
    /// - Returns: the size of the longest record, in bytes.
    func write(
        _ tables: [ExportedTable], to sink: inout ExportSink, changes: ExportChanges? = nil,
        look: ((Int) -> Look)? = nil
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
            longest = max(longest, try writeRecords(of: index, &sink, chosen, look?(index), &seen, done: &done))
            if let changes { try writeGone(changes, index, table, to: &sink) }
            try sink.append { $0.append("]}") }
            guard done - before == table.count else {
                throw GodwitError(stage, .bug, "\(table.name) changed under its own read transaction.")
            }
        }
        try sink.append { $0.append("]") }
        return longest
    }

    /// Writes the records of a table that were chosen, in their order.
    private func writeRecords(
        of index: Int, _ sink: inout ExportSink, _ chosen: ChangedRecords?, _ look: Look?, _ seen: inout Int64,
        done: inout Int64
    ) throws(GodwitError) -> Int {
        let records = OrderedRecords(
            store: reading.store, table: reading.tables[index], sorted: reading.sorted[index])
        // Half of the work was done when all had been read.
        let (before, total) = (seen, reading.recordCount)
        var (longest, place, written) = (0, Int64(0), Int64(0))
        try records.forEach(isLast: isLast) { record, key throws(GodwitError) in
            place += 1
            if place & 4095 == 0 {
                try context.cancellation.check(stage)
                context.progress(RunProgress(stage: stage, completed: (total + before + place) / 2, total: total))
            }
            if try chosen?.isNext(place) == false { return }
            try look?(record, UnsafeRawBufferPointer(rebasing: record[key]))
            longest = max(longest, record.count)
            try sink.append(record: record, isFirst: written == 0)
            written += 1
        }
        done += written
        seen += place
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
            throw GodwitError(stage, .bug, "The keys that are gone from \(table.name) are not as many as were counted.")
        }
    }
}
