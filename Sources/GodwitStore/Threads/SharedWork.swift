package import GodwitModel
import Synchronization

/// Pieces of work with numbers, each done by whichever thread is free.
package final class SharedWork<Outcome: Sendable>: Sendable {
    private struct State {
        var next = 0
        var outcomes: [Outcome?]
        /// The first in the order of the pieces, among those that were begun.
        var failure: (piece: Int, error: GodwitError)?
    }

    private let count: Int
    private let body: @Sendable (Int) throws(GodwitError) -> Outcome
    private let state: Mutex<State>

    /// So many pieces, and what is done for each.
    package init(_ count: Int, _ body: @escaping @Sendable (Int) throws(GodwitError) -> Outcome) {
        (self.count, self.body) = (count, body)
        state = Mutex(State(outcomes: Array(repeating: nil, count: count)))
    }

    /// Does all of them, once; after a failure, which it throws, no other is begun.
    ///
    /// - Parameters:
    ///   - threads: how many there are, the calling one included.
    ///   - startThread: where it starts none, the calling thread does everything.
    /// - Returns: what came of each, in their order.
    package func perform(
        threads: Int, startThread: WorkerThread.Start = { WorkerThread($0) }
    ) throws(GodwitError) -> [Outcome] {
        let further = max(0, min(threads, count) - 1)
        let helping = (0..<further).compactMap { _ in startThread { self.work() } }
        work()
        for thread in helping { thread.join() }
        let (failure, outcomes) = state.withLock { ($0.failure, $0.outcomes) }
        if let failure { throw failure.error }
        return outcomes.compactMap(\.self)
    }

    private func work() {
        while let piece = take() {
            do throws(GodwitError) {
                let outcome = try body(piece)
                state.withLock { $0.outcomes[piece] = outcome }
            } catch {
                state.withLock { state in
                    if piece < state.failure?.piece ?? count { state.failure = (piece, error) }
                }
            }
        }
    }

    private func take() -> Int? {
        state.withLock { state in
            guard state.failure == nil, state.next < count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }
}
