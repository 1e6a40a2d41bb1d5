internal import GodwitModel
internal import Synchronization

/// The events that a thread reports to its waiting task: its progress, then its result.
///
/// Only the newest progress of each stage is kept, so that a slow listener delays nothing. The result comes last, also
/// after the task was cancelled: the work then rolls back, and the task must wait for that.
final class WorkEvents<Value: Sendable>: Sendable {
    enum Event {
        case progress(RunProgress)
        case end(Result<Value, any Error>)
    }

    private struct State {
        var progress: [RunProgress] = []
        var result: Result<Value, any Error>?
        var waiter: CheckedContinuation<Void, Never>?

        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    private let state = Mutex(State())

    func report(_ progress: RunProgress) {
        state.withLock { state in
            if state.progress.last?.stage == progress.stage { state.progress.removeLast() }
            state.progress.append(progress)
            return state.takeWaiter()
        }?.resume()
    }

    func end(_ result: Result<Value, any Error>) {
        state.withLock { state in
            state.result = result
            return state.takeWaiter()
        }?.resume()
    }

    /// The next event; for one task only.
    func next() async -> Event {
        while true {
            if let event = takeEvent() { return event }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.progress.isEmpty, state.result == nil else { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    private func takeEvent() -> Event? {
        state.withLock { state in
            guard state.progress.isEmpty else { return .progress(state.progress.removeFirst()) }
            return state.result.map { .end($0) }
        }
    }
}
