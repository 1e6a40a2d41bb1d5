/// Why a store may lack its newest records: something is wrong with its write-ahead log.
///
/// The raw values are the codes of warnings.
package enum LogGap: String, Sendable, CaseIterable {
    /// The store is in WAL mode, and no log came with it.
    case missing = "walMissing"
    /// The log holds commits that SQLite does not read.
    case damaged = "walDamaged"
    /// The log ends inside a frame.
    case truncated = "walTruncated"
}

extension Warning {
    /// What it says of a log; nil where it speaks of something else.
    package var logGap: LogGap? { LogGap(rawValue: code) }
}

extension [Warning] {
    /// The first one of a log that they say something of.
    package var firstLogGap: LogGap? { lazy.compactMap(\.logGap).first }
}
