import Libc

/// The signals that ask a process to end, as the children of a test meet them.
public enum StopSignals {
    /// Starts children that can be signalled: a child inherits what the calling thread blocks, and threads of Dispatch block
    /// every signal.
    public static func unblocked<Result>(_ body: () throws -> Result) rethrows -> Result {
        try changed(SIG_UNBLOCK, body)
    }

    /// Starts children that a signal reaches only when they let it.
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
