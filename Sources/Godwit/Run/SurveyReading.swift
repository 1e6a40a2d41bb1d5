internal import GodwitFiles
internal import GodwitLedger
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
internal import GodwitCopy
internal import GodwitSync

/// Reads the state of a container.
struct SurveyReading: RunStep {
    let stores: StoreOpener

    /// Reads everything once, and changes nothing.
    ///
    /// - Parameters:
    ///   - checkingIntegrity: stores are checked once in a command, before anything is read from them.
    ///   - cloudFault: why the cloud store can't be opened, if that is known; it is not opened then.
    ///   - localFault: the same of the local store.
    func read(
        checkingIntegrity: Bool, besides cloudFault: GodwitError? = nil, local localFault: GodwitError? = nil
    ) throws(GodwitError) -> ContainerSurvey {
        let hasLocal = localFault == nil ? try files.local.exists() : false
        let hasCloud = try files.cloud.exists()
        var legacy: Receipt?
        var keys: ImportedKeys?
        var copyReceipt: Receipt?
        let isFlagSet = try flag.isSet()
        var (isCopyOfAnother, isFlagLost) = (false, false)
        var reopened: ReopenedCopy?
        var environments: [RecordedEnvironment] = []
        var warnings: [Warning] = []
        if hasLocal {
            let local = try stores.openLocal(checkingIntegrity: checkingIntegrity)
            // A store that is never written has no ledger.
            if !isCoreData {
                legacy = try local.connection.readReceipt(.legacy)
                keys = legacy.flatMap(ImportedKeys.init)
                environments += [RecordedEnvironment(legacy, in: files, .local)].compactMap(\.self)
            }
            warnings += local.warnings
        }
        if hasCloud, cloudFault == nil {
            let cloud = try stores.snapshot(.cloud, .container, checkingIntegrity: checkingIntegrity)
            try cloud.connection.requireOwnBooks()
            copyReceipt = try cloud.connection.readReceipt(.copy)
            if copyReceipt == nil { reopened = try cloud.connection.readReopenedCopy() }
            let carried = try cloud.connection.readReceipt(.legacy)
            if !isFlagSet, let copyReceipt {
                let origin = CopyOrigin(stores)
                isCopyOfAnother = try origin.isOfAnotherDevice(copyReceipt, carried, hasLocal: hasLocal)
                if !isCopyOfAnother { isFlagLost = try origin.isRecordedAsDone(copyReceipt, hasLocal: hasLocal) }
            }
            environments += [copyReceipt, reopened?.receipt, carried].compactMap {
                RecordedEnvironment($0, in: files, .cloud)
            }
            var isOurs = isFlagLost
            if !isOurs, let reopened {
                isOurs = try CopyOrigin(stores).isRecordedAsDone(reopened.receipt, hasLocal: hasLocal)
            }
            if !isOurs, let carried { isOurs = try !isOfAnother(carried, hasLocal: hasLocal) }
            if isOurs, let carried {
                // Keys that were imported later, into the cloud store, are only in its receipt of the same import.
                let isSame = legacy.map { $0.runIdentifier == carried.runIdentifier } ?? true
                if isSame { legacy = carried }
                if let later = ImportedKeys(carried) { keys = keys?.merging(later) ?? later }
            }
            try cloud.requireTablesOrLog()
            warnings += cloud.warnings
        }
        for entry in [files.local, files.cloud] { warnings += try entry.warnings(in: files.container) }
        let log = Result { () throws(GodwitError) in try SyncReading(stores).readSyncLog() }
        if case .failure(let error) = log { warnings.append(.unreadSyncEvents(error)) }
        let (preference, unclear) = try SyncReading(stores).readSyncPreference()
        warnings += unclear
        let surroundings = (try? log.get().surroundings) ?? SyncConditions()
        return ContainerSurvey(
            hasLocal: hasLocal, hasCloud: hasCloud,
            lacksCloudFolder: hasCloud ? false : try InputSurvey(stores).lacksCloudFolder(), isFlagSet: isFlagSet,
            copyReceipt: copyReceipt, isCopyOfAnother: isCopyOfAnother, isFlagLost: isFlagLost, reopened: reopened,
            legacyReceipt: legacy, importedKeys: keys, environments: environments, syncLog: log,
            account: surroundings.account(orGiven: options.account),
            network: surroundings.network(orGiven: options.network), preference: preference,
            cloudFault: cloudFault, localFault: localFault,
            storesWithoutLog: try storesWithoutLog(warnings), warnings: warnings)
    }

    /// The stores that one of these warnings says to have no log.
    private func storesWithoutLog(_ warnings: [Warning]) throws(GodwitError) -> [(name: String, pageSize: Int)] {
        guard warnings.contains(where: { $0.logGap == .missing }) else { return [] }
        var stores: [(name: String, pageSize: Int)] = []
        for entry in [files.local, files.cloud] where try entry.exists() {
            let set = try StoreSet(entry.path, name: entry.name, stage: .container)
            guard let header = set.header, header.isWAL, set.companions.walSize == nil else { continue }
            stores.append((entry.name, header.pageSize))
        }
        return stores
    }

    /// Whether an import that only the cloud store knows of was another container's.
    ///
    /// Several containers may share a cloud store, or another device brought it along. If the flag is not set, the local store
    /// has the receipt of every import of this container; so that import was of other files.
    private func isOfAnother(_ receipt: Receipt, hasLocal: Bool) throws(GodwitError) -> Bool {
        guard hasLocal, try !flag.isSet(), let imported = receipt.importedFiles else { return false }
        do throws(GodwitError) {
            return try scope.readPreferences().contains { $0.file.map { !imported.contains($0.sha256) } ?? false }
        } catch  where error.code == .data {
            // A file that can't be read was not imported; an import reports why.
            return true
        }
    }
}

extension Warning {
    /// Nothing but status and exports needs them, and those end with the error itself.
    fileprivate static func unreadSyncEvents(_ error: GodwitError) -> Warning {
        Warning(
            "syncEventsUnread",
            "the sync events can't be read: \(error.message)" + (error.underlying.map { ": \($0)" } ?? ""),
            hint: "State what the app knows of account and network with \(name: .account) and \(name: .network).")
    }
}

extension ContainerFiles.Entry {
    /// That a file of this name is in a second place, or has a namesake: Godwit can't know which of them the app uses.
    fileprivate func warnings(in container: Container) throws(GodwitError) -> [Warning] {
        let similar = try container.namesakes(of: name).map { namesake in
            Warning(
                "similarFile",
                "both `\(name)` and `\(namesake)` exist; the names differ only in letter case or Unicode form",
                hint: "Name the file that the app uses in the manifest.")
        }
        let others = try container.otherPlaces(of: name)
        guard let other = others.first else { return similar }
        return similar + [
            Warning(
                "storeInTwoPlaces", "another `\(name)` exists in `\(other)`; Godwit uses the first that it finds",
                hint:
                    "If the app uses the other one, name that container with \(name: .container), or move the old "
                    + "store away."
            )
        ]
    }
}
