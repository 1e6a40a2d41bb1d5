internal import GodwitFiles
internal import GodwitLedger
package import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitSync

/// Commands that only look: they take no lock, so they answer while a run is at work.
extension Migration {
    /// The state of the container: stores, copy, sync, pending changes, last runs.
    package func status(cancellation: Cancellation = Cancellation()) throws(GodwitError) -> StatusReport {
        let stores = try open(cancellation)
        let (reading, sync) = (StatusReading(stores), SyncReading(stores))
        let context = stores.scope.context
        let (cloud, cloudFault) = try reading.cloudStatus()
        let (local, localFault) = try reading.localStatus()
        let survey = try SurveyReading(stores).read(checkingIntegrity: false, besides: cloudFault, local: localFault)
        let mirror = try sync.readMirror(survey)
        let (state, syncWarnings) = try sync.readSync(survey, mirror)
        let (pending, pendingWarnings) = try sync.pendingChanges(survey, mirror)
        let otherStore = try reading.otherStoreWarnings(survey)
        let counts = survey.activeStore == .cloud ? cloud.counts : local.counts
        var inputs = UserSyncInputs(
            state: state, account: survey.account, network: survey.network, activeStore: survey.activeStore,
            copy: survey.copyState, isCloudUnusable: survey.isCloudUnusable,
            pendingChanges: pending?.values.reduce(0, +),
            recordCount: counts.values.reduce(0, +), asOf: context.now,
            preference: survey.preference, notice: survey.notice)
        inputs.isReopened = survey.reopenedCopyAt != nil
        let user = StatusReport.UserSync(inputs, in: MessageLanguage(locale: options.language))
        var report = StatusReport(
            app: manifest.app, container: location, asOf: context.now, activeStore: survey.activeStore,
            local: local, cloud: cloud, copy: survey.copyState, flag: try stores.scope.flag.state(),
            sync: state.overview(account: survey.account, network: survey.network, asOf: context.now),
            phases: state.phaseStatuses,
            userStatus: user, pendingChanges: pending,
            lastRuns: try RunLedger(stores).readRuns(
                limit: 3, from: [localFault == nil ? .local : nil, cloudFault == nil ? .cloud : nil].compactMap(\.self)),
            warnings: survey.choiceWarnings(stores.scope.files) + survey.warnings + survey.environmentWarnings(manifest)
                + (stores.conversion.map { $0.warnings + $0.leftBehind.warnings } ?? []) + syncWarnings
                + pendingWarnings + otherStore + Advice(stores).strandedDuplicates(survey),
            nextSteps: try reading.nextSteps(for: survey, otherStore),
            lastError: state.lastErrorStatus(in: MessageLanguage(locale: options.language)), running: running())
        report.clock = options.clock
        report.environment = manifest.environment
        report.choice = survey.choiceReport
        report.reopenedCopyAt = survey.reopenedCopyAt
        return report
    }

    /// Whether a run has work to do; see `isPending()`.
    func isPending(_ cancellation: Cancellation) throws(GodwitError) -> Bool {
        let stores = try open(cancellation)
        let survey = try SurveyReading(stores).read(checkingIntegrity: false)
        if survey.copyState != .done, !survey.isSyncOff { return true }
        // An app without preferences has no receipt of an import.
        let receipts = [survey.copyReceipt, survey.legacyReceipt].compactMap(\.self)
        if receipts.isEmpty || receipts.contains(where: { $0.manifestSHA256 != manifest.sha256 }) { return true }
        for (role, exists) in [(StoreRole.local, survey.hasLocal), (.cloud, survey.hasCloud)] where exists {
            // The store is only read if it is Core Data's: no schema file is applied to it.
            if role == .local, !stores.scope.isLocalWritable { continue }
            if try stores.scope.schema.plan(stores.snapshot(role, .status).connection).hasWork { return true }
        }
        return false
    }

    func activeStore(_ cancellation: Cancellation) throws(GodwitError) -> ActiveStore {
        let stores = try open(cancellation)
        let reading = StatusReading(stores)
        let (cloudFault, localFault) = (try reading.cloudStatus().1, try reading.localStatus().1)
        let survey = try SurveyReading(stores).read(checkingIntegrity: false, besides: cloudFault, local: localFault)
        var choice = survey.choiceReport
        choice.path = choice.role.map { stores.scope.files[$0].path }
        return choice
    }

    /// Throws (73) if a report would get the name of one of the app's own files, or be added to the manifest or a
    /// schema file.
    package func requireUnreserved(output path: String) throws(GodwitError) {
        let sources =
            [manifest.file] + schemaFiles.files.map { PathText.join(schemaFiles.directory, $0.title + ".sql") }
        if let place = PathText.real(path),
            let source = sources.first(where: { PathText.real($0)?.utf8.elementsEqual(place.utf8) == true })
        {
            throw GodwitError(
                .status, .cannotCreate, "`\(path)` is \(source), which is an input of a run",
                hint: "Choose another name."
            )
        }
        let files: ContainerFiles
        do throws(GodwitError) {
            files = try ContainerFiles(manifest, in: Container(location, groups: options.groupContainers))
        } catch {
            // The command itself says what is wrong with the container, where it needs one.
            return
        }
        try files.requireUnreserved(path, stage: .status)
    }

    /// The recorded runs, newest first.
    package func history(
        limit: Int = .max, cancellation: Cancellation = Cancellation()
    ) throws(GodwitError) -> HistoryReport {
        let stores = try open(cancellation)
        let runs = try RunLedger(stores).readRuns(limit: min(limit, manifest.historyKept))
        var report = HistoryReport(app: manifest.app, container: location, runs: runs)
        report.clock = options.clock
        return report
    }
}

extension ContainerSurvey {
    /// Whether the app is on the local store for no other reason than the state of the cloud store.
    fileprivate var isCloudUnusable: Bool { [.cloudMissing, .cloudFails].contains(choice.reason) }
}
