internal import GodwitFiles
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitDedupe
internal import Logging

/// All that one command works with: manifest, schema, the container's files, the world, the stages joined to each other.
///
/// It holds no state of the run.
struct Session: Sendable {
    var manifest: Manifest
    let schemaFiles: SchemaFiles
    let files: ContainerFiles
    /// The folders this run has locked; none for commands that only look.
    let place: LockedFolders
    let options: PipelineOptions
    var context: RunContext
    let identifier: String
    /// What the run is held to; nil where it follows no saved plan.
    var plan: PlanGuard?
    let logger = Logger(label: "godwit")
    /// The stores that are checked while the command works with them; nil where they were checked before.
    var watch: BackgroundStoreCheck? { didSet { context.watched = watch } }
    /// What stands for a local Core Data store.
    let conversion = LocalConversion()

    /// Whether the local store may be written: a Core Data store is read only.
    var isLocalWritable: Bool { manifest.container.localLayout == .sqlite }

    // MARK: The stages, joined

    var schema: SchemaStage { SchemaStage(files: schemaFiles, context: context, baseline: options.baseline) }

    var dedupe: DedupeStage { DedupeStage(manifest: manifest, context: context, runIdentifier: identifier) }

    var undo: UndoStage { UndoStage(manifest: manifest, context: context, runIdentifier: identifier) }

    /// The copy of a prepared local store: of what came into the manifest after the copy was made, or of everything for nil.
    func copy(_ supplement: CopyStage.Supplement? = nil, of source: borrowing CopySource) -> CopyStage {
        let (schema, dedupe) = (schema, dedupe)
        let name = files.cloud.name
        return CopyStage(
            manifest: manifest, context: context, runIdentifier: identifier, root: files.container.root,
            allowsOrphans: options.allowsOrphans, supplement: supplement, digest: digest(of: source),
            stages: .init(
                bringSchemaUpToDate: { connection, created throws(GodwitError) in
                    try schema.bringUpToDate(within: connection, role: .cloud, file: name, created: created)
                },
                dedupe: { connection throws(GodwitError) in
                    guard try dedupe.hasWork(connection) else { return DedupeReport(store: .cloud) }
                    return try dedupe.dedupe(within: connection, role: .cloud)
                }))
    }

    var proof: CopyProof { CopyProof(manifest: manifest, context: context) }

    /// A local store as it is compared with the cloud store: its references name parents as those of the cloud store do.
    func translated(_ local: ComparedStore, to cloud: SQLiteConnection) throws(GodwitError) -> ComparedStore {
        let translation = ReferenceTranslation(manifest: manifest, context: context)
        guard let made = try translation.translated(local.connection, within: local.whole, to: cloud) else {
            return local
        }
        local.withdrawSums()
        return ComparedStore(made)
    }

    /// The legacy stage over files that have been read.
    ///
    /// - Parameter isBeforeCopy: whether the records of a local store that is never written are still to be copied.
    func legacy(_ inputs: [LegacyPlanner.Input], isBeforeCopy: Bool = false) -> LegacyStage {
        let planner = LegacyPlanner(manifest: manifest, now: context.now, showsValues: options.showsValues)
        return LegacyStage(
            manifest: manifest, context: context, runIdentifier: identifier, allowsEmpty: options.allowsEmpty,
            keysElsewhere: isBeforeCopy && isCoreData ? keysOfConverted : nil,
            decide: { targets in planner.plan(inputs, targets: targets) })
    }

    /// Keys of the local records that are to be copied.
    private func keysOfConverted(_ entities: [Entity]) throws(GodwitError) -> [String: Set<Value>] {
        guard try files.local.exists() else { return [:] }
        let store = try snapshot(.local, .legacy).connection
        return try store.readKeys(of: entities, in: store.readShape())
    }

    /// The completion flag in the first preferences.
    var flag: CompletionFlag {
        CompletionFlag(
            in: files.preferences[0].flagStore(root: files.container.root), name: files.preferences[0].name,
            key: manifest.copy.flag)
    }

    // MARK: Reading

    /// The preference files, read; missing ones are nil, damaged ones an error (65).
    ///
    /// - Parameter isAhead: whether they are read to be imported, not looked at once more when all is done.
    func readLegacy(isAhead: Bool = false) throws(GodwitError) -> [LegacyPlanner.Input] {
        var inputs: [LegacyPlanner.Input] = []
        for entry in files.preferences {
            let file = try entry.readPreferences(now: context.now)
            // What an app saves later is met by the flag, which is set in whatever the file is then.
            if isAhead { try plan?.requireSame(entry.name, sha256: file?.sha256) }
            inputs.append(.init(name: entry.name, file: file))
        }
        return inputs
    }

    /// Whether dedupe has anything to do in a store; asked once, while nobody writes to it.
    func hasDuplicates(_ store: borrowing StoreSnapshot) throws(GodwitError) -> Bool {
        if context.known.isKnown(.deduped, of: store.state) { return false }
        guard try !dedupe.hasWork(store.connection, in: store.state) else { return true }
        context.known.note(.deduped, of: store.state)
        return false
    }

    /// A store opened safely for reading; the survey has checked its integrity already.
    func snapshot(
        _ role: StoreRole, _ stage: Stage, checkingIntegrity: Bool = false
    ) throws(GodwitError) -> StoreSnapshot {
        guard role == .local, isCoreData else {
            return try StoreSnapshot(
                of: files[role].path, name: files[role].name, stage: stage, context: context,
                checkingIntegrity: checkingIntegrity)
        }
        var warnings: [Warning] = []
        if checkingIntegrity { warnings = try original(stage, checkingIntegrity: true).warnings }
        let made = try converted(stage)
        do throws(GodwitError) {
            return try StoreSnapshot(
                of: made.path, name: files.local.name, stage: stage, context: context, checkingIntegrity: false,
                standingFor: (modified: made.modified, warnings: warnings + made.warnings))
        } catch {
            throw conversion.named(error, after: files.local.name)
        }
    }
}
