import Synchronization

/// What a run has found out about stores, each in one state of its files: none is asked for twice.
///
/// It is gone with the run. A state is told by bytes that change whenever anybody writes to the store.
package final class StoreStateCache: Sendable {
    /// Something that is so as long as nobody writes.
    package enum Fact: Sendable, Hashable {
        /// `integrity_check` found nothing.
        case sound
        /// There is one record per singleton and key.
        case deduped
        /// No two rows of a table have one value in a column, unless the store is unsound: see `IndexFindings`.
        case distinct(table: String, column: String)
    }

    private struct Entry: Hashable {
        let fact: Fact
        let state: [UInt8]
    }

    private let known = Mutex<Set<Entry>>([])
    /// Private clones by the paths of their stores: of each the one of its latest state.
    private let clones = Mutex<[String: (state: [UInt8], clone: any Sendable)]>([:])

    package init() {}

    /// Whether it was found to be so; a state that can't be told from others is never known.
    package func isKnown(_ fact: Fact, of state: [UInt8]?) -> Bool {
        guard let state else { return false }
        return known.withLock { $0.contains(Entry(fact: fact, state: state)) }
    }

    package func note(_ fact: Fact, of state: [UInt8]?) {
        guard let state else { return }
        known.withLock { _ = $0.insert(Entry(fact: fact, state: state)) }
    }

    /// What was kept for a store in a state; nil where that is another than this one.
    package func clone(of path: String, in state: [UInt8]?) -> (any Sendable)? {
        clones.withLock { $0[path].flatMap { $0.state == state ? $0.clone : nil } }
    }

    /// Keeps a clone until the store is met in another state, or the run ends.
    package func keep(_ clone: any Sendable, of path: String, in state: [UInt8]?) {
        guard let state else { return }
        clones.withLock { $0[path] = (state, clone) }
    }
}
