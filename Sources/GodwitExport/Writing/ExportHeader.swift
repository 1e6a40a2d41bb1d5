internal import GodwitFiles
internal import GodwitJSON
package import GodwitModel
package import GodwitSQLite

/// The members before the records: format, source, freshness.
package struct ExportHeader: Sendable {
    package let app: String
    package let schemaVersion: Int
    package let exportedAt: Instant
    /// Upper-case UUID; nil to derive it from content, time and app, so that equal input gives an equal document.
    package let identifier: String?
    package let store: StoreRole
    /// The store's file name, without a path, which would reveal facts about the computer.
    package let file: String
    /// The migration of the exported tables; nil if they match none.
    package let schemaMigration: Int?
    /// The migration of the store itself, if a migrated private copy was exported; otherwise nil.
    package let storeMigration: Int?
    /// The app's numbers in the store's own header.
    package let marks: StoreMarks
    package let freshness: Freshness
    /// The CloudKit environment of the store; nil if unknown.
    package let environment: Manifest.Environment?
    /// The selected entities; nil for all.
    package let selection: [String]?
    /// The base of an increment; nil for a complete export.
    package let since: DocumentOrigin?

    package init(
        app: String, schemaVersion: Int, exportedAt: Instant, identifier: String?, store: StoreRole, file: String,
        schemaMigration: Int?, storeMigration: Int? = nil, marks: StoreMarks = StoreMarks(),
        freshness: Freshness, environment: Manifest.Environment? = nil, selection: [String]? = nil,
        since: DocumentOrigin? = nil
    ) {
        (self.app, self.schemaVersion, self.exportedAt, self.identifier) = (app, schemaVersion, exportedAt, identifier)
        (self.store, self.file, self.schemaMigration) = (store, file, schemaMigration)
        (self.storeMigration, self.marks, self.freshness) = (storeMigration, marks, freshness)
        (self.environment, self.selection, self.since) = (environment, selection, since)
    }

    /// The version of the format, and the lowest version of a reader that understands it.
    package static let formatVersion: Int64 = 1

    /// The header in two parts; between them are `exportId` and `source`, which are known only after all records are
    /// written.
    struct Text {
        let before: [UInt8]
        /// Up to and including `"entities": `, or to the end of the header line.
        let after: [UInt8]
    }

    /// In JSON Lines on one line, with the description of each entity.
    func text(_ tables: [ExportedTable], _ layout: ExportReport.Layout) -> Text {
        var before = JSONBuffer(capacity: 1024)
        writeBeginning(layout, to: &before)
        var after = JSONBuffer(capacity: 4096)
        after.append("\n \"freshness\": ")
        freshness.write(to: &after)
        if let selection {
            after.append(",\n \"selection\": ")
            after.append(list: selection)
        }
        if let since { after.append(origin: since) }
        after.append(",\n \"entities\": ")
        guard layout == .lines else {
            return Text(before: before.bytes, after: after.bytes)
        }
        var line = JSONBuffer(capacity: 4096)
        line.append(raw: Self.onOneLine(after.bytes))
        line.append("[")
        for (index, table) in tables.enumerated() {
            if index > 0 { line.append(", ") }
            table.writeDescription(to: &line)
            line.append("}")
        }
        line.append("]}\n")
        return Text(before: Self.onOneLine(before.bytes), after: line.bytes)
    }

    /// Replaces each line feed and the spaces after it by one space; texts contain no line feeds, because they are
    /// escaped.
    private static func onOneLine(_ text: [UInt8]) -> [UInt8] {
        var line: [UInt8] = []
        var isAfterBreak = false
        for byte in text {
            if byte == 0x0A {
                line.append(0x20)
                isAfterBreak = true
            } else if !isAfterBreak || byte != 0x20 {
                line.append(byte)
                isAfterBreak = false
            }
        }
        return line
    }

    private func writeBeginning(_ layout: ExportReport.Layout, to json: inout JSONBuffer) {
        json.append("{\"$schema\": \"urn:godwit:schema:export:1\",\n")
        json.append(" \"format\": \"godwit-export\", \"formatVersion\": ")
        json.append(digits: Self.formatVersion)
        json.append(", \"minReaderVersion\": ")
        json.append(digits: Self.formatVersion)
        if layout == .lines { json.append(", \"layout\": \"lines\"") }
        json.append(",\n \"app\": ")
        json.append(string: app)
        json.append(", \"schemaVersion\": ")
        json.append(digits: Int64(schemaVersion))
        json.append(",\n \"generator\": {\"name\": \"godwit\", \"version\": ")
        json.append(string: GodwitVersion.current)
        json.append("},\n \"exportedAt\": ")
        json.append(string: exportedAt.iso8601)
    }

    /// `exportId` and `source`; their length does not depend on the hashes.
    ///
    /// - Parameters:
    ///   - contentVersion: the hash of the whole content, even if only changes are written.
    ///   - hash: the hash of what is written.
    func writeSource(contentVersion: String, hash: String, layout: ExportReport.Layout) -> [UInt8] {
        var json = JSONBuffer(capacity: 512)
        json.append(", \"exportId\": ")
        json.append(string: identifier ?? derivedIdentifier(hash))
        json.append(",\n \"source\": {\"store\": ")
        json.append(string: store.rawValue)
        json.append(", \"file\": ")
        json.append(string: file)
        json.append(", \"schemaMigration\": ")
        if let schemaMigration { json.append(digits: Int64(schemaMigration)) } else { json.append("null") }
        if let storeMigration {
            json.append(", \"storeMigration\": ")
            json.append(digits: Int64(storeMigration))
        }
        if let environment {
            json.append(", \"environment\": ")
            json.append(string: environment.rawValue)
        }
        marks.write(to: &json)
        json.append(", \"contentVersion\": ")
        json.append(string: contentVersion)
        json.append("},")
        return layout == .lines ? Self.onOneLine(json.bytes) : json.bytes
    }

    /// A UUID of version 8, RFC 9562, section 5.8.
    private func derivedIdentifier(_ contentVersion: String) -> String {
        let digits = Array(sha256Hex(Array("\(contentVersion) \(exportedAt.iso8601) \(app)".utf8)).utf8)
        var text: [UInt8] = []
        for index in 0..<32 {
            if [8, 12, 16, 20].contains(index) { text.append(0x2D) }
            switch index {
            case 12: text.append(0x38)
            case 16: text.append(0x38)
            default: text.append(digits[index] >= 0x61 ? digits[index] - 0x20 : digits[index])
            }
        }
        return String(decoding: text, as: UTF8.self)
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
        if let pendingChanges { json.append(digits: pendingChanges) } else { json.append("null") }
        json.append("}")
    }
}

extension StoreMarks {
    /// Omits numbers that are 0, as in most stores.
    fileprivate func write(to json: inout JSONBuffer) {
        for (name, mark) in [("userVersion", userVersion), ("applicationId", applicationID)] where mark != 0 {
            json.append(", ")
            json.append(string: name)
            json.append(": ")
            json.append(digits: Int64(mark))
        }
    }
}

extension JSONBuffer {
    fileprivate mutating func append(origin: DocumentOrigin) {
        append(",\n \"since\": {\"exportId\": ")
        append(string: origin.exportId)
        append(", \"exportedAt\": ")
        append(string: origin.exportedAt.iso8601)
        append(", \"contentVersion\": ")
        append(string: origin.contentVersion)
        append("}")
    }

    fileprivate mutating func append(list: [String]) {
        append("[")
        for (index, text) in list.enumerated() {
            if index > 0 { append(", ") }
            append(string: text)
        }
        append("]")
    }

    fileprivate mutating func append(date: Instant?) { append(optional: date?.iso8601) }

    fileprivate mutating func append(optional text: String?) {
        if let text { append(string: text) } else { append("null") }
    }
}
