import GodwitFiles
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitExport
import GodwitTestSupport

/// A store, its export, the store restored from it, and the export of the restored one.
final class Restoration {
    let folder: TemporaryFolder
    let manifest: Manifest
    /// The schema, one text for each version.
    let schema: [String]

    init(_ entities: [Entity], schema: [String], schemaVersion: Int = 1) throws {
        folder = try TemporaryFolder()
        self.schema = schema
        manifest = Manifest(
            app: "App", file: "godwit.yaml", sha256: "",
            container: ContainerPaths(preferences: [], local: "L.store", cloud: "C.store", syncEvents: nil),
            schemaDirectory: "", entities: entities, legacy: LegacyRules(), copy: CopyRules(),
            export: ExportRules(schemaVersion: schemaVersion), historyKept: 5, positions: [:])
    }

    /// Makes the store to export, at the latest schema version, and runs a body in it.
    func make(
        _ name: String = "first.store", upTo version: Int? = nil, _ body: (SQLiteConnection) throws -> Void = { _ in }
    ) throws {
        let writer = try StoreWriter(
            creatingTemporary: folder[name], name: name, stage: .copy,
            context: .sample(
                makeIdentifier: { UUID().uuidString }))
        try writer.transaction(.copy) { store throws(GodwitError) in
            do {
                for text in schema.prefix(version ?? schema.count) { try store.execute(schemaFile: text) }
                try body(store)
            } catch { throw error as? GodwitError ?? GodwitError(.copy, .bug, "\(error)") }
        }
        try writer.close(.copy)
    }

    @discardableResult
    func export(
        _ store: String = "first.store", to name: String = "first.json", as form: ExportForm = .plain,
        migration: Int? = nil, schemaVersion: Int? = nil, since base: String? = nil
    ) throws -> ExportStage.Written {
        let snapshot = try StoreSnapshot(of: folder[store], name: store, stage: .export, context: .sample())
        let reading = try ExportReading(snapshot.connection, manifest: manifest, context: .sample())
        let changes = try base.map { name in
            try ExportChanges(
                since: folder[name], reading, manifest: manifest, selection: nil, schemaMigration: migration,
                environment: nil, context: .sample())
        }
        let header = ExportHeader(
            app: manifest.app, schemaVersion: schemaVersion ?? manifest.export.schemaVersion, exportedAt: .sampleNow,
            identifier: nil, store: .cloud, file: "C.store", schemaMigration: migration, freshness: .sample,
            since: changes?.origin)
        let file = try AtomicFile(
            target: folder[name], identifier: UUID().uuidString, mode: 0o644, stage: .export)
        let finished = try ExportStage(context: .sample()).write(
            reading, header: header, changes: changes, into: file, as: form)
        let written = finished.written
        try finished.commit(replacing: false)
        try MadeExports.keep(folder[name])
        return written
    }

    @discardableResult
    func restore(
        _ document: String = "first.json", increment: String? = nil, to store: String = "second.store",
        context: RunContext = .sample()
    ) throws -> ImportStage.Restored {
        try ImportStage(context: context, neighbours: neighbours).restore(
            ExportInput(path: folder[document], stage: .import), increment: increment.map { folder[$0] },
            to: folder[store], name: store)
    }

    /// Restores bytes in memory instead of a file.
    @discardableResult
    func restore(
        bytes: [UInt8], to store: String = "second.store", context: RunContext = .sample()
    ) throws -> ImportStage.Restored {
        try ImportStage(context: context, neighbours: neighbours).restore(
            ExportInput(bytes: bytes), to: folder[store], name: store)
    }

    private var neighbours: ImportStage.Dependencies {
        let schema = schema
        let latest = schema.count
        return ImportStage.Dependencies(
            latestVersion: latest, schemaVersion: manifest.export.schemaVersion,
            entities: manifest.entities.map(\.name),
            buildSchema: { store, version throws(GodwitError) in
                for text in schema.prefix(version) { try store.execute(schemaFile: text) }
                try store.execute("PRAGMA user_version = \(version)")
            },
            bringSchemaUpToDate: { writer throws(GodwitError) in
                let version = try writer.transaction(.schema) { store throws(GodwitError) in
                    let version = Int(try store.first("PRAGMA user_version")?.readable ?? "") ?? 0
                    for text in schema[version...] { try store.execute(schemaFile: text) }
                    return version
                }
                return RunReport.Schema(outcome: .done, fromVersion: version, toVersion: latest)
            },
            record: { _, _ in })
    }

    /// All rows of a table with their number of occurrences, read by SQLite only.
    func rows(_ store: String, _ table: String) throws -> [[Value]: Int] {
        let snapshot = try StoreSnapshot(of: folder[store], name: store, stage: .export, context: .sample())
        let rows = try snapshot.connection.rows("SELECT * FROM \(quoted(table))")
        return Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// The storage class and the bytes of each value of a table, from SQLite's `hex`, so that no text is converted.
    func bits(_ store: String, _ table: GeneratedTable) throws -> [[Value]: Int] {
        let snapshot = try StoreSnapshot(of: folder[store], name: store, stage: .export, context: .sample())
        let columns = table.columns.map { "typeof(\(quoted($0))), hex(CAST(\(quoted($0)) AS BLOB))" }
        let rows = try snapshot.connection.rows(
            "SELECT \(columns.joined(separator: ", ")) FROM \(quoted(table.name))")
        return Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Godwit's temporary files that should not exist.
    var leftovers: [String] { folder.names().filter { $0.hasPrefix(".godwit-") } }
}
