import Libc
import Godwit
import Synchronization

/// System calls for watching.
extension ProcessSetup {
    private static let stopRequested = Atomic<Bool>(false)

    /// Delays Ctrl-Z until the terminal is restored, unless a shell without job control ignores the signal.
    static func answerStops() {
        var action = sigaction()
        sigaction(SIGTSTP, nil, &action)
        guard !isIgnored(action) else { return }
        signal(SIGTSTP) { _ in ProcessSetup.stopRequested.store(true, ordering: .relaxed) }
    }

    /// Whether Ctrl-Z was pressed since the last call.
    static func isToBeStopped() -> Bool { stopRequested.exchange(false, ordering: .relaxed) }

    /// Stops this process until it is continued.
    static func stop() { kill(getpid(), SIGSTOP) }

    /// Sleeps for a duration, or until a signal arrives.
    static func wait(_ duration: Duration) {
        let parts = duration.components
        var time = timespec()
        time.tv_sec = time_t(parts.seconds)
        time.tv_nsec = Int(parts.attoseconds / 1_000_000_000)
        nanosleep(&time, nil)
    }

    /// The terminal's columns and rows; 80 by 24 if they are not known.
    static var window: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Throws (74) if the reader of standard output has ended, which would otherwise be noticed only at the next
    /// change.
    static func requireReader() throws(GodwitError) {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        guard poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 else { return }
        throw GodwitError(
            .status, .io, "can't write to standard output", hint: "Check the program that reads the output.")
    }
}
