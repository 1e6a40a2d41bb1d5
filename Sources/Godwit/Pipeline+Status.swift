internal import GodwitFiles
internal import GodwitLedger
package import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitSync

/// Commands that only look: they take no lock, so they answer while a run is at work.
extension Pipeline {
    /// Where the container stands: stores, copy, sync, pending changes, last runs.
    package func status(cancellation: Cancellation = Cancellation()) throws(GodwitError) -> StatusReport {
        let session = try openSession(cancellation)
        let (cloud, cloudFault) = try session.cloudStatus()
        let (local, localFault) = try session.localStatus()
        let survey = try session.survey(checkingIntegrity: false, besides: cloudFault, local: localFault)
        let mirror = try session.readMirror(survey)
        let (state, syncWarnings) = try session.readSync(survey, mirror)
        let (pending, pendingWarnings) = try session.pendingChanges(survey, mirror)
        let counts = survey.activeStore == .cloud ? cloud.counts : local.counts
        let user = UserSyncStatus(
            UserSyncInputs(
                state: state, account: survey.account, network: survey.network, activeStore: survey.activeStore,
                copy: survey.copyState, isCloudUnusable: survey.isCloudUnusable,
                pendingChanges: pending?.values.reduce(0, +),
                recordCount: counts.values.reduce(0, +), asOf: session.context.now,
                preference: survey.preference, notice: survey.notice),
            in: MessageLanguage(locale: options.language))
        var report = StatusReport(
            app: manifest.app, container: location, asOf: session.context.now, activeStore: survey.activeStore,
            local: local, cloud: cloud, copy: survey.copyState, flag: try session.flag.state(),
            sync: state.overview(account: survey.account, network: survey.network, asOf: session.context.now),
            phases: state.phaseStatuses,
            userStatus: user, pendingChanges: pending,
            lastRuns: try session.readRuns(
                limit: 3, from: [localFault == nil ? .local : nil, cloudFault == nil ? .cloud : nil].compactMap(\.self)),
            warnings: survey.choiceWarnings(session.files) + survey.warnings + survey.environmentWarnings(manifest)
                + (session.conversion.current.map { $0.warnings + $0.leftBehind.warnings } ?? []) + syncWarnings
                + pendingWarnings,
            nextSteps: try session.nextSteps(for: survey),
            lastError: state.lastErrorStatus(in: MessageLanguage(locale: options.language)), running: running())
        report.clock = options.clock
        report.environment = manifest.environment
        report.choice = survey.choiceReport
        return report
    }

    /// Throws (73) where a report would get the name of one of the app's own files, or be added to the manifest or a schema
    /// file.
    package func requireUnreserved(output path: String) throws(GodwitError) {
        let sources =
            [manifest.file] + schemaFiles.files.map { PathText.join(schemaFiles.directory, $0.title + ".sql") }
        if let place = PathText.real(path),
            let source = sources.first(where: { PathText.real($0)?.utf8.elementsEqual(place.utf8) == true })
        {
            throw GodwitError(
                .status, .cannotCreate, "\(path) is \(source), which a run is decided by.", hint: "Choose another name."
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
        let session = try openSession(cancellation)
        let runs = try session.readRuns(limit: min(limit, manifest.historyKept))
        var report = HistoryReport(app: manifest.app, container: location, runs: runs)
        report.clock = options.clock
        return report
    }
}

extension ContainerSurvey {
    /// Whether the app is on the local store for no other reason than the state of the cloud store.
    fileprivate var isCloudUnusable: Bool { [.cloudMissing, .cloudFails].contains(choice.reason) }
}

extension Session {
    /// The cloud store at a glance, or why it can't be opened: then a status falls back to the local one.
    ///
    /// What may pass by itself, such as an app that is writing, is thrown as ever.
    func cloudStatus(
        checkingIntegrity: Bool = false
    ) throws(GodwitError) -> (status: StoreStatus, fault: GodwitError?) {
        do throws(GodwitError) {
            if try files.cloud.exists() {
                let cloud = try snapshot(.cloud, .status, checkingIntegrity: checkingIntegrity)
                try cloud.requireTablesOrLog()
                try cloud.connection.requireOwnBooks()
                _ = try cloud.connection.readReceipt(.copy)
            }
            return (try storeStatus(.cloud), nil)
        } catch {
            guard Self.isFault(error) else { throw error }
            return (StoreStatus(file: files.cloud.name, exists: true), error)
        }
    }

    /// The same of the local store: a damaged one must not keep anyone from the records of the cloud store.
    func localStatus() throws(GodwitError) -> (status: StoreStatus, fault: GodwitError?) {
        do throws(GodwitError) {
            if try files.local.exists() { _ = try openLocal(checkingIntegrity: false) }
            return (try storeStatus(.local), nil)
        } catch {
            guard Self.isFault(error) else { throw error }
            return (StoreStatus(file: files.local.name, exists: true), error)
        }
    }

    static func isFault(_ error: GodwitError) -> Bool {
        [.data, .noInput, .permission, .io].contains(error.code)
    }

    func storeStatus(_ role: StoreRole) throws(GodwitError) -> StoreStatus {
        guard try files[role].exists() else { return StoreStatus(file: files[role].name, exists: false) }
        let snapshot = try self.snapshot(role, .status)
        let shape = try snapshot.connection.readShape()
        var counts: [String: Int64] = [:]
        for entity in manifest.entities where shape.table(named: entity.name) != nil {
            counts[entity.name] = try snapshot.connection.countRecords(of: entity.name)
        }
        if role == .local, isCoreData {
            return StoreStatus(
                file: files[role].name, exists: true, counts: counts, modifiedAt: snapshot.modified)
        }
        return StoreStatus(
            file: files[role].name, exists: true, schemaVersion: try snapshot.connection.readHistory()?.last?.version,
            counts: counts, modifiedAt: snapshot.modified,
            pendingMigrations: try schema.readablePlan(snapshot.connection)?.pending.count ?? 0)
    }

    func nextSteps(for survey: ContainerSurvey) throws(GodwitError) -> [String] {
        if survey.cloudFault != nil {
            return ["See what is wrong with the cloud store: \(commandLine("verify"))"]
        }
        if survey.localFault != nil {
            guard survey.activeStore == .cloud else { return [] }
            return [
                "Export the cloud store, which the app uses: \(commandLine("export", "--store", "cloud", "-o", "export.json"))"
            ]
        }
        if survey.notice == .restartToSync { return ["Restart the app to sync."] }
        if survey.isSyncOff { return [] }
        switch survey.copyState {
        case .done: return []
        case .interrupted: return ["An earlier copy stopped before its flag; finish it: \(commandLine("run"))"]
        case .flagWithoutReceipt where !survey.hasCloud:
            if let other = try otherCloud(survey) {
                return ["Correct `cloud:` in the manifest: \(other) has the receipt of a copy."]
            }
            return ["Sign in to the account again, or put \(files.cloud.name) back from a backup."]
                + stepsWithoutCloud(survey)
        case .flagWithoutReceipt:
            return ["The flag is set, but no cloud store has a receipt: see what differs: \(commandLine("verify"))"]
        case .notDone, .notDoneHere:
            guard survey.hasLocal || survey.copyState == .notDoneHere else { return [] }
            return ["See what a run would do: \(commandLine("plan"))", "Do it: \(commandLine("run"))"]
        }
    }
}
