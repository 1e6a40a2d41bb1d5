internal import GodwitJSON
internal import GodwitModel
internal import GodwitSQLite
internal import Crypto

/// Notes the records of an earlier export: for each its key, and the hash of its text as it would be written now.
///
/// The text is made anew from the values, so that it does not matter how the document was laid out.
struct ExportBase: ~Copyable, DocumentHandler {
    private let insertion: SQLiteCursor
    private let tables: [ExportedTable]
    private let app: String
    private let selection: [String]?
    private let path: String
    private let schemaMigration: Int?
    private let environment: CloudEnvironment?
    /// The number of the entity whose records come.
    private var table = -1
    private var keyPlace = 0
    private var json = JSONBuffer(capacity: 1 << 16)
    private var digest: [UInt8] = []

    init(
        notes: SQLiteConnection, tables: [ExportedTable], app: String, selection: [String]?, schemaMigration: Int?,
        environment: CloudEnvironment?, path: String
    ) throws(GodwitError) {
        insertion = try notes.prepare("INSERT INTO base VALUES (?1, ?2, ?3)")
        (self.tables, self.app, self.selection, self.path) = (tables, app, selection, path)
        (self.schemaMigration, self.environment) = (schemaMigration, environment)
    }

    mutating func begin(_ header: DocumentHeader) throws(GodwitError) {
        guard header.since == nil else {
            throw unfit(
                "it holds only what changed since another export", "Name the last export that holds everything.")
        }
        guard header.app.utf8.elementsEqual(app.utf8) else {
            throw unfit("it is one of '\(header.app)', not of '\(app)'", "Name an export of this app.")
        }
        guard Self.same(header.selection, selection) else {
            throw unfit("it was made with other --entity options", "Name an export of the same entities.")
        }
        guard CloudEnvironment.mayMeet(header.environment, environment) else {
            throw unfit(
                "it is one of \(header.environment.named), and the store is one of \(environment.named)",
                "Name an export of the same CloudKit environment, or export everything, without --since.")
        }
        // It is restored at its own migration, and the increment onto that.
        guard header.schemaMigration == schemaMigration else {
            func named(_ migration: Int?) -> String { migration.map { "migration \($0)" } ?? "no known migration" }
            throw unfit(
                "it is at \(named(header.schemaMigration)), and the store is at \(named(schemaMigration))",
                "The schema has changed: export everything, without --since.")
        }
    }

    mutating func begin(_ entity: DocumentEntity) throws(GodwitError) {
        table += 1
        guard table < tables.count, tables[table].name.utf8.elementsEqual(entity.name.utf8),
            tables[table].key.utf8.elementsEqual(entity.key.utf8), tables[table].columns == entity.columns
        else {
            throw unfit(
                "\(entity.name) has other columns in it than now, or another place",
                "The schema or the manifest has changed: export everything, without --since.")
        }
        keyPlace = tables[table].keyPlace ?? 0
    }

    mutating func take(_ record: borrowing DocumentRecord) throws(GodwitError) {
        json.removeAll()
        var key = 0..<0
        for place in 0..<tables[table].labels.count {
            tables[table].labels.write(place, to: &json)
            let start = json.count
            record.write(column: place, to: &json)
            if place == keyPlace { key = start..<json.count }
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
                    // While both are in place.
                    try insertion.run()
                }
            }
        } catch {
            guard error.underlying?.hasPrefix("UNIQUE") == true else { throw error }
            throw unfit(
                "\(tables[table].name) has more than one record of a key in it", "Export everything, without --since.")
        }
    }

    mutating func end(_ entity: DocumentEntity) {}

    /// Throws (65) where an entity of the store was not there, now that all has been read: an increment that has it
    /// could not be restored onto that.
    func requireAllEntities() throws(GodwitError) {
        guard table + 1 < tables.count else { return }
        throw unfit(
            "\(tables[table + 1].name) is not in it",
            "The schema or the manifest has changed: export everything, without --since.")
    }

    private static func hash(_ text: UnsafeRawBufferPointer) -> SHA256.Digest {
        var hash = SHA256()
        hash.update(bufferPointer: text)
        return hash.finalize()
    }

    private func unfit(_ why: String, _ hint: String) -> GodwitError {
        GodwitError(.export, .data, "\(path) can't be what changes are counted from: \(why).", hint: hint)
    }

    private static func same(_ a: [String]?, _ b: [String]?) -> Bool {
        a.map { $0.map { Array($0.utf8) } } == b.map { $0.map { Array($0.utf8) } }
    }
}

extension DocumentRecord {
    /// Writes a value as JSON, just as an export writes it.
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
