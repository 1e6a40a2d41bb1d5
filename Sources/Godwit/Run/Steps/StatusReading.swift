internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy

/// Reads the state of the stores and the next steps for `status`.
struct StatusReading: RunStep {
    let stores: StoreOpener

    /// The state of the cloud store, or the reason why it cannot be opened: then `status` uses the local store.
    ///
    /// Temporary errors, such as a lock of an app that writes, are thrown.
    func cloudStatus(
        checkingIntegrity: Bool = false
    ) throws(GodwitError) -> (status: StatusReport.Store, fault: GodwitError?) {
        do throws(GodwitError) {
            if try files.cloud.exists() {
                let cloud = try stores.snapshot(.cloud, .status, checkingIntegrity: checkingIntegrity)
                try cloud.requireTablesOrLog()
                try cloud.connection.requireOwnBooks()
                _ = try cloud.connection.readReceipt(.copy)
            }
            return (try storeStatus(.cloud), nil)
        } catch {
            guard error.isStoreFault else { throw error }
            return (StatusReport.Store(file: files.cloud.name, exists: true), error)
        }
    }

    /// The same of the local store: a damaged one must not keep anyone from the records of the cloud store.
    func localStatus() throws(GodwitError) -> (status: StatusReport.Store, fault: GodwitError?) {
        do throws(GodwitError) {
            if try files.local.exists() { _ = try stores.openLocal(checkingIntegrity: false) }
            return (try storeStatus(.local), nil)
        } catch {
            guard error.isStoreFault else { throw error }
            return (StatusReport.Store(file: files.local.name, exists: true), error)
        }
    }

    func storeStatus(_ role: StoreRole) throws(GodwitError) -> StatusReport.Store {
        guard try files[role].exists() else { return StatusReport.Store(file: files[role].name, exists: false) }
        let snapshot = try stores.snapshot(role, .status)
        let shape = try snapshot.connection.readShape()
        var counts: [String: Int64] = [:]
        for entity in manifest.entities where shape.table(named: entity.name) != nil {
            counts[entity.name] = try snapshot.connection.countRecords(of: entity.name)
        }
        if role == .local, isCoreData {
            return StatusReport.Store(
                file: files[role].name, exists: true, counts: counts, modifiedAt: snapshot.modified)
        }
        return StatusReport.Store(
            file: files[role].name, exists: true, schemaVersion: try snapshot.connection.readHistory()?.last?.version,
            counts: counts, modifiedAt: snapshot.modified,
            pendingMigrations: try schema.readablePlan(snapshot.connection)?.pending.count ?? 0)
    }

    /// - Parameter otherStore: what `otherStoreWarnings` found.
    func nextSteps(for survey: ContainerSurvey, _ otherStore: [Warning]) throws(GodwitError) -> [String] {
        if survey.cloudFault != nil {
            return ["See what is wrong with the cloud store: \(scope.commandLine("verify"))"]
        }
        if survey.localFault != nil {
            guard survey.activeStore == .cloud else { return [] }
            return [
                "Export the cloud store, which the app uses: \(scope.commandLine("export", "--store", "cloud", "-o", "export.json"))"
            ]
        }
        if survey.notice == .restartToSync { return ["Restart the app to sync."] }
        if survey.isSyncOff { return [] }
        switch survey.copyState {
        case .done:
            return otherStore.isEmpty
                ? [] : ["Copy the records of \(files.local.name) too: \(scope.commandLine("reopen"))"]
        case .interrupted where survey.isFlagLost:
            return ["The completion flag of the copy is gone; set it again: \(scope.commandLine("run"))"]
        case .interrupted: return ["An earlier copy stopped before its flag; finish it: \(scope.commandLine("run"))"]
        case .flagWithoutReceipt where !survey.hasCloud:
            if let other = try InputSurvey(stores).otherCloud(survey) {
                return InputSurvey(stores).stepsBesideOtherCloud(other, survey)
            }
            return ["Sign in to the account again, or put \(files.cloud.name) back from a backup."]
                + InputSurvey(stores).stepsWithoutCloud(survey)
        case .flagWithoutReceipt:
            return [
                "The flag is set, but no cloud store has a receipt: see what differs: \(scope.commandLine("verify"))"
            ]
        case .notDone where survey.reopened != nil:
            return ["The copy was reopened; copy what was written since: \(scope.commandLine("run"))"]
        case .notDone, .notDoneHere:
            guard survey.hasLocal || survey.copyState == .notDoneHere else { return [] }
            return ["See what a run would do: \(scope.commandLine("plan"))", "Do it: \(scope.commandLine("run"))"]
        }
    }
}

extension StatusReading {
    /// Warns that the manifest names a local store that was not copied.
    func otherStoreWarnings(_ survey: ContainerSurvey) throws(GodwitError) -> [Warning] {
        guard survey.copyState == .done, !survey.isSyncOff, survey.cloudFault == nil, survey.localFault == nil else {
            return []
        }
        do throws(GodwitError) {
            try CopyOrigin(stores).requireCopiedStore(survey)
            return []
        } catch  where error.code == .data {
            return [Warning("copyOfOtherStore", error.message, hint: error.hint)]
        }
    }
}

extension GodwitError {
    /// Whether the error is about a store itself, and does not go away by waiting.
    var isStoreFault: Bool { [.data, .noInput, .permission, .io].contains(code) }
}
