internal import GodwitCoreData
internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitExport
internal import GodwitSync

/// Reads the state of the sync for exports and `status`; GodwitSync has the rules.
struct SyncReading: RunStep {
    let stores: StoreOpener

    /// The sync events of the app; empty if the file does not exist.
    func readSyncLog() throws(GodwitError) -> SyncLog {
        var log = SyncLog()
        guard let events = files.syncEvents, try events.exists() else { return log }
        guard try FileStatus.of(events.path)?.isRegularFile == true else {
            throw GodwitError(
                .status, .noInput, "`\(events.name)` is not a regular file",
                hint: "Name the app's events file, with one event a line.")
        }
        do throws(GodwitError) {
            (log.state, log.surroundings, log.warnings) = try SyncEventReader().state(
                in: readBytes(events.path, limit: SyncLog.limit, stage: .status))
        } catch {
            // By its name in the container, as a plan says it, which looks at a copy elsewhere.
            throw error.naming(events.path, as: events.name)
        }
        return log
    }

    /// The state from the sync events of the events file and of the mirroring of the active store.
    func readSync(
        _ survey: ContainerSurvey, _ mirror: CoreDataMirror?
    ) throws(GodwitError) -> (state: SyncState, warnings: [Warning]) {
        let log = try survey.syncLog.get()
        var (state, warnings) = (log.state, log.warnings)
        guard let mirror else { return (state, warnings) }
        for event in mirror.events {
            if let event = SyncEvent(mirrored: event) { state.apply(event) }
        }
        if let warning = mirror.warning { warnings.append(warning) }
        return (state, warnings)
    }

    /// The state of CloudKit's mirroring in the active store; nil if it is not mirrored.
    func readMirror(_ survey: ContainerSurvey) throws(GodwitError) -> CoreDataMirror? {
        guard let role = survey.activeStore, try files[role].exists() else { return nil }
        let store = try role == .local ? scope.original(.local, .status) : stores.snapshot(role, .status)
        return try store.connection.readMirror()
    }

    /// The pending uploads of the mirroring, by the entity of the manifest that has the Core Data entity as its source.
    private func mirrored(_ mirror: CoreDataMirror?) -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for (name, pending) in mirror?.pending ?? [:] {
            let entity = manifest.entities.first { entity in
                guard case .entity(let origin, _)? = entity.source?.origin else { return false }
                return origin == name
            }
            counts[entity?.name ?? name, default: 0] += pending.uploads + pending.deletes
        }
        return counts
    }

    /// Local records that the cloud store lacks or has in an older form, by entity; entities without any are left out.
    ///
    /// Copied records that users deleted or edited in the cloud store since are not pending.
    ///
    /// Where the stores can't be compared, because one fits no version of the schema or has records without keys, there
    /// are no counts, and a warning says so.
    ///
    /// - Parameter mirror: what the mirroring of the active store has not sent yet, which counts besides.
    func pendingChanges(
        _ survey: ContainerSurvey, _ mirror: CoreDataMirror?
    ) throws(GodwitError) -> (counts: [String: Int64]?, warnings: [Warning]) {
        let unsent = mirrored(mirror).filter { $0.value > 0 }
        if let fault = survey.cloudFault {
            let warning = Warning(
                "pendingUnknown", "the number of changes that wait for the cloud is not known: \(fault.message)",
                hint: fault.hint)
            return (nil, [warning])
        }
        // The warning about the local store says why.
        if survey.localFault != nil { return (nil, []) }
        guard survey.hasLocal else { return (unsent, []) }
        do throws(GodwitError) {
            let compared = try comparedChanges(survey).filter { $0.value > 0 }
            return (compared.merging(unsent) { $0 + $1 }, [])
        } catch {
            guard error.code == .data else { throw error }
            let warning = Warning(
                "pendingUnknown", "the number of changes that wait for the cloud is not known: \(error.message)",
                hint: error.hint)
            return (nil, [warning])
        }
    }

    private func comparedChanges(_ survey: ContainerSurvey) throws(GodwitError) -> [String: Int64] {
        guard survey.hasCloud else { return try countLocal() }
        let source = try CopySource(stores, stage: .status)
        let cloud = try stores.snapshot(.cloud, .status)
        var pending: [String: Int64] = [:]
        let local = try scope.translated(ComparedStore(source.snapshot), to: cloud.connection)
        for found in try VerifyStep(stores).compare(local, with: ComparedStore(cloud), survey, isLater: true) {
            pending[found.finding.entity] = found.pending
        }
        return pending
    }

    /// Local records as a copy would find them, one for each key.
    func countLocal() throws(GodwitError) -> [String: Int64] {
        func count(_ store: SQLiteConnection) throws(GodwitError) -> [String: Int64] {
            var counts: [String: Int64] = [:]
            for entity in manifest.entities { counts[entity.name] = try store.countRecords(of: entity.name) }
            return counts
        }
        let local = try stores.snapshot(.local, .status)
        // Where nothing but the store's history is missing, its records are those that a private clone would have.
        if try schema.plan(local.connection).pending.isEmpty, try !stores.hasDuplicates(local) {
            return try count(local.connection)
        }
        return try count(CopySource(stores, stage: .status).snapshot.connection)
    }

    func assessFreshness(
        _ scan: ExportScan, sync: SyncState, survey: ContainerSurvey, role: StoreRole, savedAt: Instant,
        pending: Int64?,
        logGap: LogGap?
    ) -> Freshness {
        var inputs = FreshnessInputs(
            now: context.now, newestRecordAt: scan.newestRecordAt, recordCount: scan.recordCount,
            activeStore: role, copy: survey.copyState,
            sync: sync.overview(account: survey.account, network: survey.network),
            lastLocalSaveAt: savedAt, lastSyncAt: sync.lastSyncAt, warnAfter: manifest.export.warnAfter,
            errorAfter: manifest.export.errorAfter, pendingChanges: pending, logGap: logGap,
            isSettling: sync.isSettling(asOf: context.now),
            isolation: survey.preference == .off ? .syncOff : role == survey.activeStore ? nil : .notActive,
            hasClockSkew: scan.hasClockSkew)
        inputs.reopenedCopyAt = survey.reopenedCopyAt
        return FreshnessAssessor.assess(inputs)
    }
}

/// The content of the app's events file.
struct SyncLog: Sendable {
    var state = SyncState()
    var surroundings = SyncConditions()
    var warnings: [Warning] = []

    /// The longest file that is read: 64 MiB.
    static let limit = 64 << 20
}

extension SyncEvent {
    /// An event of the mirroring's own table; nil for a kind that is not known.
    fileprivate init?(mirrored event: CoreDataMirror.Event) {
        let phases: [Int64: SyncPhase] = [0: .setup, 1: .import, 2: .export]
        guard let phase = phases[event.type] else { return nil }
        let error = event.errorDomain.map { SyncError(domain: $0, code: Int(clamping: event.errorCode)) }
        self.init(
            phase, startedAt: event.startedAt, endedAt: event.endedAt, succeeded: event.succeeded,
            error: event.succeeded ? nil : error)
    }
}

extension CoreDataMirror {
    /// That something waits to be sent; nil if nothing does.
    fileprivate var warning: Warning? {
        guard uploads + deletes > 0 else { return nil }
        return Warning(
            "mirrorPending",
            "CloudKit's mirroring of `\(store)` has \(uploads.counted("upload")) and "
                + "\(deletes.counted("delete")) to send",
            hint: "Open the app on this device while it is online, so that it sends them.")
    }
}
