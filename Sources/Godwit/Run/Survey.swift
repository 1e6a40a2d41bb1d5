internal import GodwitCopy
internal import GodwitModel
internal import GodwitStore
internal import Logging

/// Where a container stands before a command does anything: which stores there are, what flag and receipts say.
struct Survey: Sendable {
    let hasLocal: Bool
    let hasCloud: Bool
    let isFlagSet: Bool
    let copyReceipt: Receipt?
    /// The legacy receipt, from whichever store has one.
    let legacyReceipt: Receipt?
    let account: AccountAvailability
    /// What the stores' files say: `walMissing`.
    let warnings: [Warning]

    /// How far the copy is: the receipt is the truth, the flag its echo.
    var copyState: CopyState {
        switch (copyReceipt != nil, isFlagSet) {
        case (true, true): .done
        case (true, false): .interrupted
        case (false, true): .flagWithoutReceipt
        case (false, false): .notDone
        }
    }

    /// Cloud if the copy is complete and the account can be used, else local; where that one is missing, the other.
    var activeStore: StoreRole? {
        let isUsable = account == .available || account == .unknown
        if isFlagSet, hasCloud, isUsable { return .cloud }
        if hasLocal { return .local }
        return hasCloud ? .cloud : nil
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
    func survey(checkingIntegrity: Bool) throws(GodwitError) -> Survey {
        let hasLocal = try files.local.exists()
        let hasCloud = try files.cloud.exists()
        var legacy: Receipt?
        var copyReceipt: Receipt?
        var warnings: [Warning] = []
        if hasLocal {
            let local = try original(.container, checkingIntegrity: checkingIntegrity)
            // What is never written has no books of Godwit's.
            if !isCoreData {
                try local.connection.requireOwnBooks()
                legacy = try local.connection.readReceipt(.legacy)
            }
            warnings += local.warnings
        }
        if hasCloud {
            let cloud = try snapshot(.cloud, .container, checkingIntegrity: checkingIntegrity)
            try cloud.connection.requireOwnBooks()
            copyReceipt = try cloud.connection.readReceipt(.copy)
            if legacy == nil { legacy = try cloud.connection.readReceipt(.legacy) }
            warnings += cloud.warnings
        }
        for entry in [files.local, files.cloud] { warnings += try entry.warnings(in: files.container) }
        return Survey(
            hasLocal: hasLocal, hasCloud: hasCloud, isFlagSet: try flag.isSet(), copyReceipt: copyReceipt,
            legacyReceipt: legacy, account: options.account, warnings: warnings)
    }
}

extension ContainerFiles.Entry {
    /// That a file of this name is in a second place, too: which of them the app uses is not for Godwit to know.
    fileprivate func warnings(in container: Container) throws(GodwitError) -> [Warning] {
        let others = try container.otherPlaces(of: name)
        guard let other = others.first else { return [] }
        return [
            Warning(
                "storeInTwoPlaces", "There is another \(name) in \(other); the first that is found counts.",
                hint: "If the app uses the other one, name that container with --container, or move the old store away."
            )
        ]
    }
}
