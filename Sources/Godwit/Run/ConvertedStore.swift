package import GodwitCoreData
internal import GodwitFiles
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
internal import GodwitSchema

/// A Core Data store as the stages read it: converted once in a run into a private store with the manifest's tables.
///
/// Invariant: the stamp was taken before anything was read. If the original's stamp is the same later, the conversion has
/// seen every commit.
struct ConvertedStore: Sendable {
    /// The path of the private store.
    let path: String
    /// The original as it was before it was read.
    let stamp: StoreStamp
    /// When the original was last changed.
    let modified: Instant
    /// Warnings about the original's files, and of the conversion.
    let warnings: [Warning]
    /// Data of the original that no rule reads.
    let leftBehind: [RunReport.LeftBehind]
    // Kept so that the private store exists as long as any reader of it.
    private let scratch: ScratchDirectory

    /// Converts the local store.
    ///
    /// - Parameter willMake: called with the path of the private store before it is made.
    static func make(
        _ scope: RunScope, _ stage: GodwitError.Stage, willMake: (String) -> Void
    ) throws(GodwitError) -> ConvertedStore {
        var attempt = 0
        while true {
            let (store, isTorn) = try convert(scope, stage, willMake)
            // A commit may have removed a file next to the store in between: then both are read again.
            guard isTorn, attempt * 50 < scope.context.lockTimeoutMilliseconds, attempt < 100 else { return store }
            attempt += 1
            try scope.context.cancellation.check(stage)
        }
    }

    /// Converts once; torn if files next to the store were missing and another process committed during the conversion.
    private static func convert(
        _ scope: RunScope, _ stage: GodwitError.Stage, _ willMake: (String) -> Void
    ) throws(GodwitError) -> (store: ConvertedStore, isTorn: Bool) {
        let (files, manifest, context) = (scope.files, scope.manifest, scope.context)
        let stamp = try StoreStamp(of: files.local.path, stage: stage, isSettled: true)
        let original = try scope.original(.local, stage)
        let source = original.connection
        guard let model = try source.readCoreDataModel(archives: .standard) else {
            throw manifest.refusal(
                of: "container.local.layout", "`\(files.local.name)` is not a Core Data store: it has no Z_PRIMARYKEY",
                hint: "Remove `layout: coreData` if the app makes its own tables.")
        }
        let shapeOfSource = try source.readShape()
        let resolver = CoreDataResolver(manifest: manifest, model: model, shape: shapeOfSource)
        let queries = try resolver.queries()
        let directory = try ScratchDirectory(identifier: context.makeIdentifier())
        let path = directory.path + "/" + OwnFiles.temporaryPrefix + "coredata"
        willMake(path)
        let writer = try StoreWriter(creatingTemporary: path, name: files.local.name, stage: stage, context: context)
        // Nothing of it outlives this process.
        try writer.read(stage) { store throws(GodwitError) in try store.execute("PRAGMA synchronous=OFF") }
        let (shape, schema, entities) = (scope.schemaFiles.shape, scope.schema, manifest.entities)
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
    private static func foreignTables(
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
}

extension CoreDataArchives {
    /// Property lists inside a store, read by the bounded reader of legacy files.
    package static let standard = CoreDataArchives(
        read: { bytes in
            let limits = LegacyLimits(bytes: 32 << 20, nodes: 500_000, depth: 64, content: 64 << 20)
            return try? LegacyDocument(bytes, limits: limits).root
        }, text: { KeyedArchiveText.json($0) })
}
