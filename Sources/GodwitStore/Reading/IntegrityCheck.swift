package import GodwitModel
internal import Synchronization

/// The check of a store's integrity beside other work: in a thread, with connections of its own to the same state.
///
/// Whoever begins one must wait for it (`require`) before what was read meanwhile is believed. A small store is checked at
/// once, by the connection that is there: a thread would take longer to begin, and descriptors that may be few.
package final class IntegrityCheck: Sendable {
    /// Apart from this object, so that the thread does not keep it: it waits for the thread when it goes.
    private let outcome = Outcome()
    private let worker: Mutex<WorkerThread?>

    /// Whether nothing is read beside a check: two readers hold a large value twice, and there may be no room for it.
    package static let sparesMemory = true

    /// Begins to check what a snapshot shows; where that is known already, or nobody asks, there is nothing to wait for.
    package init(of store: borrowing StoreSnapshot, context: RunContext, isAsked: Bool = true) {
        worker = Mutex(nil)
        guard isAsked, !context.known.isKnown(.sound, of: store.state) else { return }
        let (soundness, state) = (store.soundness, store.state)
        guard store.isLarge, !Self.sparesMemory else {
            do throws(GodwitError) {
                try soundness.run(on: store.reader)
                context.known.note(.sound, of: state)
            } catch {
                outcome.error.withLock { $0 = error }
            }
            return
        }
        let work: @Sendable () -> Void = { [outcome] in
            do throws(GodwitError) {
                try soundness.run()
                context.known.note(.sound, of: state)
            } catch {
                outcome.error.withLock { $0 = error }
            }
        }
        if let thread = WorkerThread(work) { worker.withLock { $0 = thread } } else { work() }
    }

    deinit { wait() }

    /// Throws (65) unless nothing was found.
    package func require() throws(GodwitError) {
        wait()
        if let error = outcome.error.withLock({ $0 }) { throw error }
    }

    private func wait() {
        let thread = worker.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }

    private final class Outcome: Sendable {
        let error = Mutex<GodwitError?>(nil)
    }
}
