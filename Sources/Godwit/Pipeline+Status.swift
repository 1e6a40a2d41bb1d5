internal import GodwitCopy
internal import GodwitMigrate
package import GodwitModel
internal import GodwitStore
internal import GodwitSync

/// Commands that only look: they take no lock, so they answer while a run is at work.
extension Pipeline {
    /// Where the container stands: stores, copy, sync, pending changes, last runs.
    package func status(cancellation: Cancellation = Cancellation()) throws(GodwitError) -> StatusReport {
        let session = try openSession(cancellation)
        let survey = try session.survey(checkingIntegrity: false)
        let mirror = try session.readMirror(survey)
        let (state, syncWarnings) = try session.readSync(mirror)
        let (local, cloud) = (try session.storeStatus(.local), try session.storeStatus(.cloud))
        let (pending, pendingWarnings) = try session.pendingChanges(survey, mirror)
        let counts = survey.activeStore == .cloud ? cloud.counts : local.counts
        let user = UserSyncStatus(
            UserSyncInputs(
                state: state, account: options.account, network: options.network, activeStore: survey.activeStore,
                copy: survey.copyState, pendingChanges: pending?.values.reduce(0, +) ?? 0,
                recordCount: counts.values.reduce(0, +)), in: MessageLanguage(locale: options.language))
        return StatusReport(
            app: manifest.app, container: location, asOf: session.context.now, activeStore: survey.activeStore,
            local: local, cloud: cloud, copy: survey.copyState, flag: try session.flag.state(),
            sync: state.overview(account: options.account, network: options.network), phases: state.phaseStatuses,
            userStatus: user, pendingChanges: pending, lastRuns: try session.readRuns(limit: 3),
            warnings: survey.warnings + (session.conversion.current?.warnings ?? []) + syncWarnings + pendingWarnings,
            nextSteps: session.nextSteps(for: survey))
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
        return HistoryReport(app: manifest.app, container: location, runs: runs)
    }
}

extension Session {
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

    func nextSteps(for survey: Survey) -> [String] {
        switch survey.copyState {
        case .done: return []
        case .interrupted: return ["An earlier copy stopped before its flag; finish it: \(commandLine("run"))"]
        case .flagWithoutReceipt:
            return ["The flag is set, but no cloud store has a receipt: see what differs with \(commandLine("verify"))"]
        case .notDone:
            guard survey.hasLocal else { return [] }
            return ["See what a run would do: \(commandLine("plan"))", "Do it: \(commandLine("run"))"]
        }
    }
}
