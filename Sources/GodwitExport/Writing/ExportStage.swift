package import GodwitFiles
internal import GodwitJSON
package import GodwitModel

/// Writes a store as one JSON document, streamed in constant memory, and reads it back before the file gets its name.
///
/// Invariant: equal content gives equal bytes. Entities are in the order of the manifest, records in key order, columns
/// in table order; only time and identifier differ between two exports of the same content.
package struct ExportStage: Sendable {
    private let context: RunContext
    private let spacing: NoteSpacing

    /// - Parameter spacing: the size of the parts in which a document is read back.
    package init(context: RunContext, spacing: NoteSpacing = .init()) {
        (self.context, self.spacing) = (context, spacing)
    }

    /// Has the length of the content version that will replace it.
    private static let unknownVersion = String(repeating: "0", count: 64)

    package struct Written: Sendable, Equatable {
        /// Size of the file.
        package let bytes: Int64
        /// Hash of the `entities` array, including brackets.
        package let sha256: String
        /// Size of the longest record, in bytes of JSON.
        package let longestRecord: Int

        /// Whether a record is longer than the limit of a reader.
        package func hasUnreadableRecord(_ limits: ReadingLimits = .init()) -> Bool { longestRecord > limits.record }

        package init(bytes: Int64, sha256: String, longestRecord: Int) {
            (self.bytes, self.sha256, self.longestRecord) = (bytes, sha256, longestRecord)
        }
    }

    /// Writes the document into a new file and returns it without a name: the caller commits or discards it.
    ///
    /// - Parameters:
    ///   - reading: the records; they cannot be written again.
    ///   - changes: the changes to write; nil for all records.
    package func write(
        _ reading: ExportReading, header: ExportHeader, changes: ExportChanges? = nil, into file: consuming AtomicFile,
        as form: ExportForm = .plain
    ) throws(GodwitError) -> Finished {
        do throws(GodwitError) {
            let tables = changes.map { reading.tables(with: $0) } ?? reading.tables
            let text = header.text(tables, form.layout)
            var sink = try ExportSink(file, form: form, spacing: spacing)
            let unknown = header.writeSource(
                contentVersion: Self.unknownVersion, hash: Self.unknownVersion, layout: form.layout)
            try sink.write(frame: text.before)
            try sink.writeHole(unknown.count)
            try sink.write(frame: text.after)
            try sink.beginArray()
            let writer = EntitiesWriter(reading, context: context, stage: .export, isLast: true)
            let longest = try writer.write(tables, to: &sink, changes: changes)
            let hash = try sink.endArray()
            let integrity = Self.integrity(tables, hash, form.layout)
            try sink.write(frame: integrity)
            let source = header.writeSource(
                contentVersion: changes?.contentVersion ?? hash, hash: hash, layout: form.layout)
            guard source.count == unknown.count, let finished = try sink.finish(filling: source) else {
                throw GodwitError(.export, .bug, "the export has no file")
            }
            let written = Written(bytes: finished.outline.size, sha256: hash, longestRecord: longest)
            let proof = WrittenProof(
                try sink.writtenDigest(), between: text.before + source + text.after, and: integrity, finished.outline)
            try proof.require(finished.file, context)
            return Finished(file: finished.file, written: written, proof: proof)
        } catch {
            throw error.at(.export)
        }
    }

    /// A verified document that has no name yet.
    package struct Finished: ~Copyable {
        package let file: AtomicFile
        package let written: Written
        /// The proof that it has passed.
        package let proof: WrittenProof

        package consuming func commit(replacing: Bool) throws(GodwitError) {
            try file.commit(replacing: replacing)
        }

        /// Replaces an older export if it has not changed, or creates a new file.
        ///
        /// - Parameter before: the status of the older export; nil if there was none.
        /// - Throws: 73 if another process has changed or created the file.
        package consuming func commit(inPlaceOf before: FileStatus?) throws(GodwitError) {
            guard let before else { return try file.commit(replacing: false) }
            let target = file.target
            let isInPlace = try file.commit(inPlaceOf: before)
            guard !isInPlace else { return }
            throw GodwitError(
                .export, .cannotCreate, "`\(target)` was changed while the export was made; it is not replaced",
                hint: "Stop the other process that writes it, then run the same command again.")
        }
    }

    private static func integrity(_ tables: [ExportedTable], _ hash: String, _ layout: ExportReport.Layout) -> [UInt8] {
        var json = JSONBuffer(capacity: 256)
        json.append(layout == .lines ? "{\"integrity\": {\"counts\": {" : ",\n \"integrity\": {\"counts\": {")
        for (index, table) in tables.enumerated() {
            if index > 0 { json.append(", ") }
            json.append(string: table.name)
            json.append(": ")
            json.append(digits: table.count)
        }
        json.append("}, \"sha256\": ")
        json.append(string: hash)
        json.append("}}\n")
        return json.bytes
    }
}
