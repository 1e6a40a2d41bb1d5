internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy

/// The store that an export reads: the active store, unchanged.
///
/// Invariant: the export has the records of the store. A store with pending schema files is exported at its present
/// version, without the entities that it lacks: an export before the first run is a backup, and a pending schema file
/// may delete. Only if its tables lack the manifest's keys, a private clone is updated and exported instead, and the
/// document says so.
struct ExportSource: ~Copyable {
    let role: StoreRole
    let snapshot: StoreSnapshot
    /// The manifest with the entities that are in the snapshot.
    let manifest: Manifest
    /// When the store itself was last changed.
    let savedAt: Instant
    let logGap: LogGap?
    /// The schema version of the snapshot, also without a history; nil if it fits none.
    let schemaVersion: Int?
    /// The schema version of the store itself, if the snapshot is a clone with more schema files.
    let storeVersion: Int?
    let warnings: [Warning]
    private let scratch: ScratchDirectory?

    init(_ stores: StoreOpener, _ role: StoreRole) throws(GodwitError) {
        let entry = stores.scope.files[role]
        let original = try stores.snapshot(role, .export)
        let plan = try stores.scope.schema.readablePlan(original.connection)
        let (saved, warned) = (original.modified, original.warnings)
        let isAtEnd = plan?.pending.isEmpty ?? true
        let outlook = try Outlook(role, isFlagSet: stores.scope.flag.state().isSet)
        if let present = isAtEnd
            ? stores.scope.manifest.entities : try stores.scope.manifest.readable(in: original, plan)
        {
            (self.role, savedAt, schemaVersion) = (role, saved, plan.flatMap { $0.from > 0 ? $0.from : nil })
            (logGap, storeVersion, scratch) = (warned.firstLogGap, nil, nil)
            manifest = stores.scope.manifest.selecting(present)
            let pending = plan.map { Warning.pending($0, entry.name, besides: present, stores.scope.manifest, outlook) }
            warnings = warned + (isAtEnd ? [] : [pending].compactMap(\.self))
            snapshot = original
            return
        }
        let directory = try ScratchDirectory(identifier: stores.scope.context.makeIdentifier())
        let clone = try stores.clone(role, in: directory.path, .export)
        let writer = try StoreWriter(
            existing: clone, name: entry.name, stage: .export, context: stores.scope.context.unwatched)
        try writer.transaction(.export) { connection throws(GodwitError) in try connection.rebuildIndexes() }
        let report = try stores.scope.schema.bringUpToDate(writer, role: role, file: entry.name, created: false)
        try writer.close(.export)
        let opened = try StoreSnapshot(of: clone, name: entry.name, stage: .export, context: stores.scope.context)
        (self.role, savedAt, manifest) = (role, saved, stores.scope.manifest)
        (logGap, scratch) = (warned.firstLogGap, directory)
        (schemaVersion, storeVersion) = (report.toVersion, report.fromVersion)
        warnings = warned + [.exportedFromCopy(report, entry.name, outlook)]
        snapshot = opened
    }
}

extension ExportSource {
    /// The manifest with only the entities of this store.
    ///
    /// - Parameter isChosen: whether they were selected by name; then a missing entity is an error (65).
    borrowing func manifest(of wanted: Manifest, isChosen: Bool) throws(GodwitError) -> Manifest {
        let there = wanted.entities.filter { manifest.entity(named: $0.name) != nil }
        if isChosen, let missing = wanted.entities.first(where: { manifest.entity(named: $0.name) == nil }) {
            throw GodwitError(
                .export, .data,
                "no '\(missing.name)' in the store yet: it is at schema version \(schemaVersion ?? 0)",
                hint: "Run \(name: .run) to apply the pending schema files.")
        }
        return wanted.selecting(there)
    }
}

extension Manifest {
    /// The entities whose tables exist in a store with pending schema files; nil if it has no tables, or if one lacks
    /// the columns of the manifest.
    fileprivate func readable(
        in snapshot: borrowing StoreSnapshot, _ plan: SchemaPlan?
    ) throws(GodwitError) -> [Entity]? {
        guard plan?.from ?? 0 > 0 else { return nil }
        let store = snapshot.connection
        let shape = try store.readShape()
        let present = entities.filter { shape.table(named: $0.name) != nil }
        return present.allSatisfy { (try? store.table(for: $0, in: shape)) != nil } ? present : nil
    }
}

/// Whether a run applies schema files to a store: after the copy only to the cloud store.
private enum Outlook {
    case updated
    case leftAsItIs

    init(_ role: StoreRole, isFlagSet: Bool) { self = role == .local && isFlagSet ? .leftAsItIs : .updated }

    var hint: String? { self == .updated ? "Run \(name: .run) to apply the pending schema files." : nil }
    var remark: String {
        self == .updated ? "" : " (schema files are no longer applied to it: the app uses the cloud store)"
    }
}

extension Warning {
    fileprivate static func pending(
        _ plan: SchemaPlan, _ name: String, besides present: [Entity], _ manifest: Manifest, _ outlook: Outlook
    ) -> Warning {
        let there = present.map(\.name)
        let lacking = manifest.entities.map(\.name).filter { !there.contains($0) }
        let rest = lacking.isEmpty ? "" : " (no \(lacking.joined(separator: ", ")) yet)"
        return Warning(
            "schemaPending",
            "`\(name)` is at schema version \(plan.from), and was exported as it is\(rest)\(outlook.remark)",
            hint: outlook.hint)
    }

    fileprivate static func exportedFromCopy(_ done: RunReport.Schema, _ name: String, _ outlook: Outlook) -> Warning {
        Warning(
            "schemaPending",
            "`\(name)` is at schema version \(done.fromVersion), which lacks parts of the manifest; Godwit "
                + "exported a private copy at schema version \(done.toVersion), with all changes of the schema "
                + "files\(outlook.remark)",
            hint: "Keep a copy of the store itself." + (outlook.hint.map { " " + $0 } ?? ""))
    }
}

extension SchemaStage {
    /// The plan; nil if the store fits no version, which is not for a reading command to refuse.
    func readablePlan(_ connection: SQLiteConnection) throws(GodwitError) -> SchemaPlan? {
        do throws(GodwitError) {
            return try plan(connection)
        } catch {
            guard error.code == .data else { throw error }
            return nil
        }
    }
}
