internal import GodwitFiles
internal import GodwitModel

/// Waits for a store that another process has locked.
///
/// Not `sqlite3_busy_timeout`, which does not notice signals before its time is over.
enum BusyWait {
    /// Sleeps for 20 ms; false if the total time is over or the run was cancelled.
    ///
    /// - Parameters:
    ///   - count: number of earlier sleeps for the same lock.
    ///   - milliseconds: minimum time to wait in total.
    static func goesOn(after count: Int, upTo milliseconds: Int, _ cancellation: Cancellation?) -> Bool {
        guard cancellation?.isCancelled != true, count * step < milliseconds else { return false }
        pause(milliseconds: UInt32(step))
        return true
    }

    private static let step = 20
}
