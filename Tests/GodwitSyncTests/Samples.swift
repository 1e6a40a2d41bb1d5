import GodwitModel
import GodwitSync

/// A time on the invented day of all samples, in seconds after its start.
func at(_ seconds: Int64) -> Instant { Instant(seconds: 1_795_219_200 + seconds) }

let signInError = SyncError(domain: "CKErrorDomain", code: 9)
let busyError = SyncError(domain: "CKErrorDomain", code: 23)

extension SyncEvent {
    /// The same event for a store.
    func of(_ store: String) -> SyncEvent {
        var event = self
        event.store = store
        return event
    }

    static func begun(_ phase: SyncPhase, _ start: Instant) -> SyncEvent { SyncEvent(phase, startedAt: start) }

    static func begun(_ phase: SyncPhase, _ start: Int64) -> SyncEvent { SyncEvent(phase, startedAt: at(start)) }

    static func done(_ phase: SyncPhase, _ start: Int64, _ end: Int64) -> SyncEvent {
        SyncEvent(phase, startedAt: at(start), endedAt: at(end), succeeded: true)
    }

    static func failed(
        _ phase: SyncPhase, _ start: Int64, _ end: Int64, _ error: SyncError? = busyError
    ) -> SyncEvent {
        SyncEvent(phase, startedAt: at(start), endedAt: at(end), succeeded: false, error: error)
    }
}

extension FreshnessInputs {
    /// Inputs that give no reason for a warning; a test changes what it is about.
    static func sample(_ change: (inout FreshnessInputs) -> Void = { _ in }) -> FreshnessInputs {
        var inputs = FreshnessInputs(
            now: at(0), newestRecordAt: at(-3600), recordCount: 640, activeStore: .cloud, copy: .done,
            sync: Freshness.Sync(availability: .available, network: .online, status: .succeeded, lastError: nil),
            lastLocalSaveAt: at(-3500), lastSyncAt: at(-3400), warnAfter: Span("12h"), errorAfter: Span("48h"))
        change(&inputs)
        return inputs
    }
}

extension Array {
    /// Every order of the elements.
    var permutations: [[Element]] {
        guard let first else { return [[]] }
        return Array(dropFirst()).permutations.flatMap { rest in
            (0...rest.count).map { place in Array(rest[..<place]) + [first] + Array(rest[place...]) }
        }
    }
}
