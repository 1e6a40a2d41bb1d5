package import GodwitModel

/// What stands before the records: format, source, freshness.
package struct ExportHeader: Sendable {
    package let app: String
    package let schemaVersion: Int
    package let exportedAt: Instant
    package let identifier: String
    package let store: StoreRole
    /// The store's file name; no path, which would tell of the machine.
    package let file: String
    /// The applied migration; nil where the store has no history.
    package let schemaMigration: Int?
    package let freshness: Freshness

    package init(
        app: String, schemaVersion: Int, exportedAt: Instant, identifier: String, store: StoreRole, file: String,
        schemaMigration: Int?, freshness: Freshness
    ) {
        self.app = app
        self.schemaVersion = schemaVersion
        self.exportedAt = exportedAt
        self.identifier = identifier
        self.store = store
        self.file = file
        self.schemaMigration = schemaMigration
        self.freshness = freshness
    }

    /// Version of the document's format, and the lowest version of a reader that understands it.
    package static let formatVersion: Int64 = 1

    /// Stands for the content version until it is known; as long as a SHA-256 in hex.
    static let contentVersionPlaceholder = String(repeating: "0", count: 64)

    /// Writes the header up to and with `"entities": `; returns where the content version's digits begin.
    func write(to json: inout JSONBuffer) -> Int {
        json.append("{\"$schema\": \"urn:godwit:schema:export:1\",\n")
        json.append(" \"format\": \"godwit-export\", \"formatVersion\": ")
        json.append(digits: Self.formatVersion)
        json.append(", \"minReaderVersion\": ")
        json.append(digits: Self.formatVersion)
        json.append(",\n \"app\": ")
        json.append(string: app)
        json.append(", \"schemaVersion\": ")
        json.append(digits: Int64(schemaVersion))
        json.append(",\n \"generator\": {\"name\": \"godwit\", \"version\": ")
        json.append(string: GodwitVersion.current)
        json.append("},\n \"exportedAt\": ")
        json.append(string: exportedAt.iso8601)
        json.append(", \"exportId\": ")
        json.append(string: identifier)
        json.append(",\n \"source\": {\"store\": ")
        json.append(string: store.rawValue)
        json.append(", \"file\": ")
        json.append(string: file)
        json.append(", \"schemaMigration\": ")
        if let schemaMigration { json.append(digits: Int64(schemaMigration)) } else { json.append("null") }
        json.append(", \"contentVersion\": \"")
        let offset = json.count
        json.append(raw: Self.contentVersionPlaceholder.utf8)
        json.append("\"},\n \"freshness\": ")
        freshness.write(to: &json)
        json.append(",\n \"entities\": ")
        return offset
    }
}

extension Freshness {
    fileprivate func write(to json: inout JSONBuffer) {
        json.append("{\"status\": ")
        json.append(string: status.rawValue)
        json.append(", \"mayBeStale\": ")
        json.append(mayBeStale ? "true" : "false")
        json.append(",\n  \"reasons\": [")
        for (index, reason) in reasons.enumerated() {
            if index > 0 { json.append(", ") }
            json.append("{\"code\": ")
            json.append(string: reason.code.rawValue)
            json.append(", \"message\": ")
            json.append(string: reason.message)
            json.append("}")
        }
        json.append("],\n  \"newestRecordAt\": ")
        json.append(date: newestRecordAt)
        json.append(", \"lastLocalSaveAt\": ")
        json.append(date: lastLocalSaveAt)
        json.append(", \"lastSyncAt\": ")
        json.append(date: lastSyncAt)
        json.append(", \"ageSeconds\": ")
        if let ageSeconds { json.append(digits: ageSeconds) } else { json.append("null") }
        json.append(",\n  \"criteria\": {\"warnAfter\": ")
        json.append(optional: criteria.warnAfter)
        json.append(", \"errorAfter\": ")
        json.append(optional: criteria.errorAfter)
        json.append("},\n  \"sync\": {\"availability\": ")
        json.append(string: sync.availability.rawValue)
        json.append(", \"network\": ")
        json.append(string: sync.network.rawValue)
        json.append(", \"status\": ")
        json.append(string: sync.status.rawValue)
        json.append(", \"lastError\": ")
        json.append(optional: sync.lastError)
        json.append("},\n  \"pendingChanges\": ")
        json.append(digits: pendingChanges)
        json.append("}")
    }
}

extension JSONBuffer {
    fileprivate mutating func append(date: Instant?) { append(optional: date?.iso8601) }

    fileprivate mutating func append(optional text: String?) {
        if let text { append(string: text) } else { append("null") }
    }
}
