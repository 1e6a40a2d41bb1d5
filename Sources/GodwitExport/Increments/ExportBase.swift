internal import GodwitJSON
internal import GodwitModel
internal import GodwitSQLite
internal import Crypto

/// Records the key of each record in an earlier export, and the hash of its text as an export would write it now.
///
/// The text is written again from the values, so the layout of the document does not matter.
struct ExportBase: ~Copyable, DocumentHandler {
    private let insertion: SQLiteCursor
    private let tables: [ExportedTable]
    private let app: String
    private let selection: [String]?
    private let path: String
    private let schemaMigration: Int?
    private let environment: Manifest.Environment?
    /// Index of the entity whose records are read.
    private var table = -1
    private var keyPlace = 0
    private var json = JSONBuffer(capacity: 1 << 16)
    private var digest: [UInt8] = []

    init(
        notes: SQLiteConnection, tables: [ExportedTable], app: String, selection: [String]?, schemaMigration: Int?,
        environment: Manifest.Environment?, path: String
    ) throws(GodwitError) {
        insertion = try notes.prepare("INSERT INTO base VALUES (?1, ?2, ?3)")
        (self.tables, self.app, self.selection, self.path) = (tables, app, selection, path)
        (self.schemaMigration, self.environment) = (schemaMigration, environment)
    }

    mutating func begin(_ header: DocumentHeader) throws(GodwitError) {
        guard header.since == nil else {
            throw unfit(
                "it has only the changes since another export", "Name the last complete export.")
        }
        guard header.app.utf8.elementsEqual(app.utf8) else {
            throw unfit("it is an export of '\(header.app)', not of '\(app)'", "Name an export of this app.")
        }
        guard Self.same(header.selection, selection) else {
            throw unfit(
                Wording.text(
                    commandLine: "it was made with other --entity options",
                    library: "it was made with other `ExportOptions.entities`"),
                "Name an export of the same entities.")
        }
        guard Manifest.Environment.mayMeet(header.environment, environment) else {
            throw unfit(
                "it is from \(header.environment.named), but the store is from \(environment.named)",
                "Name an export of the same CloudKit environment, or export everything, without \(name: .since).")
        }
        // The document is restored at its own migration, and the increment on top of it.
        guard header.schemaMigration == schemaMigration else {
            func named(_ migration: Int?) -> String {
                migration.map { "schema version \($0)" } ?? "no known schema version"
            }
            throw unfit(
                "it is at \(named(header.schemaMigration)), and the store is at \(named(schemaMigration))",
                "Export everything, without \(name: .since): the schema has changed.")
        }
    }

    mutating func begin(_ entity: DocumentEntity) throws(GodwitError) {
        table += 1
        guard table < tables.count, tables[table].name.utf8.elementsEqual(entity.name.utf8),
            tables[table].key.utf8.elementsEqual(entity.key.utf8), tables[table].columns == entity.columns
        else {
            throw unfit(
                "its \(entity.name) has other columns than the store, or another order",
                "Export everything, without \(name: .since): the schema or the manifest has changed.")
        }
        keyPlace = tables[table].keyPlace ?? 0
    }

    mutating func take(_ record: borrowing DocumentRecord) throws(GodwitError) {
        json.removeAll()
        var key = 0..<0
        for index in 0..<tables[table].labels.count {
            tables[table].labels.write(index, to: &json)
            let start = json.count
            record.write(column: index, to: &json)
            if index == keyPlace { key = start..<json.count }
        }
        json.append("}")
        digest.removeAll(keepingCapacity: true)
        json.withBytes { text in digest.append(contentsOf: Self.hash(text)) }
        try insertion.bind(integer: Int64(table), at: 1)
        do throws(GodwitError) {
            try json.withBytes { text throws(GodwitError) in
                try insertion.bind(blob: UnsafeRawBufferPointer(rebasing: text[key]), at: 2)
                try digest.withUnsafeBufferPointer { digest throws(GodwitError) in
                    try insertion.bind(blob: UnsafeRawBufferPointer(digest), at: 3)
                    // Both buffers must stay valid until the statement has run.
                    try insertion.run()
                }
            }
        } catch {
            guard error.underlying?.hasPrefix("UNIQUE") == true else { throw error }
            throw unfit(
                "it has more than one record with the same key in \(tables[table].name)",
                "Export everything, without \(name: .since).")
        }
    }

    mutating func end(_ entity: DocumentEntity) {}

    /// Throws (65) if the document lacks an entity of the store: an increment with that entity could not be restored.
    func requireAllEntities() throws(GodwitError) {
        guard table + 1 < tables.count else { return }
        throw unfit(
            "it does not contain \(tables[table + 1].name)",
            "Export everything, without \(name: .since): the schema or the manifest has changed.")
    }

    private static func hash(_ text: UnsafeRawBufferPointer) -> SHA256.Digest {
        var hash = SHA256()
        hash.update(bufferPointer: text)
        return hash.finalize()
    }

    private func unfit(_ why: String, _ hint: String) -> GodwitError {
        GodwitError(.export, .data, "`\(path)` can't be the base of an increment: \(why)", hint: hint)
    }

    private static func same(_ a: [String]?, _ b: [String]?) -> Bool {
        a.map { $0.map { Array($0.utf8) } } == b.map { $0.map { Array($0.utf8) } }
    }
}

extension DocumentRecord {
    /// Writes a value exactly as an export writes it.
    func write(column: Int, to buffer: inout JSONBuffer) {
        switch type(column) {
        case .null: buffer.append("null")
        case .integer: buffer.append(integer: integer(column))
        case .real: buffer.append(real: real(column))
        case .text: buffer.append(text: bytes(column))
        case .blob: buffer.append(blob: bytes(column))
        }
    }
}
