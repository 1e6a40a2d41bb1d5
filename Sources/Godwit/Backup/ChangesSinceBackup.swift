internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitBackup
internal import GodwitCopy

/// The app's changes to the files of a backup since it was made.
struct ChangesSinceBackup {
    let stores: StoreOpener
    let backup: StoredBackup
    let stage: RollbackStage
    let destinations: [RollbackDestination]

    var scope: RunScope { stores.scope }

    init(stores: StoreOpener, backup: StoredBackup) throws(GodwitError) {
        let files = stores.scope.files
        var destinations: [RollbackDestination] = []
        for entry in backup.document.files {
            let (path, root) = try files.container.resolve(entry.name, inGroup: entry.group)
            let domain = files.preferences.first { $0.path.utf8.elementsEqual(path.utf8) }?.domain
            destinations.append(RollbackDestination(entry, path: path, root: root, domain: domain))
        }
        (self.stores, self.backup, self.destinations) = (stores, backup, destinations)
        stage = RollbackStage(backup, to: destinations, context: stores.scope.context)
    }

    /// A snapshot that lives as long as this object.
    private final class OpenStore {
        let snapshot: StoreSnapshot
        var connection: SQLiteConnection { snapshot.connection }

        init(_ snapshot: consuming StoreSnapshot) { self.snapshot = snapshot }
    }

    var storeDestinations: [RollbackDestination] { destinations.filter { $0.entry.role != .preferences } }

    /// Stamps that change when another process writes to a store.
    func stamps() throws(GodwitError) -> [StoreStamp] {
        var stamps: [StoreStamp] = []
        for store in storeDestinations where try FileStatus.of(store.path) != nil {
            stamps.append(try StoreStamp(of: store.path, stage: .rollback))
        }
        return stamps
    }

    /// Fills in newer and deleted records and changed keys.
    ///
    /// - Returns: the stores that have the newer records.
    func fill(
        _ rollback: inout RunReport.Rollback, _ warnings: inout [Warning]
    ) throws(GodwitError) -> Set<StoreRole> {
        let after = FilesAfterRun(in: backup.folder)
        let now = try after.map { _ throws(GodwitError) in try FilesAfterRun.measure(sources, scope.context) }
        if let after, now?.sha256 == after.sha256 { return [] }
        rollback.preferences = try changedKeys()
        do throws(GodwitError) {
            let compared = try compared()
            let holders = try fillRecords(&rollback, compared, after?.written)
            if let after, let now { warnings += try undatedEdits(after, now) }
            if !compared.current.isEmpty { warnings += Self.uncountedWarnings(after?.written) }
            return holders
        } catch  where error.isFinding {
            warnings.append(
                Warning(
                    "newerNotCounted",
                    "records written after the backup could not be counted: \(error.message)",
                    hint: "Keep the renamed files: they may have such records."))
            return []
        }
    }

    /// Reads the records that the run of the backup wrote and the backup lacks.
    ///
    /// Call it directly after that run.
    func readWritten() throws(GodwitError) -> [String: WrittenRecords] {
        let compared = try compared(checkingIntegrity: false)
        return try search(knowing: nil)
            .readWritten(in: compared.current.values.map(\.connection), besides: compared.known)
    }

    private var sources: [BackupSource] {
        destinations.map {
            BackupSource(
                role: $0.entry.role, path: $0.path, name: $0.entry.name, relative: $0.entry.name, group: $0.entry.group,
                domain: $0.domain)
        }
    }

    /// The stores of a comparison.
    private struct Compared {
        /// Stores that are not as in the backup.
        var current: [StoreRole: OpenStore] = [:]
        /// The backup's own of these.
        var saved: [StoreRole: OpenStore] = [:]
        /// Stores that a rollback leaves as they are.
        var others: [OpenStore] = []

        var known: [SQLiteConnection] { (saved.values + others).map(\.connection) }
    }

    private func compared(checkingIntegrity: Bool = true) throws(GodwitError) -> Compared {
        var compared = Compared()
        for store in storeDestinations where try !stage.isUnchanged(store) {
            guard let role = store.entry.role.store else { continue }
            if try FileStatus.of(store.path) != nil {
                compared.current[role] = try open(store.path, store.entry.name, checkingIntegrity)
            }
            if let path = backup.path(of: store.entry) {
                compared.saved[role] = try open(path, path, checkingIntegrity)
            }
        }
        guard !compared.current.isEmpty else { return compared }
        for role in StoreRole.allCases where compared.current[role] == nil && compared.saved[role] == nil {
            guard try scope.files[role].exists() else { continue }
            compared.others.append(OpenStore(try stores.snapshot(role, .rollback)))
        }
        return compared
    }

    private func search(knowing written: [String: WrittenRecords]?) -> RecordsSinceBackup {
        RecordsSinceBackup(
            scope.manifest.entities, since: backup.document.createdAt, written: written,
            cancellation: scope.context.cancellation)
    }

    private func fillRecords(
        _ rollback: inout RunReport.Rollback, _ compared: Compared, _ written: [String: WrittenRecords]?
    ) throws(GodwitError) -> Set<StoreRole> {
        let (current, saved, records) = (compared.current, compared.saved, search(knowing: written))
        guard !current.isEmpty else { return [] }
        rollback.newer = try records.newer(in: current.values.map(\.connection), besides: compared.known)
        let holders = try rollback.newer.isEmpty ? Set(current.keys) : holders(of: records, compared)
        // Where the copy was made since, the app has used the cloud store, which had all local records then.
        let (isSet, hasCloud) = (try scope.flag.isSet(), try scope.files.cloud.exists())
        let active: StoreRole = isSet && hasCloud ? .cloud : .local
        guard let now = current[active] else { return holders }
        let wasSet = try isFlagInBackup()
        let before = wasSet || active == .local ? [saved[active]] : [saved[.local], saved[.cloud]]
        rollback.deleted = try records.deleted(
            from: now.connection, of: before.compactMap { $0?.connection },
            setAsideIn: current.values.map(\.connection))
        return holders
    }

    /// The stores that have newer records; all that changed, if none of them has by itself.
    private func holders(of records: RecordsSinceBackup, _ compared: Compared) throws(GodwitError) -> Set<StoreRole> {
        var holders: Set<StoreRole> = []
        for (role, store) in compared.current
        where try !records.newer(in: [store.connection], besides: compared.known).isEmpty {
            holders.insert(role)
        }
        return holders.isEmpty ? Set(compared.current.keys) : holders
    }

    private func open(
        _ path: String, _ name: String, _ checkingIntegrity: Bool
    ) throws(GodwitError) -> OpenStore {
        OpenStore(
            try StoreSnapshot(
                of: path, name: name, stage: .rollback, context: scope.context, checkingIntegrity: checkingIntegrity))
    }
}

extension RunReport.Backup.Role {
    /// The store of this role; nil for preferences.
    var store: StoreRole? {
        switch self {
        case .preferences: nil
        case .cloud: .cloud
        case .local: .local
        }
    }
}
