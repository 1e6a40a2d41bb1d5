import Synchronization

/// A request to read the manifest again.
final class ReloadRequest: Sendable {
    private let isRaised = Atomic<Bool>(false)

    func raise() { isRaised.store(true, ordering: .relaxed) }

    /// Whether a reload was requested since the last call.
    func take() -> Bool { isRaised.exchange(false, ordering: .relaxed) }
}
