import GodwitModel
import GodwitSQLite
import GodwitDedupe
import GodwitTestSupport

extension Manifest {
    /// A manifest of an invented app, with the parts that the stages read.
    static func sample(_ entities: [Entity]) -> Manifest {
        Manifest(
            app: "Notes", file: "godwit.yaml", sha256: "feed",
            container: ContainerPaths(
                preferences: ["Notes.plist"], local: "Notes.store", cloud: "Cloud.store", syncEvents: nil),
            schemaDirectory: "Migrations/notes", entities: entities, legacy: LegacyRules(), copy: CopyRules(),
            export: ExportRules(), historyKept: 10, positions: [:])
    }
}

extension Entity {
    /// The entity of most tests: `Note(id, body, at)`; the newest record is kept.
    static let note = Entity(name: "Note", key: "id", modified: ModifiedColumn(column: "at"))

    static func settings(belongsTo: [Reference] = []) -> Entity {
        Entity(
            name: "Settings", key: "id", modified: ModifiedColumn(column: "at"), belongsTo: belongsTo,
            singleton: "singleton")
    }

    static let color = Entity(
        name: "Color", key: "id", belongsTo: [Reference(column: "settingsId", parent: "Settings")])
}

/// A store on disk that the stage changes through the real writer.
struct DedupeBench {
    let folder: TemporaryFolder
    let path: String
    let manifest: Manifest
    /// The number of rows that the stages keep in memory; nil for the default.
    var rowsInMemory: Int?

    init(_ entities: [Entity], _ sql: String, journal: String? = nil, encoding: String? = nil) throws {
        folder = try TemporaryFolder()
        path = folder.path("Notes.store")
        manifest = .sample(entities)
        try SampleStore.make(path, journal: journal, encoding: encoding, sql)
    }

    private func writer(_ context: RunContext) throws(GodwitError) -> StoreWriter {
        try StoreWriter(existing: path, name: "Notes.store", stage: .dedupe, context: context)
    }

    /// Deduplicates in its own transaction, as the pipeline does.
    @discardableResult
    func dedupe(_ context: RunContext = .sample(), run: String = "RUN-1") throws -> RunReport.Dedupe {
        let stage =
            rowsInMemory.map {
                DedupeStage(manifest: manifest, context: context, runIdentifier: run, rowsInMemory: $0)
            } ?? DedupeStage(manifest: manifest, context: context, runIdentifier: run)
        let writer = try writer(context)
        defer { try? writer.close(.dedupe) }
        return try writer.transaction(.dedupe) { connection throws(GodwitError) in
            let report = try stage.dedupe(within: connection, role: .local)
            try context.faultPoint(.beforeDedupeCommit)
            return report
        }
    }

    /// Undoes a run in its own transaction, as the pipeline does.
    @discardableResult
    func undo(
        _ run: String = "RUN-1", _ context: RunContext = .sample(), by undoing: String = "UNDO-1"
    ) throws
        -> RunReport.Undo.Store
    {
        let stage =
            rowsInMemory.map {
                UndoStage(manifest: manifest, context: context, runIdentifier: undoing, rowsInMemory: $0)
            } ?? UndoStage(manifest: manifest, context: context, runIdentifier: undoing)
        let writer = try writer(context)
        defer { try? writer.close(.dedupe) }
        return try writer.transaction(.dedupe) { connection throws(GodwitError) in
            let store = try stage.undo(run, within: connection, role: .local, file: "Notes.store")
            try context.faultPoint(.beforeUndoCommit)
            return store
        }
    }

    func write(_ body: (SQLiteConnection) throws(GodwitError) -> Void) throws {
        let writer = try writer(.sample())
        defer { try? writer.close(.dedupe) }
        try writer.transaction(.dedupe) { connection throws(GodwitError) in try body(connection) }
    }

    /// All records of all tables except Godwit's, with the exact values of their columns, sorted.
    func contents() throws -> [String: [[Value]]] {
        let writer = try writer(.sample())
        defer { try? writer.close(.dedupe) }
        return try writer.read(.dedupe) { connection throws(GodwitError) in
            var contents: [String: [[Value]]] = [:]
            for table in try connection.readShape().tables {
                let columns = table.storedColumns.map { quoted($0.name) }.joined(separator: ", ")
                contents[table.name] = try connection.rows("SELECT \(columns) FROM \(quoted(table.name))")
                    .sorted { $0.lexicographicallyPrecedes($1) }
            }
            return contents
        }
    }

    /// Whether the stage finds work, through the hardened reader that a plan uses.
    func hasWork() throws -> Bool {
        let reader = try SQLiteReader(
            path: path, name: "Notes.store", stage: .dedupe, busyMilliseconds: 0, cancellation: Cancellation())
        return try DedupeStage(manifest: manifest, context: .sample(), runIdentifier: "R").hasWork(reader.connection)
    }

    /// All rows of a query, as stored.
    func rows(_ sql: String, _ values: [Value] = []) throws -> [[Value]] {
        let writer = try writer(.sample())
        defer { try? writer.close(.dedupe) }
        return try writer.read(.dedupe) { connection throws(GodwitError) in try connection.rows(sql, values) }
    }

    func execute(_ sql: String, _ values: [Value] = []) throws { _ = try rows(sql, values) }

    /// The rows as text, with `|` between columns.
    func text(_ sql: String) throws -> [String] {
        try rows(sql).map { $0.map(\.readable).joined(separator: "|") }
    }

    func count(_ table: String) throws -> Int { Int(try text("SELECT count(*) FROM \(table)")[0]) ?? -1 }

    func has(_ table: String) throws -> Bool {
        try !rows("SELECT 1 FROM sqlite_schema WHERE name = ?", [.string(table)]).isEmpty
    }
}
