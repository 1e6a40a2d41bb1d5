internal import GodwitFiles
internal import GodwitModel

/// Waiting for a store that another process holds.
///
/// Not `sqlite3_busy_timeout`, which hears of no signal before its time is over.
enum BusyWait {
    /// Sleeps a little; false where it has slept long enough, or somebody cancelled.
    ///
    /// - Parameters:
    ///   - count: how often it slept for the same lock.
    ///   - milliseconds: how long to wait in all; at least that long is waited.
    static func goesOn(after count: Int, upTo milliseconds: Int, _ cancellation: Cancellation?) -> Bool {
        guard cancellation?.isCancelled != true, count * step < milliseconds else { return false }
        pause(milliseconds: UInt32(step))
        return true
    }

    private static let step = 20
}
