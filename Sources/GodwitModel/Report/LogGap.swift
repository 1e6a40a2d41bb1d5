/// Why a store may lack its newest records: a problem with its `-wal` file.
///
/// The raw values are codes of warnings.
package enum LogGap: String, Sendable, CaseIterable {
    /// The store is in WAL mode, and its `-wal` file is missing.
    case missing = "walMissing"
    /// The `-wal` file has commits that SQLite does not read.
    case damaged = "walDamaged"
    /// The `-wal` file ends inside a frame.
    case truncated = "walTruncated"
}

extension Warning {
    /// The problem with a `-wal` file that this warning reports; nil for other warnings.
    package var logGap: LogGap? { LogGap(rawValue: code) }
}

extension [Warning] {
    /// The first problem with a `-wal` file among these warnings.
    package var firstLogGap: LogGap? { lazy.compactMap(\.logGap).first }
}
