internal import GodwitCopy
internal import GodwitExport
internal import GodwitModel
internal import GodwitStore
internal import GodwitSync

/// What is known of the sync, gathered for exports and status; the rules are GodwitSync's.
extension Session {
    /// The state the sync events lead to; no file, no events.
    func readSync() throws(GodwitError) -> (state: SyncState, warnings: [Warning]) {
        guard let events = files.syncEvents, try events.exists() else { return (SyncState(), []) }
        return try SyncEventReader().state(in: readBytes(events.path, limit: 64 << 20, stage: .status))
    }

    /// Local records that the cloud store lacks or holds older, by entity; entities without any are left out.
    ///
    /// Where the stores can't be compared, because one fits no version of the schema or has records without keys, there
    /// are no counts, and a warning says so: what is not known is not nothing.
    func pendingChanges(_ survey: Survey) throws(GodwitError) -> (counts: [String: Int64]?, warnings: [Warning]) {
        guard survey.hasLocal else { return ([:], []) }
        do throws(GodwitError) {
            return (try comparedChanges(survey).filter { $0.value > 0 }, [])
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
