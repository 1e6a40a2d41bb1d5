import Godwit

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the process settles before anything else.
enum ProcessSetup {
    /// Raised by SIGINT and SIGTERM; every command hands it to the pipeline.
    static let cancellation = Cancellation()

    /// A closed standard descriptor would be given to the next file that is opened, and messages written into it.
    ///
    /// All are opened for reading only: a result that is written to a closed output must fail, not vanish.
    static func reopenClosedDescriptors() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// A closed pipe and a file-size limit are errors of the call that met them, not deaths.
    static func turnSignalsIntoErrors() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// The handler only stores a number, which is all a handler may safely do.
    static func cancelOnSignals() {
        _ = cancellation
        // Whoever started this process may have blocked them; a blocked signal never arrives.
        var both = sigset_t()
        sigemptyset(&both)
        sigaddset(&both, SIGINT)
        sigaddset(&both, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &both, nil)
        signal(SIGINT) { _ in ProcessSetup.cancellation.cancel(.interrupted) }
        signal(SIGTERM) { _ in ProcessSetup.cancellation.cancel(.terminated) }
    }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// An environment variable; nil where it is unset or empty.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// Columns of the terminal on standard output; 80 where it is none.
    static var terminalWidth: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return min(Int(size.ws_col), 120)
    }

    /// Writes to standard error; there is nobody to tell if that fails.
    static func writeError(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
