import GodwitFiles
import GodwitModel
import GodwitSQLite
import Crypto
import Foundation
import GodwitExport
import GodwitTestSupport

/// One store and its exports.
struct ExportFixture {
    /// The default identifier of exports.
    static let sampleIdentifier = "5E5F753D-A00D-4428-A8D2-3E4FFA2E4848"

    let folder: TemporaryFolder
    let manifest: Manifest

    init(
        _ entities: [Entity], journal: String? = nil, encoding: String? = nil, sql: String
    ) throws {
        folder = try TemporaryFolder()
        manifest = Manifest(
            app: "Sämple \"App\"", file: "godwit.yaml", sha256: "",
            container: ContainerPaths(preferences: [], local: "L.store", cloud: "C.store", syncEvents: nil),
            schemaDirectory: "", entities: entities, legacy: LegacyRules(), copy: CopyRules(),
            export: ExportRules(schemaVersion: 7), historyKept: 1, positions: [:])
        try folder.makeFolder("exports")
        try SampleStore.make(folder["C.store"], journal: journal, encoding: encoding, sql)
    }

    static func items(
        columns: String = "id TEXT, a, b", journal: String? = nil, encoding: String? = nil, _ sql: String
    ) throws -> ExportFixture {
        try ExportFixture(
            [Entity(name: "Item", key: "id")], journal: journal, encoding: encoding,
            sql: "CREATE TABLE Item(\(columns));" + sql)
    }

    func open(_ context: RunContext = .sample()) throws -> StoreSnapshot {
        try StoreSnapshot(of: folder["C.store"], name: "C.store", stage: .export, context: context)
    }

    /// Exports to a file in `exports/` and returns the result.
    @discardableResult
    func export(
        to name: String = "e.json", context: RunContext = .sample(), identifier: String? = sampleIdentifier,
        replacing: Bool = false,
        freshness: Freshness = .sample, schemaMigration: Int? = 3, as form: ExportForm = .plain,
        memory: SortMemory = .init(), threads: (StoreReaders) -> ReadingThreads = { _ in .one }
    ) throws -> ExportStage.Written {
        let finished = try write(
            to: name, context: context, identifier: identifier, freshness: freshness, schemaMigration: schemaMigration,
            as: form, memory: memory, threads: threads)
        let written = finished.written
        try finished.commit(replacing: replacing)
        try MadeExports.keep(folder["exports/" + name])
        return written
    }

    /// Writes a document that has no name yet.
    func write(
        to name: String = "e.json", context: RunContext = .sample(), identifier: String? = sampleIdentifier,
        freshness: Freshness = .sample, schemaMigration: Int? = 3, as form: ExportForm = .plain,
        memory: SortMemory = .init(), spacing: NoteSpacing = .init(),
        threads: (StoreReaders) -> ReadingThreads = { _ in .one }
    ) throws -> ExportStage.Finished {
        let store = try open()
        let reading = try ExportReading(
            store.connection, manifest: manifest, context: context, memory: memory, threads: threads(store.readers))
        let header = ExportHeader(
            app: manifest.app, schemaVersion: manifest.export.schemaVersion, exportedAt: context.now,
            identifier: identifier, store: .cloud, file: "C.store", schemaMigration: schemaMigration,
            freshness: freshness)
        let file = try AtomicFile(
            target: folder["exports/" + name], identifier: UUID().uuidString, mode: 0o644, stage: .export)
        return try ExportStage(context: context, spacing: spacing).write(reading, header: header, into: file, as: form)
    }

    func text(_ name: String = "e.json") throws -> String { try folder.text(of: "exports/" + name) }

    func document(_ name: String = "e.json") throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(try folder.bytes(of: "exports/" + name)))
        guard let document = object as? [String: Any] else { throw Unexpected() }
        return document
    }

    /// The records of the first entity, as text between the brackets of its `records`.
    func records() throws -> [String] {
        let text = try text()
        guard let start = text.range(of: "\"records\": ["), let end = text.range(of: "]}],\n \"integrity\"") else {
            throw Unexpected()
        }
        return text[start.upperBound..<end.lowerBound].split(separator: "\n    ").map { line in
            line.hasSuffix(",") ? String(line.dropLast()) : String(line)
        }
    }

    struct Unexpected: Error {}
}

extension Freshness {
    /// All fields have values.
    static let sample = Freshness(
        status: .warn, mayBeStale: true,
        reasons: [
            Freshness.Reason(.syncing, "A sync was in progress."), Freshness.Reason(.offline, "\"Quoted\"\n/ü"),
        ],
        newestRecordAt: Instant(seconds: 1_795_237_200), lastLocalSaveAt: Instant(milliseconds: 1_795_237_200_123),
        lastSyncAt: Instant(seconds: 1_795_200_000), ageSeconds: 3600,
        criteria: Freshness.Criteria(warnAfter: "12h", errorAfter: "48h"),
        sync: Freshness.Sync(availability: .available, network: .online, status: .inProgress, lastError: "CKError 9"),
        pendingChanges: 4)

    /// No field is known.
    static let empty = Freshness(
        status: .noData, mayBeStale: false, reasons: [], newestRecordAt: nil, lastLocalSaveAt: nil, lastSyncAt: nil,
        ageSeconds: nil, criteria: Freshness.Criteria(warnAfter: nil, errorAfter: nil),
        sync: Freshness.Sync(availability: .unknown, network: .unknown, status: .notStarted, lastError: nil),
        pendingChanges: 0)
}
