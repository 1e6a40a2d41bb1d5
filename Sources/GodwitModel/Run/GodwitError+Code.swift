extension GodwitError {
    /// The exit codes: those of `sysexits.h` if one fits, and small numbers for verdicts.
    ///
    /// An API: scripts depend on these numbers. Callers must treat an unknown number as a failure.
    public enum Code: Int32, Sendable, Codable, CaseIterable {
        /// Done, or nothing to do, or fresh.
        case done = 0
        /// A check found a difference.
        case difference = 1
        /// Changes are pending (`plan --exit-code`), or sync does not work (`status --exit-code`).
        case pending = 2
        /// Some values have the outcome `conflict` or `unsupported`, with `--strict`.
        case partial = 3
        /// An export is stale.
        case stale = 4
        /// The command line is wrong.
        case usage = 64
        /// Damaged file, edited or newer schema file, orphan, wrong hash, changed input.
        case data = 65
        /// Input does not exist, is not a regular file, or cannot be read.
        case noInput = 66
        /// A bug in Godwit.
        case bug = 70
        /// Output exists or cannot be created.
        case cannotCreate = 73
        /// I/O error or disk full; the failed stage committed nothing.
        case io = 74
        /// Locked by another run, or the store is in use; try again.
        case busy = 75
        /// Permission denied.
        case permission = 77
        /// Manifest unreadable, invalid or unsafe.
        case manifest = 78
        /// Cancelled by SIGINT, after a clean rollback.
        case interrupted = 130
        /// Cancelled by SIGTERM, or by SIGHUP (the terminal closed), after a clean rollback.
        case terminated = 143
    }
}
