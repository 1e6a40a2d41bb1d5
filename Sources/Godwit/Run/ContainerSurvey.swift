internal import GodwitLedger
internal import GodwitModel
internal import GodwitCopy
internal import GodwitSync
internal import Logging

/// The state of a container before a command does anything: its stores, its flag, its receipts.
struct ContainerSurvey: Sendable {
    /// Whether there is a local store that can be opened.
    let hasLocal: Bool
    let hasCloud: Bool
    /// Whether neither the cloud store nor its folder existed.
    let lacksCloudFolder: Bool
    let isFlagSet: Bool
    let copyReceipt: Receipt?
    /// Whether that receipt is probably of another device's copy.
    let isCopyOfAnother: Bool
    /// Whether the flag of that copy was set on this device before and is lost: users may have deleted or edited
    /// records since.
    let isFlagLost: Bool
    /// The records that a reopened copy covered, if the copy was not made again.
    let reopened: ReopenedCopy?
    /// The legacy receipt, from the store that has one.
    let legacyReceipt: Receipt?
    /// The outcome of each legacy key; nil if no receipt has it.
    let importedKeys: ImportedKeys?
    /// The CloudKit environments that the stores' receipts name.
    let environments: [RecordedEnvironment]
    /// The content of the app's events file, or the reason why it cannot be read.
    let syncLog: Result<SyncLog, GodwitError>
    /// Account and network as given to the command, or as the app saw them last.
    let account: Freshness.Account
    let network: Freshness.Network
    /// The user's sync setting in the app.
    let preference: SyncPreference
    /// The reason why the cloud store cannot be opened, if the command continues without it.
    let cloudFault: GodwitError?
    /// The reason why the local store cannot be opened, if the command continues without it.
    let localFault: GodwitError?
    /// The stores in WAL mode that have no log, with the bytes of a page of theirs.
    let storesWithoutLog: [(name: String, pageSize: Int)]
    /// The warnings about the stores' files: `walMissing`, `walDamaged`, `walTruncated`.
    let warnings: [Warning]

    /// The state of the copy: the receipt decides, and the flag follows it.
    var copyState: StatusReport.CopyState {
        // Nothing is known of its receipt.
        if cloudFault != nil { return isFlagSet ? .done : .notDone }
        return switch (copyReceipt != nil, isFlagSet) {
        case (true, true): .done
        case (true, false): isCopyOfAnother ? .notDoneHere : .interrupted
        case (false, true): .flagWithoutReceipt
        case (false, false): .notDone
        }
    }

    /// When the copy was made that was reopened and is not made again; nil for none.
    var reopenedCopyAt: Instant? { copyState == .notDone ? reopened?.receipt.completedAt : nil }

    /// Whether the next run must make a copy of this device again: its flag is lost, or it was reopened.
    var isCopyToBeMadeAgain: Bool { copyState == .interrupted || reopened != nil }

    /// The facts, for the log.
    var metadata: Logger.Metadata {
        [
            "local": "\(hasLocal ? "exists" : "missing")", "cloud": "\(hasCloud ? "exists" : "missing")",
            "copy": "\(copyState.rawValue)", "active": "\(activeStore?.rawValue ?? "none")",
        ]
    }

    /// The store that `migrate` and `dedupe` write to: the active store, or a local store that will be created.
    func writtenStore(isLocalWritable: Bool, makesLocal: Bool) -> StoreRole {
        if !isLocalWritable { return .cloud }
        if isFlagSet, activeStore == .cloud { return .cloud }
        return hasLocal || makesLocal || !hasCloud ? .local : .cloud
    }
}
