/// What the process says on exit: `sysexits.h` where it has a word, small numbers for verdicts.
///
/// An API: scripts depend on these numbers. An unknown one must be treated as failure.
public enum ExitCode: Int32, Sendable, Codable, CaseIterable {
    /// Done, or nothing to do, or fresh.
    case done = 0
    /// A check found a difference.
    case difference = 1
    /// Changes pending (`plan --exit-code`), sync broken (`status --exit-code`).
    case pending = 2
    /// Some values ended in `conflict` or `unsupported`, under `--strict`.
    case partial = 3
    /// An export is stale.
    case stale = 4
    /// The command line is wrong.
    case usage = 64
    /// Damaged file, edited or newer migration, orphan, wrong hash, changed input.
    case data = 65
    /// Input missing, not a regular file, unreadable.
    case noInput = 66
    /// A bug in Godwit.
    case bug = 70
    /// Output exists or can't be created.
    case cannotCreate = 73
    /// I/O error or disk full; nothing committed by the failing stage.
    case io = 74
    /// Locked by another run, or the store is in use: try again.
    case busy = 75
    /// Permission denied.
    case permission = 77
    /// Manifest unreadable, invalid or unsafe.
    case manifest = 78
    /// Cancelled by SIGINT, after a clean rollback.
    case interrupted = 130
    /// Cancelled by SIGTERM, or by SIGHUP (its terminal was closed), after a clean rollback.
    case terminated = 143
}
