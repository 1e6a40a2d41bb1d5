package import GodwitModel
import Synchronization

/// Numbered pieces of work, each done by the next free thread, with a tool of that thread's own.
package final class SharedWork<Tool, Outcome: Sendable>: Sendable {
    private struct State {
        var next = 0
        var outcomes: [Outcome?]
        /// The failure of the earliest piece that failed.
        var failure: (piece: Int, error: GodwitError)?
    }

    private let count: Int
    private let body: @Sendable (Int, Tool) throws(GodwitError) -> Outcome
    private let state: Mutex<State>

    /// Number of pieces, and the work for each of them.
    package init(_ count: Int, _ body: @escaping @Sendable (Int, Tool) throws(GodwitError) -> Outcome) {
        (self.count, self.body) = (count, body)
        state = Mutex(State(outcomes: Array(repeating: nil, count: count)))
    }

    /// Does all pieces, once; starts none after a failure, which it throws.
    ///
    /// - Parameters:
    ///   - threads: number of threads, including the calling one.
    ///   - startThread: if it starts none, the calling thread does everything.
    ///   - makeTool: makes another thread's tool, on that thread; a thread without a tool does nothing.
    ///
    /// - Returns: the result of each piece, in order.
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
    /// Work that needs no tool.
    package convenience init(_ count: Int, _ body: @escaping @Sendable (Int) throws(GodwitError) -> Outcome) {
        self.init(count) { piece, _ throws(GodwitError) in try body(piece) }
    }

    package func perform(
        threads: Int, startThread: WorkerThread.Start = { WorkerThread($0) }
    ) throws(GodwitError) -> [Outcome] {
        try perform(with: (), threads: threads, startThread: startThread) { () }
    }
}
