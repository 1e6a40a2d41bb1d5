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
    let isFlagSet: Bool
    let copyReceipt: Receipt?
    /// Whether that receipt is probably of another device's copy.
    let isCopyOfAnother: Bool
    /// Whether the flag of that copy was set here once, and is gone: users may have deleted or edited records of it
    /// since.
    let isFlagLost: Bool
    /// What a copy covers that was reopened and not made again.
    let reopened: ReopenedCopy?
    /// The legacy receipt, from the store that has one.
    let legacyReceipt: Receipt?
    /// What became of each legacy key; nil if no receipt says.
    let importedKeys: ImportedKeys?
    /// The CloudKit environments that the stores' receipts name.
    let environments: [RecordedEnvironment]
    /// What the app's events file says, or why it can't be read.
    let syncLog: Result<SyncLog, GodwitError>
    /// Account and network as given to the command, or as the app saw them last.
    let account: Freshness.Account
    let network: Freshness.Network
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

    /// Whether a copy was made here that the next run has to make again: its flag is gone, or it was reopened.
    var isCopyToBeMadeAgain: Bool { copyState == .interrupted || reopened != nil }

    /// What was found, for the log.
    var metadata: Logger.Metadata {
        [
            "local": "\(hasLocal ? "exists" : "missing")", "cloud": "\(hasCloud ? "exists" : "missing")",
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
