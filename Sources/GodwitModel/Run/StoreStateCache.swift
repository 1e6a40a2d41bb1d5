import Synchronization

/// Caches facts about stores during one run, by a state: bytes that change with every write to the store's files.
package final class StoreStateCache: Sendable {
    /// A fact that is true until the next write.
    package enum Fact: Sendable, Hashable {
        /// `quick_check` found nothing.
        case sound
        /// `integrity_check` found nothing.
        case soundWithIndexes
        case deduped
    }

    private struct Entry: Hashable {
        let fact: Fact
        let state: [UInt8]
    }

    private let known = Mutex<Set<Entry>>([])
    /// Private clones by the store's path; for each store only the clone of its latest state.
    private let clones = Mutex<[String: (state: [UInt8], clone: any Sendable)]>([:])

    package init() {}

    /// Whether a fact is known for a state; never for an unknown state (nil).
    package func isKnown(_ fact: Fact, of state: [UInt8]?) -> Bool {
        guard let state else { return false }
        return known.withLock { $0.contains(Entry(fact: fact, state: state)) }
    }

    package func note(_ fact: Fact, of state: [UInt8]?) {
        guard let state else { return }
        known.withLock { _ = $0.insert(Entry(fact: fact, state: state)) }
    }

    /// The clone of a store in this state; nil if it is of another state.
    package func clone(of path: String, in state: [UInt8]?) -> (any Sendable)? {
        clones.withLock { $0[path].flatMap { $0.state == state ? $0.clone : nil } }
    }

    /// Keeps a clone until the store has another state or the run ends.
    package func keep(_ clone: any Sendable, of path: String, in state: [UInt8]?) {
        guard let state else { return }
        clones.withLock { $0[path] = (state, clone) }
    }
}
