internal import GodwitCopy
internal import GodwitExport
internal import GodwitModel
internal import GodwitStore
internal import GodwitSync

/// What is known of the sync, gathered for exports and status; the rules are GodwitSync's.
extension Session {
    /// The state the sync events lead to: those of the events file, and those of the mirroring of the active store.
    func readSync(_ mirror: CoreDataMirror?) throws(GodwitError) -> (state: SyncState, warnings: [Warning]) {
        var (state, warnings) = (SyncState(), [Warning]())
        if let events = files.syncEvents, try events.exists() {
            (state, warnings) = try SyncEventReader().state(
                in: readBytes(events.path, limit: 64 << 20, stage: .status))
        }
        guard let mirror else { return (state, warnings) }
        for event in mirror.events {
            if let event = SyncEvent(mirrored: event) { state.apply(event) }
        }
        if let warning = mirror.warning { warnings.append(warning) }
        return (state, warnings)
    }

    /// What CloudKit's mirroring says in the active store; nil where nothing mirrors it.
    func readMirror(_ survey: Survey) throws(GodwitError) -> CoreDataMirror? {
        guard let role = survey.activeStore, try files[role].exists() else { return nil }
        let store = try role == .local ? original(.status, checkingIntegrity: false) : snapshot(role, .status)
        return try store.connection.readMirror()
    }

    /// What the mirroring still has to send, by the manifest's entity where one is filled from Core Data's.
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

    /// Local records that the cloud store lacks or holds older, by entity; entities without any are left out.
    ///
    /// Where the stores can't be compared, because one fits no version of the schema or has records without keys, there
    /// are no counts, and a warning says so: what is not known is not nothing.
    ///
    /// - Parameter mirror: what the mirroring of the active store has not sent yet, which counts besides.
    func pendingChanges(
        _ survey: Survey, _ mirror: CoreDataMirror?
    ) throws(GodwitError) -> (counts: [String: Int64]?, warnings: [Warning]) {
        let unsent = mirrored(mirror).filter { $0.value > 0 }
        guard survey.hasLocal else { return (unsent, []) }
        do throws(GodwitError) {
            let compared = try comparedChanges(survey).filter { $0.value > 0 }
            return (compared.merging(unsent) { $0 + $1 }, [])
        } catch {
            guard error.code == .data else { throw error }
            let warning = Warning(
                "pendingUnknown", "What waits for the cloud can't be told: \(error.message)", hint: error.hint)
            return (nil, [warning])
        }
    }

    private func comparedChanges(_ survey: Survey) throws(GodwitError) -> [String: Int64] {
        let source = try PreparedSource(self, stage: .status)
        let local = source.snapshot.connection
        var pending: [String: Int64] = [:]
        if survey.hasCloud {
            let cloud = try snapshot(.cloud, .status)
            for finding in try proof.compare(local, with: cloud.connection) {
                pending[finding.entity] = finding.missing + finding.different
            }
        } else {
            for entity in manifest.entities { pending[entity.name] = try local.countRecords(of: entity.name) }
        }
        return pending
    }

    func assessFreshness(
        _ scan: ExportScan, sync: SyncState, survey: Survey, role: StoreRole, savedAt: Instant, pending: Int64?,
        isWALMissing: Bool
    ) -> Freshness {
        FreshnessAssessor.assess(
            FreshnessInputs(
                now: context.now, newestRecordAt: scan.newestRecordAt, recordCount: scan.recordCount,
                activeStore: role, copy: survey.copyState,
                sync: sync.overview(account: options.account, network: options.network),
                lastLocalSaveAt: savedAt, lastSyncAt: sync.lastSyncAt, warnAfter: manifest.export.warnAfter,
                errorAfter: manifest.export.errorAfter, pendingChanges: pending, isWALMissing: isWALMissing,
                hasClockSkew: scan.hasClockSkew))
    }
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
    /// That something waits to be sent; nil where nothing does.
    fileprivate var warning: Warning? {
        guard uploads + deletes > 0 else { return nil }
        return Warning(
            "mirrorPending",
            "CloudKit's mirroring of \(store) has \(uploads.counted("upload")) and \(deletes.counted("delete")) to send.",
            hint: "Open the app on this device while it is online, so that it sends them.")
    }
}
