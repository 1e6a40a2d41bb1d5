import GodwitModel

/// The rule and the sentence for each reason; in the past tense, because an export is read later.
extension FreshnessInputs {
    var localOnlyMessage: String? {
        switch isolation {
        case .syncOff: return "Sync was turned off in the app: the data is on this device only."
        case .notActive:
            return
                "The \(activeStore?.rawValue ?? "other") store was asked for, which the app does not use at present."
        case nil:
            return isOnThisDeviceOnly ? "Sync is not set up: the data is on this device only." : nil
        }
    }

    /// Between short events nothing is in progress, but more events may follow.
    var syncingMessage: String? {
        if sync.status == .inProgress { return "A sync was in progress." }
        return isSettling ? "A sync had been at work less than 3 seconds before." : nil
    }

    var isOffline: Bool { sync.network == .offline || sync.status == .noNetwork }

    /// Whether the exported data is only on this device, with no sign that this will change.
    ///
    /// The local store was exported, the copy was never made, and neither a signed-in account nor a successful sync is
    /// known. With an account, the copy is only pending, which `copyNotDone` reports.
    var isOnThisDeviceOnly: Bool {
        activeStore == .local && copy == .notDone && reopenedCopyAt == nil && sync.availability != .available
            && lastSyncAt == nil
    }

    var noAccountMessage: String? {
        switch sync.availability {
        case .noAccount: "No iCloud account was signed in."
        case .restricted: "The iCloud account was not allowed to sync."
        case .available, .unknown: sync.status == .accountNotAvailable ? "The iCloud account was not usable." : nil
        }
    }

    /// The problem with the sync itself.
    ///
    /// A failure counts if the network is online (`error`), and also if the network is not known (`unknown`), because
    /// it is the latest fact. A sync that began but never succeeded counts too.
    var syncErrorMessage: String? {
        switch (sync.status, sync.lastError) {
        case (.error, let error?), (.unknown, let error?): "The last sync failed: \(error)."
        case (.error, nil): "The last sync failed."
        case (.notSyncing, _): "Sync was set up, but no import had begun."
        case (.unknown, nil): lastSyncAt == nil ? "Sync had begun, but was never seen to succeed." : nil
        default: nil
        }
    }

    var pendingMessage: String? {
        switch pendingChanges {
        case nil: "Whether local changes had reached the cloud store is not known."
        case 0: nil
        case 1: "1 local change had not reached the cloud store."
        case let count?: "\(count) local changes had not reached the cloud store."
        }
    }

    /// If the cloud store is in use without a receipt, there was nothing to copy, so this is not a reason.
    var copyNotDoneMessage: String? {
        switch copy {
        case .notDone: activeStore == .cloud ? nil : reopenedMessage ?? "The copy to the cloud store had not been made."
        case .notDoneHere: activeStore == .cloud ? nil : "This device had not copied to the cloud store yet."
        case .flagWithoutReceipt: "The flag said that the copy is done, but the cloud store held no receipt of it."
        case .interrupted, .done: nil
        }
    }

    private var reopenedMessage: String? {
        reopenedCopyAt.map { "The copy to the cloud store of \($0) had been reopened, and not been made again." }
    }

    /// Age of the newest record; never negative; nil if no record has a readable date.
    var ageMilliseconds: Int64? {
        guard let newestRecordAt, newestRecordAt < now else { return newestRecordAt == nil ? nil : 0 }
        let attoseconds = now.attoseconds - newestRecordAt.attoseconds
        let fraction = attoseconds.flooredDivision(by: 1_000_000_000_000_000)
        let (seconds, tooFar) = now.seconds.subtractingReportingOverflow(newestRecordAt.seconds)
        let limit = Int64.max / 1000 - 1
        return (tooFar ? limit : min(seconds, limit)) * 1000 + fraction
    }

    func oldMessage(_ name: String, _ criterion: Span?) -> String? {
        guard recordCount > 0, let criterion, let age = ageMilliseconds, age >= criterion.milliseconds else {
            return nil
        }
        return "The newest record was \(Self.words(milliseconds: age)) old; \(name) is \(criterion)."
    }

    /// If an age is required and no record has a readable date, nothing shows that the data is new.
    var undatedMessage: String? {
        guard recordCount > 0, newestRecordAt == nil, warnAfter != nil || errorAfter != nil else { return nil }
        return "No record had a readable date, so its age is not known."
    }

    var clockSkewMessage: String? {
        let (latest, isBeyond) = now.seconds.addingReportingOverflow(FreshnessAssessor.clockTolerance)
        let limit = Instant(seconds: isBeyond ? .max : latest, attoseconds: now.attoseconds)
        let isAhead = newestRecordAt.map { $0 > limit } ?? false
        return hasClockSkew || isAhead ? "A record was dated more than 5 minutes in the future." : nil
    }

    /// `3d 4h`, `2h 5m`, `1m 40s`, `40s`: the two largest units, rounded down.
    static func words(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1000
        let units = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s"),
        ]
        guard let first = units.firstIndex(where: { $0.0 > 0 }) else { return "0s" }
        return units[first...].prefix(2).filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined(separator: " ")
    }
}
