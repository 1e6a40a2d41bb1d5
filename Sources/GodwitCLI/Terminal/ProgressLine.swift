import Godwit
import Synchronization

/// A line on a terminal with the progress of long work: records or containers, rate, time left; at most ten times a
/// second.
///
/// Hidden for the first half second, so that short work leaves no trace.
final class ProgressLine: Sendable {
    private struct State {
        var lastShown: ContinuousClock.Instant
        var isShown = false
        /// The number done before the start, which a resumed fleet reports first.
        var base: Int64?
    }

    private let start = ContinuousClock.now
    private let state: Mutex<State>

    init() {
        state = Mutex(State(lastShown: ContinuousClock.now.advanced(by: .milliseconds(400))))
    }

    /// Shows progress if enough time has passed.
    func show(_ progress: RunProgress) {
        let now = ContinuousClock.now
        let (isDue, base) = state.withLock { state in
            if state.base == nil { state.base = progress.stage == .fleet ? progress.completed : 0 }
            let base = state.base ?? 0
            guard now - state.lastShown >= .milliseconds(100) else { return (false, base) }
            state.lastShown = now
            state.isShown = true
            return (true, base)
        }
        guard isDue else { return }
        let seconds = Double((now - start).components.seconds) + Double((now - start).components.attoseconds) * 1e-18
        let rate = seconds > 0 ? Double(progress.completed - base) / seconds : 0
        var text = "\(progress.stage.rawValue)  \(progress.completed.grouped)"
        if let total = progress.total { text += " of \(total.grouped)" }
        let rateText = rate < 10 ? "\(Double(Int64(rate * 10)) / 10)" : Int64(rate).grouped
        text += " \(progress.stage == .fleet ? "containers" : "records"), \(rateText)/s"
        // A document may claim any number of records.
        if let total = progress.total, rate > 0, Double(total) / rate < 1e9 {
            text += ", \(max(0, Int64(Double(total - progress.completed) / rate))) s left"
        }
        ProcessSetup.writeError(Array("\r\u{1B}[K\(text)".utf8))
    }

    func clear() {
        if state.withLock({ $0.isShown }) { ProcessSetup.writeError(Array("\r\u{1B}[K".utf8)) }
    }
}
