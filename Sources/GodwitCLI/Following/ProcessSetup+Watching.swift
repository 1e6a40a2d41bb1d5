import Libc
import Godwit
import Synchronization

/// What watching asks of the system.
extension ProcessSetup {
    private static let stopRequested = Atomic<Bool>(false)

    /// Lets Ctrl-Z be answered after the terminal was given back, instead of at once; not where a shell without job
    /// control ignores it.
    static func answerStops() {
        var action = sigaction()
        sigaction(SIGTSTP, nil, &action)
        guard !isIgnored(action) else { return }
        signal(SIGTSTP) { _ in ProcessSetup.stopRequested.store(true, ordering: .relaxed) }
    }

    /// Whether Ctrl-Z was pressed since this was asked last.
    static func isToBeStopped() -> Bool { stopRequested.exchange(false, ordering: .relaxed) }

    /// Stops this process until it is told to go on.
    static func stop() { kill(getpid(), SIGSTOP) }

    /// Sleeps, or less long where a signal comes.
    static func wait(_ duration: Duration) {
        let parts = duration.components
        var time = timespec()
        time.tv_sec = time_t(parts.seconds)
        time.tv_nsec = Int(parts.attoseconds / 1_000_000_000)
        nanosleep(&time, nil)
    }

    /// The terminal's columns and rows; 80 by 24 where it does not say.
    static var window: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Throws (74) where whoever read standard output has gone: else that would be found out only with the next change.
    static func requireReader() throws(GodwitError) {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        guard poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 else { return }
        throw GodwitError(
            .status, .io, "Can't write to standard output.", hint: "Whatever reads it has gone.")
    }
}
