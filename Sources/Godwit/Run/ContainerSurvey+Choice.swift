internal import GodwitModel
internal import GodwitSync

/// Which store the app is to use, and what that means for its user.
extension ContainerSurvey {
    /// The choice, from what was found.
    var choice: ActiveStoreChoice {
        ActiveStoreChoice(
            .init(
                account: account, sync: preference, isCopied: isFlagSet, hasLocal: hasLocal || localFault != nil,
                cloud: cloudFault.map { .fails($0) } ?? (hasCloud ? .opens : .missing)))
    }

    /// Cloud if the copy is complete, sync is not off and the account can be used, else local; if that store does not
    /// exist, the other.
    var activeStore: StoreRole? { choice.role }

    /// Whether the user has turned sync off.
    var isSyncOff: Bool { preference == .off }

    /// The store that the app opened when it was last launched; nil if that is not known.
    var launchedStore: StoreRole? { (try? syncLog.get())?.surroundings.launchedStore }

    /// The notice after that launch; nil if there is none.
    var notice: ActiveStore.Notice? { ActiveStoreChoice.notice(launched: launchedStore, now: choice) }

    /// The choice as reports show it.
    var choiceReport: ActiveStore {
        ActiveStore(
            role: choice.role, reason: choice.reason, error: choice.error.map(ActiveStore.Failure.init),
            launched: launchedStore, notice: notice)
    }

    /// That the local store can't be opened.
    var faultOfLocal: [Warning] {
        localFault.map {
            [Warning("localStoreFails", "the local store can't be opened: \($0.message)", hint: $0.hint)]
        } ?? []
    }

    /// The warnings about the choice; the most severe first.
    func choiceWarnings(_ files: ContainerFiles) -> [Warning] {
        var warnings: [Warning] = []
        if let fault = cloudFault {
            warnings.append(
                Warning("cloudStoreFails", "the cloud store can't be opened: \(fault.message)", hint: fault.hint))
        }
        warnings += faultOfLocal
        guard choice.isLocalOnly else { return warnings }
        warnings.append(
            Warning(
                "localOnly", "the app uses `\(files.local.name)`: its new records are on this device only",
                hint: choice.reason.wayToCloud))
        return warnings
    }
}

extension ActiveStore.Reason {
    /// The action that would copy the data to the cloud store; nil if there is no single action.
    fileprivate var wayToCloud: String? {
        switch self {
        case .syncOff: "Turn sync on in the app, then run \(name: .run) to copy the new records."
        case .accountNotAvailable: "Sign in to iCloud on this device, and restart the app."
        default: nil
        }
    }
}
