internal import GodwitCopy
internal import GodwitLedger
internal import GodwitLegacy
internal import GodwitDedupe
internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import Synchronization

/// Opens the stores of one run, and owns all that a run learns and makes on the way: the converted Core Data store, the
/// checks that run at the same time as the command.
final class StoreOpener: Sendable {
    let scope: RunScope
    /// The stores that are checked while the command works with them; nil if they were checked before.
    let watch: BackgroundStoreCheck?
    /// The local Core Data store, converted; nil until a stage asks for it.
    private let made = Mutex<ConvertedStore?>(nil)
    /// The path of the store that a conversion makes.
    private let conversionPath = Mutex<String?>(nil)
    /// The files of the container; nil until a step asks for them.
    private let walked = Mutex<ContainerWalk.Result?>(nil)

    init(_ scope: RunScope, _ watch: BackgroundStoreCheck? = nil) {
        var scope = scope
        scope.context.watched = watch
        (self.scope, self.watch) = (scope, watch)
    }

    /// The converted local store, if a stage has asked for it.
    var conversion: ConvertedStore? { made.withLock { $0 } }

    /// The local Core Data store, converted.
    func converted(_ stage: GodwitError.Stage) throws(GodwitError) -> ConvertedStore {
        if let conversion { return conversion }
        let store = try ConvertedStore.make(scope, stage) { path in conversionPath.withLock { $0 = path } }
        made.withLock { $0 = store }
        return store
    }

    /// An error that names the local store, not the path of its conversion: that path does not exist after the process
    /// ends.
    func named(_ error: GodwitError) -> GodwitError {
        let name = "a private copy of \(scope.files.local.name)"
        return conversionPath.withLock(\.self).map { error.naming(name, insteadOf: $0) } ?? error
    }

    /// The stores, logs and property lists of the container and its group containers, as they were when a step first
    /// asked; also in a dry run those of the original.
    func walk() throws(GodwitError) -> ContainerWalk.Result {
        if let result = walked.withLock({ $0 }) { return result }
        var walk = ContainerWalk(cancellation: scope.context.cancellation)
        for place in scope.files.container.places { try walk.walk(place) }
        let result = walk.result
        walked.withLock { $0 = result }
        return result
    }

    // MARK: Opening

    /// A store opened safely for reading; the survey has checked its integrity already.
    func snapshot(
        _ role: StoreRole, _ stage: GodwitError.Stage, checkingIntegrity: Bool = false
    ) throws(GodwitError) -> StoreSnapshot {
        guard role == .local, scope.isCoreData else {
            return try scope.original(role, stage, checkingIntegrity: checkingIntegrity)
        }
        let warnings =
            checkingIntegrity ? try scope.original(.local, stage, checkingIntegrity: true).warnings : []
        let made = try converted(stage)
        do throws(GodwitError) {
            return try StoreSnapshot(
                of: made.path, name: scope.files.local.name, stage: stage, context: scope.context,
                checkingIntegrity: false,
                standingFor: (modified: made.modified, warnings: warnings + made.warnings))
        } catch {
            throw named(error)
        }
    }

    /// The local store, opened for reading.
    ///
    /// An error about a damaged one says what helps if the app uses the cloud store.
    func openLocal(checkingIntegrity: Bool) throws(GodwitError) -> StoreSnapshot {
        do throws(GodwitError) {
            let local = try scope.original(.local, .container, checkingIntegrity: checkingIntegrity)
            if !scope.isCoreData { try local.connection.requireOwnBooks() }
            try local.requireTablesOrLog()
            return local
        } catch {
            guard error.code == .data, try scope.flag.isSet(), try scope.files.cloud.exists() else { throw error }
            var error = error
            error.hint = "Restore it from a backup, or rename it: the app uses `\(scope.files.cloud.name)`."
            throw error
        }
    }

    /// A clone of a store in a private folder; for a Core Data store, a clone of the converted one.
    func clone(_ role: StoreRole, in folder: String, _ stage: GodwitError.Stage) throws(GodwitError) -> String {
        let isConverted = role == .local && scope.isCoreData
        do throws(GodwitError) {
            return try StoreClone.make(
                of: isConverted ? converted(stage).path : scope.files[role].path, name: scope.files[role].name,
                in: folder, stage: stage, context: scope.context)
        } catch {
            throw named(error)
        }
    }

    /// The state of the local store when it was read: differs after another process has committed to it.
    func sourceStamp(_ stage: GodwitError.Stage) throws(GodwitError) -> StoreStamp {
        scope.isCoreData
            ? try converted(stage).stamp
            : try StoreStamp(of: scope.files.local.path, stage: stage, isSettled: true)
    }

    // MARK: Facts about stores

    /// Whether dedupe has anything to do in a store; asked once for each state of its files.
    func hasDuplicates(_ store: borrowing StoreSnapshot) throws(GodwitError) -> Bool {
        let known = scope.context.known
        if known.isKnown(.deduped, of: store.state) { return false }
        guard try !scope.dedupe.hasWork(store.connection) else { return true }
        known.note(.deduped, of: store.state)
        return false
    }

    /// Keys of the records of a converted store, by entity; empty if there is no local store.
    func readConvertedKeys(_ entities: [Entity]) throws(GodwitError) -> [String: Set<Value>] {
        guard try scope.files.local.exists() else { return [:] }
        let store = try snapshot(.local, .legacy).connection
        return try store.readKeys(of: entities, in: store.readShape())
    }
}

extension RunScope {
    /// The file of a store of either layout, opened safely for reading.
    func original(
        _ role: StoreRole, _ stage: GodwitError.Stage, checkingIntegrity: Bool = false
    ) throws(GodwitError) -> StoreSnapshot {
        try StoreSnapshot(
            of: files[role].path, name: files[role].name, stage: stage, context: context,
            checkingIntegrity: checkingIntegrity)
    }
}
