import Synchronization

/// That somebody asked for the manifest to be read anew.
final class ReloadRequest: Sendable {
    private let isRaised = Atomic<Bool>(false)

    func raise() { isRaised.store(true, ordering: .relaxed) }

    /// Whether somebody asked since this was last asked.
    func take() -> Bool { isRaised.exchange(false, ordering: .relaxed) }
}
