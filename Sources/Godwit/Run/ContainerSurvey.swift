internal import GodwitFiles
internal import GodwitLedger
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
internal import GodwitCopy
internal import GodwitSync
internal import Logging

/// Where a container stands before a command does anything: which stores there are, what flag and receipts say.
struct ContainerSurvey: Sendable {
    /// Whether there is a local store that can be opened.
    let hasLocal: Bool
    let hasCloud: Bool
    let isFlagSet: Bool
    let copyReceipt: Receipt?
    /// Whether that receipt is of another device's copy, as far as that can be told.
    let isCopyOfAnother: Bool
    /// What a copy covers that was reopened and not made again.
    let reopened: ReopenedCopy?
    /// The legacy receipt, from whichever store has one.
    let legacyReceipt: Receipt?
    /// What became of each legacy key; nil where no receipt says.
    let importedKeys: ImportedKeys?
    /// The CloudKit environments that the stores' receipts name.
    let environments: [RecordedEnvironment]
    /// What the app's events file says, or why it can't be read.
    let syncLog: Result<SyncLog, GodwitError>
    /// What the command was told of account and network; else what the app saw last.
    let account: AccountAvailability
    let network: NetworkState
    /// What the user set in the app.
    let preference: SyncPreference
    /// Why the cloud store can't be opened, where a command goes on without it.
    let cloudFault: GodwitError?
    /// Why the local store can't be opened, if a command goes on without it.
    let localFault: GodwitError?
    /// The stores in WAL mode that have no log, with the bytes of a page of theirs.
    let storesWithoutLog: [(name: String, pageSize: Int)]
    /// What the stores' files say: `walMissing`, `walDamaged`, `walTruncated`.
    let warnings: [Warning]

    /// How far the copy is: the receipt is the truth, the flag its echo.
    var copyState: CopyState {
        // Nothing is known of its receipt.
        if cloudFault != nil { return isFlagSet ? .done : .notDone }
        return switch (copyReceipt != nil, isFlagSet) {
        case (true, true): .done
        case (true, false): isCopyOfAnother ? .notDoneHere : .interrupted
        case (false, true): .flagWithoutReceipt
        case (false, false): .notDone
        }
    }

    /// What was found, for the log.
    var metadata: Logger.Metadata {
        [
            "local": "\(hasLocal ? "there" : "missing")", "cloud": "\(hasCloud ? "there" : "missing")",
            "copy": "\(copyState.rawValue)", "active": "\(activeStore?.rawValue ?? "none")",
        ]
    }

    /// The store that `migrate` and `dedupe` write to: the active one, or the local one that is to be made.
    func writtenStore(isLocalWritable: Bool, makesLocal: Bool) -> StoreRole {
        if !isLocalWritable { return .cloud }
        if isFlagSet, activeStore == .cloud { return .cloud }
        return hasLocal || makesLocal || !hasCloud ? .local : .cloud
    }
}

extension Session {
    /// Looks at everything once, changing nothing.
    ///
    /// - Parameter checkingIntegrity: stores are checked once in a command, before anything is read from them.
    /// - Parameter cloudFault: why the cloud store can't be opened, where that is known and it is to be left alone.
    /// - Parameter localFault: the same of the local store.
    func survey(
        checkingIntegrity: Bool, besides cloudFault: GodwitError? = nil, local localFault: GodwitError? = nil
    ) throws(GodwitError) -> ContainerSurvey {
        let hasLocal = localFault == nil ? try files.local.exists() : false
        let hasCloud = try files.cloud.exists()
        var legacy: Receipt?
        var keys: ImportedKeys?
        var copyReceipt: Receipt?
        let isFlagSet = try flag.isSet()
        var isCopyOfAnother = false
        var reopened: ReopenedCopy?
        var environments: [RecordedEnvironment] = []
        var warnings: [Warning] = []
        if hasLocal {
            let local = try openLocal(checkingIntegrity: checkingIntegrity)
            // What is never written has no books of Godwit's.
            if !isCoreData {
                legacy = try local.connection.readReceipt(.legacy)
                keys = legacy.flatMap(ImportedKeys.init)
                environments += [RecordedEnvironment(legacy, in: files, .local)].compactMap(\.self)
            }
            warnings += local.warnings
        }
        if hasCloud, cloudFault == nil {
            let cloud = try snapshot(.cloud, .container, checkingIntegrity: checkingIntegrity)
            try cloud.connection.requireOwnBooks()
            copyReceipt = try cloud.connection.readReceipt(.copy)
            if copyReceipt == nil { reopened = try cloud.connection.readReopenedCopy() }
            let carried = try cloud.connection.readReceipt(.legacy)
            if !isFlagSet, let copyReceipt {
                isCopyOfAnother = try isOfAnotherDevice(copyReceipt, carried, hasLocal: hasLocal)
            }
            environments += [copyReceipt, reopened?.receipt, carried].compactMap {
                RecordedEnvironment($0, in: files, .cloud)
            }
            if let carried, try !isOfAnother(carried, hasLocal: hasLocal) {
                legacy = legacy ?? carried
                if let later = ImportedKeys(carried) { keys = keys?.merging(later) ?? later }
            }
            try cloud.requireTablesOrLog()
            warnings += cloud.warnings
        }
        for entry in [files.local, files.cloud] { warnings += try entry.warnings(in: files.container) }
        let log = Result { () throws(GodwitError) in try readSyncLog() }
        if case .failure(let error) = log { warnings.append(.unreadSyncEvents(error)) }
        let (preference, unclear) = try readSyncPreference()
        warnings += unclear
        let surroundings = (try? log.get().surroundings) ?? SyncConditions()
        return ContainerSurvey(
            hasLocal: hasLocal, hasCloud: hasCloud, isFlagSet: isFlagSet, copyReceipt: copyReceipt,
            isCopyOfAnother: isCopyOfAnother, reopened: reopened,
            legacyReceipt: legacy, importedKeys: keys, environments: environments, syncLog: log,
            account: surroundings.account(orGiven: options.account),
            network: surroundings.network(orGiven: options.network), preference: preference,
            cloudFault: cloudFault, localFault: localFault,
            storesWithoutLog: try storesWithoutLog(warnings), warnings: warnings)
    }
}

extension Session {
    /// The local store, opened for reading.
    ///
    /// An error about a damaged one says what helps if the app uses the cloud store.
    func openLocal(checkingIntegrity: Bool) throws(GodwitError) -> StoreSnapshot {
        do throws(GodwitError) {
            let local = try original(.container, checkingIntegrity: checkingIntegrity)
            if !isCoreData { try local.connection.requireOwnBooks() }
            try local.requireTablesOrLog()
            return local
        } catch {
            throw try explained(error)
        }
    }

    private func explained(_ error: GodwitError) throws(GodwitError) -> GodwitError {
        guard error.code == .data, try flag.isSet(), try files.cloud.exists() else { return error }
        var error = error
        error.hint = "Put it back from a backup, or rename it: the app uses \(files.cloud.name)."
        return error
    }

    /// Whether an import that the cloud store alone knows of was another container's.
    ///
    /// Several may share a cloud store, or one is brought along from another device. Where the flag is not set, whatever this
    /// container imported its local store knows of as well; so it was of other files than the ones that lie here.
    private func isOfAnother(_ receipt: Receipt, hasLocal: Bool) throws(GodwitError) -> Bool {
        guard hasLocal, try !flag.isSet(), let imported = receipt.importedFiles else { return false }
        do throws(GodwitError) {
            return try readLegacy().contains { $0.file.map { !imported.contains($0.sha256) } ?? false }
        } catch  where error.code == .data {
            // What can't be read was not imported; whoever wants to import it is told so.
            return true
        }
    }
}

extension Warning {
    /// Nothing but status and exports needs them, and those end with the error itself.
    fileprivate static func unreadSyncEvents(_ error: GodwitError) -> Warning {
        Warning(
            "syncEventsUnread",
            "The sync events can't be read: \(error.message)" + (error.underlying.map { " (\($0))" } ?? ""),
            hint: "What the app saw of account and network is not known; say it with --account and --network.")
    }
}

extension ContainerFiles.Entry {
    /// That a file of this name is in a second place, or has a namesake: Godwit can't know which of them the app uses.
    fileprivate func warnings(in container: Container) throws(GodwitError) -> [Warning] {
        let similar = try container.namesakes(of: name).map { namesake in
            Warning(
                "similarFile",
                "Both \(name) and \(namesake) exist. The names differ only in letter case or Unicode form.",
                hint: "Check which of the two the app uses, and name that one in the manifest.")
        }
        let others = try container.otherPlaces(of: name)
        guard let other = others.first else { return similar }
        return similar + [
            Warning(
                "storeInTwoPlaces", "There is another \(name) in \(other); the first that is found counts.",
                hint: "If the app uses the other one, name that container with --container, or move the old store away."
            )
        ]
    }
}
