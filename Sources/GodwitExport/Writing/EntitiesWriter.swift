internal import GodwitModel
internal import GodwitStore

/// Writes the `entities` array of a store: for an export, and once more for the proof of a restore.
struct EntitiesWriter {
    private let store: SQLiteConnection
    private let context: RunContext
    private let stage: Stage
    private let total: Int64

    /// What is done with each record besides: its text from brace to brace, and the text of its key.
    typealias Look = (_ record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) throws(GodwitError) -> Void

    init(_ store: SQLiteConnection, context: RunContext, stage: Stage, total: Int64) {
        (self.store, self.context, self.stage, self.total) = (store, context, stage, total)
    }

    /// Writes all tables.
    ///
    /// - Parameters:
    ///   - changes: what alone is written of them; nil for everything.
    ///   - look: called for each record with the number of its table.
    /// - Returns: the size of the longest record, in bytes.
    func write(
        _ tables: [ExportedTable], to sink: inout ExportSink, changes: ExportChanges? = nil,
        look: ((Int) -> Look)? = nil
    ) throws(GodwitError) -> Int {
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
            let chosen = try changes?.changed(index)
            longest = max(longest, try writeRecords(of: table, &sink, chosen, look?(index), done: &done))
            if let changes { try writeGone(changes, index, table, to: &sink) }
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
        of table: ExportedTable, _ sink: inout ExportSink, _ chosen: ChangedRecords?, _ look: Look?,
        done: inout Int64
    ) throws(GodwitError) -> Int {
        let labels = table.labels
        let keyPlace = table.keyPlace ?? 0
        let records = try store.prepare(table.select)
        var seen: Int64 = 0
        var longest = 0
        var isFirst = true
        while try records.step() {
            seen += 1
            if seen & 4095 == 0 {
                try context.cancellation.check(stage)
                context.progress(Progress(stage: stage, completed: seen, total: total))
            }
            if try chosen?.isNext(seen) == false { continue }
            try sink.append(record: isFirst) { json throws(GodwitError) in
                let start = json.count
                var key = 0..<0
                for place in labels.indices {
                    json.append(raw: labels[place])
                    let value = json.count
                    records.write(column: place, to: &json)
                    if place == keyPlace { key = value..<json.count }
                }
                json.append("}")
                longest = max(longest, json.count - start)
                if let look { try json.look(at: start, key, look) }
            }
            isFirst = false
            done += 1
        }
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

extension JSONBuffer {
    /// Shows the text from a place on, and a part of it.
    fileprivate func look(at start: Int, _ key: Range<Int>, _ look: EntitiesWriter.Look) throws(GodwitError) {
        try bytes.withUnsafeBufferPointer { text throws(GodwitError) in
            let text = UnsafeRawBufferPointer(text)
            try look(UnsafeRawBufferPointer(rebasing: text[start...]), UnsafeRawBufferPointer(rebasing: text[key]))
        }
    }
}
