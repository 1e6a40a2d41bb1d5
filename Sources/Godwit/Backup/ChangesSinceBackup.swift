internal import GodwitFiles
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
internal import GodwitBackup
internal import GodwitCopy

/// What the app did to the files of a backup since it was made.
struct ChangesSinceBackup {
    let stores: StoreOpener
    let backup: StoredBackup
    let destinations: [RollbackDestination]

    private var scope: RunScope { stores.scope }

    /// A snapshot that lives as long as this object.
    private final class OpenStore {
        let snapshot: StoreSnapshot
        var connection: SQLiteConnection { snapshot.connection }

        init(_ snapshot: consuming StoreSnapshot) { self.snapshot = snapshot }
    }

    private var storeDestinations: [RollbackDestination] { destinations.filter { $0.entry.role != .preferences } }

    /// What changes when another process writes to a store.
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
        _ rollback: inout RunReport.Rollback, _ stage: RollbackStage, _ warnings: inout [Warning]
    ) throws(GodwitError) -> Set<StoreRole> {
        let after = FilesAfterRun(in: backup.folder)
        let now = try after.map { _ throws(GodwitError) in try FilesAfterRun.measure(sources, scope.context) }
        if let after, now == after { return [] }
        rollback.preferences = try changedKeys()
        do throws(GodwitError) {
            let holders = try fillRecords(&rollback, stage)
            if let after, let now { warnings += try undatedEdits(after, now, stage) }
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

    /// That a store is not as the run left it: an edit that leaves the date of its record as it was is not counted.
    private func undatedEdits(
        _ after: FilesAfterRun, _ now: FilesAfterRun, _ stage: RollbackStage
    ) throws(GodwitError) -> [Warning] {
        var warnings: [Warning] = []
        for store in storeDestinations where !now.hasSame(store.entry.name, as: after) {
            guard try FileStatus.of(store.path) != nil, try !stage.isUnchanged(store) else { continue }
            warnings.append(
                Warning(
                    "newerNotCounted",
                    "`\(store.entry.name)` changed after the run; records that were edited without a later date could not "
                        + "be counted",
                    hint: "Keep the renamed file: it may have such records."))
        }
        return warnings
    }

    private var sources: [BackupSource] {
        destinations.map {
            BackupSource(
                role: $0.entry.role, path: $0.path, name: $0.entry.name, relative: $0.entry.name, group: $0.entry.group,
                domain: $0.domain)
        }
    }

    private func fillRecords(
        _ rollback: inout RunReport.Rollback, _ stage: RollbackStage
    ) throws(GodwitError) -> Set<StoreRole> {
        let records = RecordsSinceBackup(
            scope.manifest.entities, since: backup.document.createdAt, cancellation: scope.context.cancellation)
        var (current, saved): ([StoreRole: OpenStore], [StoreRole: OpenStore]) = ([:], [:])
        for store in storeDestinations where try !stage.isUnchanged(store) {
            guard let role = store.entry.role.store else { continue }
            if try FileStatus.of(store.path) != nil { current[role] = try open(store.path, store.entry.name) }
            if let path = backup.path(of: store.entry) { saved[role] = try open(path, path) }
        }
        guard !current.isEmpty else { return [] }
        var others: [OpenStore] = []
        for role in StoreRole.allCases where current[role] == nil && saved[role] == nil {
            if try scope.files[role].exists() { others.append(OpenStore(try stores.snapshot(role, .rollback))) }
        }
        let known = (saved.values + others).map(\.connection)
        rollback.newer = try records.newer(in: current.values.map(\.connection), besides: known)
        var holders = Set(current.keys)
        if holders.count > 1, !rollback.newer.isEmpty {
            for (role, store) in current where try records.newer(in: [store.connection], besides: known).isEmpty {
                holders.remove(role)
            }
        }
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

    private func open(_ path: String, _ name: String) throws(GodwitError) -> OpenStore {
        OpenStore(try StoreSnapshot(of: path, name: name, stage: .rollback, context: scope.context))
    }

    private func isFlagInBackup() throws(GodwitError) -> Bool {
        let entry = backup.document.files.first { $0.role == .preferences }
        guard let entry else { return try scope.flag.isSet() }
        guard let path = backup.path(of: entry) else { return false }
        return try FlagFile(path, name: path).readFlag(scope.manifest.copy.flag) ?? false
    }

    /// Keys of the preferences, the flag aside, whose values are not those of the backup; nil for none.
    private func changedKeys() throws(GodwitError) -> [String]? {
        guard let destination = destinations.first(where: { $0.entry.role == .preferences }),
            let path = backup.path(of: destination.entry),
            let now = destination.domain.map({ try? $0.read() }) ?? preferences(destination.path),
            let before = preferences(path)
        else { return nil }
        let keys = LegacyDocument.keysThatDiffer(now, before).filter { key in
            !key.utf8.elementsEqual(scope.manifest.copy.flag.utf8)
        }
        return keys.isEmpty ? nil : keys
    }

    /// A preferences file; nil if it can't be read.
    private func preferences(_ path: String) -> LegacyDocument? {
        guard let bytes = try? readBytes(path, limit: CompletionFlag.limit, stage: .rollback) else { return nil }
        return try? LegacyDocument(unordered: bytes)
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
