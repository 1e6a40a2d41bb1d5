package import GodwitModel

/// The part of a status about the sync: its summary, the text for a user, each phase, the last error.
extension StatusReport {
    /// How times are shown.
    func times(_ style: TextStyle) -> TimeWords { TimeWords(now: asOf, isAbsolute: style.absolute) }

    /// The summary; a failure counts for it only while the network is known to be there, but must not be denied.
    private var syncPhrase: String {
        guard sync.status == .unknown, phases.contains(where: { $0.error != nil }) else { return sync.status.phrase }
        return "something failed, and the state of the network is unknown"
    }

    /// The lines next to the label `sync`.
    func syncRows(_ style: TextStyle) -> [TextLine] {
        var rows = [
            TextLine(sync.status.symbol, syncPhrase, sync.status.symbol.painted.paint),
            TextLine(.item, userStatus.message),
        ]
        if let step = userStatus.nextStep { rows.append(TextLine(.pointer, step)) }
        for phase in phases {
            rows.append(TextLine([Symbol.item.painted, Painted(phase.phase, padded: 6)], phase.phrase(times(style))))
        }
        rows.append(TextLine(.item, "account \(sync.availability.phrase), network \(sync.network.rawValue)"))
        return rows + errorRows(style)
    }

    /// The failed phase and its time, with the meaning and the next action, except if the text for the user has them.
    private func errorRows(_ style: TextStyle) -> [TextLine] {
        guard let lastError else {
            return sync.lastError.map { [TextLine(.caution, "last error \($0)", .caution)] } ?? []
        }
        var rows = [TextLine(.caution, lastError.phrase(times(style)), .caution)]
        if lastError.message != userStatus.message { rows.append(TextLine(.item, lastError.message)) }
        if lastError.nextStep != userStatus.nextStep { rows.append(TextLine(.pointer, lastError.nextStep)) }
        if style.verbose { rows.append(TextLine(.item, lastError.detail, .faint)) }
        return rows
    }
}

extension StatusReport.SyncError {
    /// `last error CKErrorDomain 25: export failed 2 hours ago`.
    func phrase(_ times: TimeWords) -> String {
        "last error \(domain) \(code): \(phase) failed \(times.phrase(at))"
    }

    /// The details for a reader who looks up the error.
    var detail: String {
        let trying =
            switch retry {
            case "automatic": "is repeated automatically"
            case "afterNextStep": "repeat it after the next step"
            default: "repeating it does not help"
            }
        return "domain \(domain), code \(code) (\(name)), category \(category), \(trying)"
    }
}

extension StatusReport.Phase {
    /// `succeeded 5 minutes ago`, `in progress, began …`, `failed 2 hours ago (CKErrorDomain 9)`.
    func phrase(_ times: TimeWords) -> String {
        let reason = error.map { " (\($0))" } ?? ""
        switch state {
        case "notStarted": return "not started"
        case "inProgress":
            return "in progress" + (startedAt.map { ", began \(times.phrase($0))" } ?? "") + reason
        default:
            return state + ((endedAt ?? startedAt).map { " \(times.phrase($0))" } ?? "") + reason
        }
    }
}

extension Freshness.Sync.Status {
    /// The sign, and with it the color.
    var symbol: Symbol {
        switch self {
        case .succeeded: .good
        case .error, .notSyncing, .unknown: .bad
        case .noNetwork, .accountNotAvailable: .caution
        case .notStarted, .inProgress: .item
        }
    }

    /// A few words.
    package var phrase: String {
        switch self {
        case .noNetwork: "no network"
        case .accountNotAvailable: "the account is not available"
        case .error: "failing"
        case .notSyncing: "set up, but nothing was received yet"
        case .notStarted: "not started"
        case .inProgress: "in progress"
        case .succeeded: "import and export succeeded"
        case .unknown: "unknown: nothing failed, but not every phase succeeded"
        }
    }
}

extension Freshness.Account {
    /// One or two words.
    package var phrase: String {
        switch self {
        case .available: "available"
        case .noAccount: "not signed in"
        case .restricted: "restricted"
        case .unknown: "unknown"
        }
    }
}
