import GodwitFiles
import GodwitModel
import GodwitSQLite
import GodwitCopy
import GodwitTestSupport
import Synchronization

/// Two stores in their own folders and the copy between them, with stand-ins for the other stages.
struct CopyFixture {
    let folder: TemporaryFolder
    let manifest: Manifest
    /// The SQL that makes the tables of a new cloud store.
    let schema: String

    /// - Parameter layout: the local store's layout in the manifest.
    init(_ entities: [Entity], schema: String, layout: StoreLayout = .sqlite) throws {
        folder = try TemporaryFolder()
        self.schema = schema
        manifest = Manifest(
            app: "Sample", file: "godwit.yaml", sha256: String(repeating: "a", count: 64),
            container: ContainerPaths(
                preferences: ["prefs.txt"], local: "local/L.store", localLayout: layout, cloud: "cloud/C.store",
                syncEvents: nil),
            schemaDirectory: "schema", entities: entities, legacy: LegacyRules(), copy: CopyRules(),
            export: ExportRules(), historyKept: 10, positions: [:])
        try folder.makeFolder("local")
        try folder.makeFolder("cloud")
    }

    /// One entity `Item` with a text key, two columns and a date.
    static func items(_ rule: ConflictRule = .keepNewest, encoding: InstantEncoding? = nil) throws -> CopyFixture {
        try CopyFixture(
            [Entity(name: "Item", key: "id", modified: .init(column: "updatedAt", encoding: encoding), conflict: rule)],
            schema: "CREATE TABLE Item(id TEXT NOT NULL, title, amount, updatedAt); CREATE INDEX Item_id ON Item(id);")
    }

    /// A parent `Trip` and its children `Stop`, which also refer to the previous stop.
    static func trips() throws -> CopyFixture {
        try CopyFixture(
            [
                Entity(
                    name: "Stop", key: "id", modified: .init(column: "at"),
                    belongsTo: [.init(column: "trip", parent: "Trip"), .init(column: "before", parent: "Stop")]),
                Entity(name: "Trip", key: "id", modified: .init(column: "at")),
            ],
            schema: "CREATE TABLE Trip(id TEXT, at); CREATE TABLE Stop(id TEXT, trip TEXT, \"before\" TEXT, at);")
    }

    var localPath: String { folder["local/L.store"] }
    var cloudPath: String { folder["cloud/C.store"] }

    /// Makes the local store: the tables, then some SQL.
    @discardableResult
    func local(journal: String? = nil, encoding: String? = nil, _ sql: String = "") throws -> SampleStore {
        try SampleStore(localPath, journal: journal, encoding: encoding, schema + sql)
    }

    /// Makes the cloud store: the tables, then some SQL.
    @discardableResult
    func cloud(journal: String? = nil, encoding: String? = nil, _ sql: String = "") throws -> SampleStore {
        try SampleStore(cloudPath, journal: journal, encoding: encoding, schema + sql)
    }

    // MARK: Copying

    /// Copies as the pipeline does.
    @discardableResult
    func copy(
        _ context: RunContext = .sample(), run: String = "RUN-1", allowsOrphans: Bool = false,
        duplicates: SourceDuplicates = [:], ownedLike model: FileOwnership? = nil,
        dedupe: (@Sendable (SQLiteConnection) throws(GodwitError) -> Void)? = nil
    ) throws(GodwitError) -> RunReport.Copy {
        let source = try StoreSnapshot(of: localPath, name: "L.store", stage: .copy, context: context)
        return try stage(context, run, allowsOrphans: allowsOrphans, schema: schema, dedupe).copy(
            from: ComparedStore(source), duplicates: duplicates, toCloud: cloudPath, named: "C.store", ownedLike: model)
    }

    /// Copies into a new store while queries on the source run.
    func copy(
        _ context: RunContext = .sample(), allowsOrphans: Bool = false,
        asking ask: @escaping BackgroundQuery<Bool>.Asking
    ) throws(GodwitError) -> RunReport.Copy? {
        let source = try StoreSnapshot(of: localPath, name: "L.store", stage: .copy, context: context)
        let question = BackgroundQuery(about: source, ask)
        defer { question.wait() }
        return try stage(context, "RUN-1", allowsOrphans: allowsOrphans, schema: schema, nil).copy(
            from: ComparedStore(source), asking: question, toNewCloud: cloudPath, named: "C.store", ownedLike: nil)
    }

    private func stage(
        _ context: RunContext, _ run: String, allowsOrphans: Bool, schema: String,
        _ dedupe: (@Sendable (SQLiteConnection) throws(GodwitError) -> Void)?
    ) -> CopyStage {
        CopyStage(
            manifest: manifest, context: context, runIdentifier: run, allowsOrphans: allowsOrphans,
            stages: .init(
                bringSchemaUpToDate: { cloud, created throws(GodwitError) in
                    if created { try cloud.execute(schemaFile: schema) }
                    return RunReport.Schema(outcome: created ? .done : .nothingToDo, store: .cloud, created: created)
                },
                dedupe: { cloud throws(GodwitError) in
                    try dedupe?(cloud)
                    return RunReport.Dedupe(store: .cloud)
                }))
    }

    func flag() throws -> CompletionFlag {
        CompletionFlag(in: FlagFile(folder["prefs.txt"], name: "prefs.txt"), name: "prefs.txt", key: "copied")
    }

    /// Compares the two stores as the proof does.
    ///
    /// - Parameter threads: how threads divide the work; nil if the calling thread does all of it.
    func prove(_ context: RunContext = .sample(), by threads: RowThreads? = nil) throws -> [CopyProof.Finding] {
        let local = try StoreSnapshot(of: localPath, name: "L.store", stage: .copy, context: context)
        let cloud = try StoreSnapshot(of: cloudPath, name: "C.store", stage: .copy, context: context)
        guard let threads else {
            return try CopyProof(manifest: manifest, context: context).compare(local.connection, with: cloud.connection)
        }
        return try CopyProof(manifest: manifest, context: context, threads: threads).compare(
            ComparedStore(local, isShared: true), with: ComparedStore(cloud, isShared: true))
    }

    // MARK: Looking

    func cloudRows(_ sql: String) throws -> [[Value]] { try Self.rows(of: cloudPath, sql) }

    func localRows(_ sql: String) throws -> [[Value]] { try Self.rows(of: localPath, sql) }

    /// One text column of the cloud store, joined by spaces.
    func cloudText(_ sql: String) throws -> String {
        try cloudRows(sql).map { $0[0].readable }.joined(separator: " ")
    }

    private static func rows(of path: String, _ sql: String) throws -> [[Value]] {
        let store = try StoreSnapshot(of: path, name: path, stage: .copy, context: .sample())
        return try store.connection.rows(sql)
    }

    /// The names in the cloud store's folder, without the log of a WAL store, which may stay.
    var cloudNames: [String] {
        folder.names(in: "cloud").filter { !$0.hasPrefix("C.store-wal") && !$0.hasPrefix("C.store-shm") }
    }

    /// Everything in the local store's folder.
    func localFingerprint() throws -> FolderFingerprint { try FolderFingerprint(folder["local"]) }
}

/// Fails once, at one point.
final class Fault: Sendable {
    private let hasFailed = Atomic(false)
    let point: FaultPoint

    init(at point: FaultPoint) { self.point = point }

    /// Whether the point was reached.
    var wasMet: Bool { hasFailed.load(ordering: .relaxed) }

    func meet(_ reached: FaultPoint) throws(GodwitError) {
        guard reached == point, !wasMet else { return }
        hasFailed.store(true, ordering: .relaxed)
        throw GodwitError(.copy, .io, "A fault at \(point.rawValue).")
    }
}
