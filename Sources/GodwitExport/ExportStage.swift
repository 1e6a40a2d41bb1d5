package import GodwitModel
package import GodwitStore

/// Writes a store as one JSON document, streamed in constant memory; checked by reading it back before it gets its name.
///
/// Invariant: same content, same bytes. Entities come in manifest order, records in key order, columns in table order;
/// only the time stamp and the identifier differ between two exports of the same content.
package struct ExportStage: Sendable {
    private let manifest: Manifest
    private let context: RunContext

    package init(manifest: Manifest, context: RunContext) {
        self.manifest = manifest
        self.context = context
    }

    /// What was written.
    package struct Written: Sendable, Equatable {
        package let bytes: Int64
        /// Over the bytes of the `entities` array, brackets included.
        package let sha256: String
    }

    /// Writes the document into a new file and returns it unnamed: the caller commits or discards it.
    package func write(
        _ store: SQLiteConnection, header: ExportHeader, scan: ExportScan, into file: consuming AtomicFile
    ) throws(GodwitError) -> Finished {
        var sink = ExportSink(file)
        do throws(GodwitError) {
            var place = 0
            try sink.append { place = header.write(to: &$0) }
            let start = sink.count
            try sink.beginHashing()
            try writeEntities(store, scan, &sink)
            let hash = try sink.endHashing()
            let end = sink.count
            try sink.append { Self.writeIntegrity(manifest, scan, hash, &$0) }
            let finished = try sink.finish()
            try finished.overwrite(Array(hash.utf8), at: Int64(place))
            try finished.flush()
            let size = try finished.check(hash: hash, from: start, to: end)
            return Finished(file: finished, written: Written(bytes: size, sha256: hash))
        } catch {
            throw error.at(.export)
        }
    }

    /// A checked document that has no name yet.
    package struct Finished: ~Copyable {
        package let file: AtomicFile
        package let written: Written

        /// Gives the document its name, or with `nil` keeps the temporary one.
        package consuming func commit(replacing: Bool) throws(GodwitError) {
            try file.commit(replacing: replacing)
        }
    }

    private func writeEntities(
        _ store: SQLiteConnection, _ scan: ExportScan, _ sink: inout ExportSink
    ) throws(GodwitError) {
        let shape = try store.readShape()
        var done: Int64 = 0
        try sink.append { $0.append("[") }
        for (index, entity) in manifest.entities.enumerated() {
            try context.cancellation.check(.export)
            let table = try store.table(for: entity, in: shape)
            let count = scan.counts[entity.name] ?? 0
            try sink.append { json in
                if index > 0 { json.append(",\n  ") }
                Self.writeOpening(table, count: count, &json)
            }
            let written = try writeRecords(table, store, &sink, done: &done, total: scan.recordCount)
            try sink.append { $0.append("]}") }
            guard written == count else {
                throw GodwitError(.export, .bug, "\(entity.name) changed under its own read transaction.")
            }
        }
        try sink.append { $0.append("]") }
    }

    private static func writeOpening(_ table: EntityTable, count: Int64, _ json: inout JSONBuffer) {
        json.append("{\"name\": ")
        json.append(string: table.entity.name)
        json.append(", \"key\": ")
        json.append(string: table.columns[table.keyIndex])
        json.append(", \"columns\": [")
        for (place, column) in table.shape.storedColumns.enumerated() {
            if place > 0 { json.append(", ") }
            json.append("{\"name\": ")
            json.append(string: column.name)
            json.append(", \"type\": ")
            json.append(string: column.type)
            json.append("}")
        }
        json.append("], \"count\": ")
        json.append(digits: count)
        json.append(",\n   \"records\": [")
    }

    /// The hot loop: column bytes go from SQLite into the buffer, and nothing is allocated per record.
    private func writeRecords(
        _ table: EntityTable, _ store: SQLiteConnection, _ sink: inout ExportSink, done: inout Int64, total: Int64
    ) throws(GodwitError) -> Int64 {
        let labels = table.columns.enumerated().map { place, name in
            var label = JSONBuffer(capacity: 64)
            label.append(place == 0 ? "{" : ",")
            label.append(string: name)
            label.append(":")
            return label.bytes
        }
        let records = try store.prepare(
            "SELECT \(table.columnList) FROM \(table.name) ORDER BY \(Self.order(of: table))")
        var count: Int64 = 0
        while try records.step() {
            try sink.append { json in
                json.append(count == 0 ? "\n    " : ",\n    ")
                for place in labels.indices {
                    json.append(raw: labels[place])
                    records.write(column: place, to: &json)
                }
                json.append("}")
            }
            count += 1
            done += 1
            guard done & 4095 == 0 else { continue }
            try context.cancellation.check(.export)
            context.progress(Progress(stage: .export, completed: done, total: total))
        }
        return count
    }

    /// Key order, then the other columns by bytes and storage class whatever their own collation, so that records with one
    /// key have one order too.
    ///
    /// SQLite allows 2,000 terms (<https://sqlite.org/limits.html>): in a table wider than 900 columns the first 900 decide.
    private static func order(of table: EntityTable) -> String {
        let others = table.columns.indices.filter { $0 != table.keyIndex }.prefix(900).map { index in
            let column = quoted(table.columns[index])
            return "\(column) COLLATE BINARY, typeof(\(column))"
        }
        return ([table.keyOrder] + others).joined(separator: ", ")
    }

    private static func writeIntegrity(
        _ manifest: Manifest, _ scan: ExportScan, _ hash: String, _ json: inout JSONBuffer
    ) {
        json.append(",\n \"integrity\": {\"counts\": {")
        for (index, entity) in manifest.entities.enumerated() {
            if index > 0 { json.append(", ") }
            json.append(string: entity.name)
            json.append(": ")
            json.append(digits: scan.counts[entity.name] ?? 0)
        }
        json.append("}, \"sha256\": ")
        json.append(string: hash)
        json.append("}}\n")
    }
}
