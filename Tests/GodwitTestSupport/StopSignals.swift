import Libc

/// The signals that ask a process to end, as a test's child processes receive them.
public enum StopSignals {
    /// Starts children that receive signals: a child inherits the signals that the calling thread blocks, and
    /// Dispatch's threads block all of them.
    public static func unblocked<Result>(_ body: () throws -> Result) rethrows -> Result {
        try changed(SIG_UNBLOCK, body)
    }

    /// Starts children that receive the signals only after they unblock them.
    public static func blocked<Result>(_ body: () throws -> Result) rethrows -> Result {
        try changed(SIG_BLOCK, body)
    }

    private static func changed<Result>(_ how: Int32, _ body: () throws -> Result) rethrows -> Result {
        var (wanted, before) = (sigset_t(), sigset_t())
        sigemptyset(&wanted)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&wanted, number) }
        pthread_sigmask(how, &wanted, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try body()
    }
}
