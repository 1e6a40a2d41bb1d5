package import GodwitCoreData
internal import GodwitFiles
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
internal import GodwitSchema
internal import Synchronization

/// A Core Data store as the stages read it: converted, once in a session, into a private store with the manifest's tables.
///
/// Invariant: the stamp was taken before anything was read. Who holds the original against it later on learns of every
/// commit that the conversion may not have seen.
struct ConvertedStore: Sendable {
    /// Where the private store lies.
    let path: String
    /// The original as it was before it was read.
    let stamp: StoreStamp
    /// When the original was last changed.
    let modified: Instant
    /// What the original's files say, and what the conversion met.
    let warnings: [Warning]
    /// What of the original no rule reads.
    let leftBehind: [LeftBehind]
    // Kept so that the private store lives as long as anybody may read it.
    fileprivate let scratch: ScratchDirectory
}

/// The conversion of a session: made when it is first asked for.
final class LocalConversion: Sendable {
    private let made = Mutex<ConvertedStore?>(nil)
    private let path = Mutex<String?>(nil)

    /// The conversion, made by a closure if it is not there yet.
    func store(_ make: () throws(GodwitError) -> ConvertedStore) throws(GodwitError) -> ConvertedStore {
        if let store = made.withLock({ $0 }) { return store }
        let store = try make()
        made.withLock { $0 = store }
        return store
    }

    /// Notes where the private store is to be made.
    fileprivate func note(_ path: String) { self.path.withLock { $0 = path } }

    /// An error in words that speak of the store, not of the private one: its path is gone with this process.
    func named(_ error: GodwitError, after store: String) -> GodwitError {
        path.withLock(\.self).map { error.naming("a private copy of \(store)", insteadOf: $0) } ?? error
    }

    /// What was made so far.
    var current: ConvertedStore? { made.withLock { $0 } }
}

extension CoreDataArchives {
    /// Property lists inside a store, read by the bounded reader of legacy files.
    package static let standard = CoreDataArchives(
        read: { bytes in
            let limits = LegacyLimits(bytes: 32 << 20, nodes: 500_000, depth: 64, content: 64 << 20)
            return try? LegacyDocument(bytes, limits: limits).root
        }, text: { KeyedArchiveText.json($0) })
}

extension Session {
    /// Whether the local store is one of Core Data's.
    var isCoreData: Bool { manifest.container.localLayout == .coreData }

    /// The local Core Data store, converted.
    func converted(_ stage: Stage) throws(GodwitError) -> ConvertedStore {
        try conversion.store { () throws(GodwitError) in
            var attempt = 0
            while true {
                let (store, isTorn) = try convert(stage)
                // A file beside the store may have gone with a commit in between: then both are read anew.
                guard isTorn, attempt * 50 < context.lockTimeoutMilliseconds, attempt < 100 else { return store }
                attempt += 1
                try context.cancellation.check(stage)
            }
        }
    }

    /// Converts once; torn where files beside the store were missed and somebody committed meanwhile.
    private func convert(_ stage: Stage) throws(GodwitError) -> (store: ConvertedStore, isTorn: Bool) {
        let stamp = try StoreStamp(of: files.local.path, stage: stage, isSettled: true)
        let original = try StoreSnapshot(
            of: files.local.path, name: files.local.name, stage: stage, context: context, checkingIntegrity: false)
        let source = original.connection
        guard let model = try source.readCoreDataModel(archives: .standard) else {
            throw manifest.refusal(
                of: "container.local.layout", "\(files.local.name) is no store of Core Data's: it has no Z_PRIMARYKEY.",
                hint: "Leave out `layout: coreData` if the app makes its own tables.")
        }
        let shapeOfSource = try source.readShape()
        let resolver = CoreDataResolver(manifest: manifest, model: model, shape: shapeOfSource)
        let queries = try resolver.queries()
        let directory = try ScratchDirectory(identifier: context.makeIdentifier())
        let path = directory.path + "/" + OwnFiles.temporaryPrefix + "coredata"
        conversion.note(path)
        let writer = try StoreWriter(creatingTemporary: path, name: files.local.name, stage: stage, context: context)
        // Nothing of it outlives this process.
        try writer.read(stage) { store throws(GodwitError) in try store.execute("PRAGMA synchronous=OFF") }
        let (shape, schema, entities) = (schemaFiles.shape, schema, manifest.entities)
        let external = ExternalData(besideStore: PathText.real(files.local.path) ?? files.local.path)
        let done = try writer.transaction(stage) { target throws(GodwitError) in
            var conversion = CoreDataConversion(
                from: source, into: target, external: external, archives: .standard, context: context)
            try conversion.makeTables(for: entities, in: shape)
            for query in queries { try conversion.convert(query) }
            try schema.recordAsMade(within: target)
            return (warnings: conversion.warnings, hasDangling: conversion.hasDangling)
        }
        try writer.close(stage)
        let coverage = CoreDataCoverage(
            model, manifest, queries: queries, store: files.local.name,
            unread: try source.readUnreadProperties(of: model, in: shapeOfSource, besides: queries),
            foreign: try foreignTables(of: model, source))
        let isTorn = done.hasDangling ? try StoreStamp(of: files.local.path, stage: stage) != stamp : false
        let store = ConvertedStore(
            path: path, stamp: stamp, modified: original.modified,
            warnings: done.warnings + coverage.warnings, leftBehind: coverage.leftBehind,
            scratch: directory)
        return (store, isTorn)
    }

    /// The tables with records that Core Data did not make, or does not know any more.
    private func foreignTables(
        of model: CoreDataModel, _ source: SQLiteConnection
    ) throws(GodwitError) -> [(name: String, count: Int64)] {
        let shadows = try ShadowTables(of: source)
        var found: [(name: String, count: Int64)] = []
        for name in model.otherTables.foreign where !shadows.contains(name) {
            let count = try source.countRecords(of: name)
            if count > 0 { found.append((name, count)) }
        }
        for table in try source.readVirtualTables(source.readShape()) {
            if case .records(let count) = table.holding, count > 0 { found.append((table.name, count)) }
        }
        return found
    }

    /// The original local store, whatever its layout; of the survey and of proofs of its integrity.
    func original(_ stage: Stage, checkingIntegrity: Bool) throws(GodwitError) -> StoreSnapshot {
        try StoreSnapshot(
            of: files.local.path, name: files.local.name, stage: stage, context: context,
            checkingIntegrity: checkingIntegrity)
    }

    /// The file that holds the manifest's tables: a store itself, or the private store that stands for it.
    func readablePath(_ role: StoreRole, _ stage: Stage) throws(GodwitError) -> String {
        role == .local && isCoreData ? try converted(stage).path : files[role].path
    }

    /// A clone of that file in a private folder.
    func clone(_ role: StoreRole, in folder: String, _ stage: Stage) throws(GodwitError) -> String {
        do throws(GodwitError) {
            return try StoreClone.make(
                of: readablePath(role, stage), name: files[role].name, in: folder, stage: stage, context: context)
        } catch {
            throw conversion.named(error, after: files.local.name)
        }
    }

    /// What tells whether anybody has committed to the local store since it was read.
    func sourceStamp(_ stage: Stage) throws(GodwitError) -> StoreStamp {
        isCoreData ? try converted(stage).stamp : try StoreStamp(of: files.local.path, stage: stage, isSettled: true)
    }
}
