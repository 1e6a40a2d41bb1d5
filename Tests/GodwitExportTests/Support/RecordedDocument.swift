import GodwitModel
import GodwitExport

/// A handler that keeps everything that a reader finds.
struct RecordedDocument: DocumentHandler {
    var header: DocumentHeader?
    var entities: [DocumentEntity] = []
    var records: [String: [[Value]]] = [:]
    var ended: [String] = []

    mutating func begin(_ header: DocumentHeader) { self.header = header }

    mutating func begin(_ entity: DocumentEntity) {
        entities.append(entity)
        records[entity.name] = []
    }

    mutating func take(_ record: borrowing DocumentRecord) {
        var row: [Value] = []
        for column in 0..<record.count { row.append(record.value(column)) }
        records[entities.last?.name ?? "", default: []].append(row)
    }

    mutating func end(_ entity: DocumentEntity) { ended.append(entity.name) }

    /// Reads bytes, and returns what was found and what was proven.
    static func read(
        _ bytes: [UInt8], limits: ReadingLimits = .init()
    ) throws -> (found: RecordedDocument, summary: DocumentSummary) {
        var found = RecordedDocument()
        let summary = try ExportReader(limits: limits).read(ExportInput(bytes: bytes), into: &found)
        return (found, summary)
    }

    static func read(_ text: String, limits: ReadingLimits = .init()) throws -> RecordedDocument {
        try read(Array(text.utf8), limits: limits).found
    }
}
