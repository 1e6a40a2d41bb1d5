package import GodwitModel
internal import CSQLiteShim

extension SQLiteConnection {
    /// Runs one statement to its end, and reports the number of steps of SQLite's virtual machine, every 10,000 steps.
    ///
    /// - Parameter goesOn: receives the number, and stops the statement with false; must not use the connection:
    ///   <https://sqlite.org/c3ref/progress_handler.html>.
    package func execute(
        _ sql: String, unless cancellation: Cancellation, _ goesOn: (Int64) -> Bool
    ) throws(GodwitError) {
        var failure: GodwitError?
        withoutActuallyEscaping(goesOn) { goesOn in
            let watch = StatementWatch(cancellation, goesOn)
            sqlite3_progress_handler(
                handle, Int32(StatementWatch.interval),
                { context in
                    guard let context else { return 0 }
                    return Unmanaged<StatementWatch>.fromOpaque(context).takeUnretainedValue().goesOn() ? 0 : 1
                }, Unmanaged.passUnretained(watch).toOpaque())
            do throws(GodwitError) { try execute(sql) } catch { failure = error }
            SQLiteHardening.interrupt(handle, when: cancellation)
            withExtendedLifetime(watch) {}
        }
        if let failure { throw failure }
    }
}

/// SQLite calls it during a statement.
private final class StatementWatch {
    static let interval: Int64 = 10_000
    private let cancellation: Cancellation
    private let isWanted: (Int64) -> Bool
    private var steps: Int64 = 0

    init(_ cancellation: Cancellation, _ isWanted: @escaping (Int64) -> Bool) {
        (self.cancellation, self.isWanted) = (cancellation, isWanted)
    }

    func goesOn() -> Bool {
        steps += Self.interval
        return isWanted(steps) && !cancellation.isCancelled
    }
}
