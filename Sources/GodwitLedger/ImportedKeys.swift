package import GodwitJSON
package import GodwitModel
package import GodwitSQLite
internal import FoundationLite

/// The part of a legacy import's receipt that permits a later import of keys that are mapped later: the outcome of each
/// key, and the records made from settings.
package struct ImportedKeys: Sendable {
    /// By the bytes of the key: Swift compares strings by canonical equivalence.
    private var buckets: [[UInt8]: KeyOutcome] = [:]
    /// By entity: the value of each column at the time of the import.
    private var records: [String: [String: Value]] = [:]

    package init() {}

    /// Nil if the receipt does not contain them, as those of an older Godwit.
    package init?(_ receipt: Receipt) {
        struct Detail: Decodable {
            var keys: [[String]]
            var records: [String: String]?
        }
        guard receipt.stage == .legacy, receipt.detail.utf8.count < 1 << 22,
            let detail = try? JSONDecoder().decode(Detail.self, from: Data(receipt.detail.utf8))
        else { return nil }
        for pair in detail.keys where pair.count == 2 {
            if let bucket = KeyOutcome(rawValue: pair[1]) { buckets[Array(pair[0].utf8)] = bucket }
        }
        for (entity, text) in detail.records ?? [:] {
            guard let members = TypedJSON.members(of: Array(text.utf8)) else { continue }
            records[entity] = Dictionary(members) { first, _ in first }
        }
    }

    /// The outcome of an imported key; nil if no file had it then, or nothing mapped it.
    package func bucket(of key: String) -> KeyOutcome? {
        guard let bucket = buckets[Array(key.utf8)], bucket != .defaulted, bucket != .unmapped else { return nil }
        return bucket
    }

    /// A record that an import made; nil if none did.
    package func record(of entity: String) -> [String: Value]? { records[entity] }

    /// Combines both; the later one has priority.
    package func merging(_ later: ImportedKeys) -> ImportedKeys {
        var merged = self
        merged.buckets.merge(later.buckets) { $1 }
        merged.records.merge(later.records) { $1 }
        return merged
    }

    /// Adds the outcomes of the keys in a report.
    package mutating func add(_ ledger: [LedgerLine]) {
        for line in ledger where line.bucket != .unmapped { buckets[Array(line.key.utf8)] = line.bucket }
    }

    /// Adds the current record of a store, if it exists.
    package mutating func add(recordOf entity: Entity, in store: SQLiteConnection) throws(GodwitError) {
        guard let key = entity.singleton, let row = try store.row(of: entity, key: .string(key)) else { return }
        records[entity.name] = row
    }

    /// Writes the members `keys` and `records` of a receipt's detail, after a comma.
    package func write(to json: inout JSONBuffer) {
        json.append(",\"keys\":[")
        let sorted = buckets.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (index, entry) in sorted.enumerated() {
            if index > 0 { json.append(",") }
            json.append("[")
            json.append(string: String(decoding: entry.key, as: UTF8.self))
            json.append(",")
            json.append(string: entry.value.rawValue)
            json.append("]")
        }
        json.append("],\"records\":{")
        for (index, entry) in records.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { json.append(",") }
            json.append(string: entry.key)
            json.append(":")
            json.append(string: String(decoding: Self.object(entry.value), as: UTF8.self))
        }
        json.append("}")
    }

    private static func object(_ row: [String: Value]) -> [UInt8] {
        var json = JSONBuffer(capacity: 256)
        json.append("{")
        for (index, column) in row.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { json.append(",") }
            json.append(string: column.key)
            json.append(":")
            json.append(column.value)
        }
        json.append("}")
        return json.bytes
    }
}

extension SQLiteConnection {
    /// The columns of a record, by name; nil if no record has this key.
    package func row(of entity: Entity, key: Value) throws(GodwitError) -> [String: Value]? {
        let shape = try readShape()
        guard let table = shape.table(named: entity.name), table.column(named: entity.key) != nil else { return nil }
        let columns = table.columnsInFile.map(\.name)
        let list = columns.map(quoted).joined(separator: ", ")
        let rows = try rows(
            "SELECT \(list) FROM main.\(quoted(entity.name)) WHERE \(quoted(entity.key)) = ? COLLATE BINARY", [key])
        return rows.first.map { Dictionary(zip(columns, $0)) { first, _ in first } }
    }

    /// Writes the receipt of a stage again with added details; run and time of the first one stay.
    package func renew(_ receipt: Receipt) throws(GodwitError) {
        guard try readReceipt(receipt.stage) != nil else { return try write(receipt) }
        try execute(
            "UPDATE godwit_receipt SET manifestSha256 = ?, detail = ? WHERE stage = ?",
            [.string(receipt.manifestSHA256), .string(receipt.detail), .string(receipt.stage.rawValue)])
    }
}
