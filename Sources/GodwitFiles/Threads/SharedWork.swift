package import GodwitModel
import Synchronization

/// Pieces of work with numbers, each done by whichever thread is free, with a tool of that thread's own.
package final class SharedWork<Tool, Outcome: Sendable>: Sendable {
    private struct State {
        var next = 0
        var outcomes: [Outcome?]
        /// The first in the order of the pieces, among those that were begun.
        var failure: (piece: Int, error: GodwitError)?
    }

    private let count: Int
    private let body: @Sendable (Int, Tool) throws(GodwitError) -> Outcome
    private let state: Mutex<State>

    /// So many pieces, and what is done for each.
    package init(_ count: Int, _ body: @escaping @Sendable (Int, Tool) throws(GodwitError) -> Outcome) {
        (self.count, self.body) = (count, body)
        state = Mutex(State(outcomes: Array(repeating: nil, count: count)))
    }

    /// Does all of them, once; after a failure, which it throws, no other is begun.
    ///
    /// - Parameters:
    ///   - own: the calling thread's tool.
    ///   - threads: how many there are, the calling one included.
    ///   - startThread: where it starts none, the calling thread does everything.
    ///   - makeTool: makes another thread's tool, in that thread; one that gets none does not help.
    /// - Returns: what came of each, in their order.
    package func perform(
        with own: Tool, threads: Int, startThread: WorkerThread.Start = { WorkerThread($0) },
        makeTool: @escaping @Sendable () -> Tool?
    ) throws(GodwitError) -> [Outcome] {
        let further = max(0, min(threads, count) - 1)
        let helping = (0..<further).compactMap { _ in
            startThread {
                if let tool = makeTool() { self.work(with: tool) }
            }
        }
        work(with: own)
        for thread in helping { thread.join() }
        let (failure, outcomes) = state.withLock { ($0.failure, $0.outcomes) }
        if let failure { throw failure.error }
        return outcomes.compactMap(\.self)
    }

    private func work(with tool: Tool) {
        while let piece = take() {
            do throws(GodwitError) {
                let outcome = try body(piece, tool)
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

extension SharedWork where Tool == Void {
    /// Pieces that are done without a tool.
    package convenience init(_ count: Int, _ body: @escaping @Sendable (Int) throws(GodwitError) -> Outcome) {
        self.init(count) { piece, _ throws(GodwitError) in try body(piece) }
    }

    package func perform(
        threads: Int, startThread: WorkerThread.Start = { WorkerThread($0) }
    ) throws(GodwitError) -> [Outcome] {
        try perform(with: (), threads: threads, startThread: startThread) { () }
    }
}
