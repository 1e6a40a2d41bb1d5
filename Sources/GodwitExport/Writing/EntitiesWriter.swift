internal import GodwitModel
internal import GodwitStore

/// Writes the `entities` array of a store: for an export, and once more for the proof of a restore.
struct EntitiesWriter {
    private let store: SQLiteConnection
    private let context: RunContext
    private let stage: Stage
    private let total: Int64

    init(_ store: SQLiteConnection, context: RunContext, stage: Stage, total: Int64) {
        (self.store, self.context, self.stage, self.total) = (store, context, stage, total)
    }

    /// Writes all tables.
    ///
    /// - Returns: the size of the longest record, in bytes.
    func write(_ tables: [ExportedTable], to sink: inout ExportSink) throws(GodwitError) -> Int {
        var done: Int64 = 0
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
            longest = max(longest, try writeRecords(of: table, &sink, done: &done))
            try sink.append { $0.append("]}") }
            guard done - before == table.count else {
                throw GodwitError(stage, .bug, "\(table.name) changed under its own read transaction.")
            }
        }
        try sink.append { $0.append("]") }
        return longest
    }

    /// The hot loop: column bytes go from SQLite into the buffer, and nothing is allocated per record.
    private func writeRecords(
        of table: ExportedTable, _ sink: inout ExportSink, done: inout Int64
    ) throws(GodwitError) -> Int {
        let labels = table.labels
        let records = try store.prepare(table.select)
        var longest = 0
        var isFirst = true
        while try records.step() {
            try sink.append(record: isFirst) { json in
                let start = json.count
                for place in labels.indices {
                    json.append(raw: labels[place])
                    records.write(column: place, to: &json)
                }
                json.append("}")
                longest = max(longest, json.count - start)
            }
            isFirst = false
            done += 1
            guard done & 4095 == 0 else { continue }
            try context.cancellation.check(stage)
            context.progress(Progress(stage: stage, completed: done, total: total))
        }
        return longest
    }
}
