import GodwitModel
import GodwitPropertyList
import GodwitExport

/// The reader of export documents: plain, JSON lines, gzip.
///
/// The first byte has switches: 1 corrects the hash, because otherwise every change of a record is rejected for it; 2
/// packs the document into two gzip members; 4 puts spaces before it, so that it crosses the end of the reader's
/// window. The other bits set the position.
enum ImportCheck {
    /// The size of the reader's first window, in bytes.
    private static let window = 1 << 18

    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let switches = bytes.first else { return }
        var document = Array(bytes.dropFirst())
        if switches & 1 != 0 { document = ExportText.withHash(document) }
        let plain = try read(document)
        if let plain, !plain.summary.isCompressed, plain.summary.header.layout == .document {
            try checkAgainstJSON(document, plain)
        }
        let cut = document.count * Int(switches >> 3) / 32
        if switches & 2 != 0, !document.starts(with: [0x1F, 0x8B]) {
            let packed = ExportText.gzip(Array(document[..<cut])) + ExportText.gzip(Array(document[cut...]))
            try checkSame(try read(packed), plain, "packed")
        }
        if switches & 4 != 0, !document.starts(with: [0x1F, 0x8B]) {
            let blanks = [UInt8](repeating: 0x20, count: window - cut)
            try checkSame(try read(blanks + document), plain, "with blanks before it")
        }
    }

    // MARK: Reading

    /// What the reader passed on.
    private struct Content {
        var summary: DocumentSummary
        var entities: [DocumentEntity]
        var records: [[[Value]]]
    }

    private struct Collector: DocumentHandler {
        var entities: [DocumentEntity] = []
        var records: [[[Value]]] = []
        var ended = 0

        mutating func begin(_ header: DocumentHeader) {}
        mutating func begin(_ entity: DocumentEntity) {
            entities.append(entity)
            records.append([])
        }
        mutating func take(_ record: borrowing DocumentRecord) {
            var values: [Value] = []
            for column in 0..<record.count { values.append(record.value(column)) }
            records[records.count - 1].append(values)
        }
        mutating func end(_ entity: DocumentEntity) { ended += 1 }
    }

    private static func read(_ document: [UInt8]) throws(FuzzFinding) -> Content? {
        var limits = ReadingLimits()
        // The header must be large enough for the spaces before it.
        (limits.record, limits.depth) = (1 << 16, 64)
        var collector = Collector()
        let summary: DocumentSummary
        do throws(GodwitError) {
            summary = try ExportReader(limits: limits).read(ExportInput(bytes: document), into: &collector)
        } catch {
            try require(error.code == .data, "refused with \(error.code): \(error.description)")
            try require(!error.message.isEmpty && error.hint != nil, "refused without a word: \(error.description)")
            return nil
        }
        let content = Content(summary: summary, entities: collector.entities, records: collector.records)
        try require(collector.ended == content.entities.count, "an entity without an end")
        for (entity, records) in zip(content.entities, content.records) {
            try require(Int64(records.count) == entity.count, "another number of records than announced")
            try require(records.allSatisfy { $0.count == entity.columns.count }, "a record without a column")
        }
        return content
    }

    private static func checkSame(_ a: Content?, _ b: Content?, _ how: String) throws(FuzzFinding) {
        let isSame =
            a?.entities == b?.entities && a?.records == b?.records && a?.summary.sha256 == b?.summary.sha256
            && a?.summary.counts == b?.summary.counts && a?.summary.header == b?.summary.header
        try require((a == nil) == (b == nil), "\(how) it is \(a == nil ? "refused" : "accepted")")
        try require(isSame, "\(how) it is another document")
    }

    // MARK: The second path

    /// Checks that Godwit's other JSON reader finds the same records.
    private static func checkAgainstJSON(_ document: [UInt8], _ content: Content) throws(FuzzFinding) {
        let root: LegacyValue
        do throws(GodwitError) {
            root = try JSONReader.read(document)
        } catch {
            // JSON has no limits for numbers, and members that this version does not know are skipped.
            if error.description.contains("number out of range") { return }
            throw FuzzFinding("no JSON to the legacy reader: \(error.description)")
        }
        guard case .array(let entities)? = member("entities", of: root) else {
            throw FuzzFinding("no entities to the legacy reader")
        }
        try require(entities.count == content.entities.count, "another number of entities")
        for (index, entity) in entities.enumerated() {
            guard case .array(let records)? = member("records", of: entity) else { throw FuzzFinding("no records") }
            let columns = content.entities[index].columns.map { Array($0.name.utf8) }
            try require(records.count == content.records[index].count, "another number of records")
            for (record, values) in zip(records, content.records[index]) {
                guard case .dictionary(let pairs) = record else { throw FuzzFinding("a record that is no object") }
                try require(pairs.map { Array($0.key.utf8) } == columns, "other columns")
                let isSame = zip(pairs, values).allSatisfy { ExportText.value($0.value) == $1 }
                try require(isSame, "other values: \(values)")
            }
        }
    }

    private static func member(_ name: String, of value: LegacyValue) -> LegacyValue? {
        guard case .dictionary(let pairs) = value else { return nil }
        return pairs.first { $0.hasKey(name) }?.value
    }
}
