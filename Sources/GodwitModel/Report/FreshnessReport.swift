/// How stale exports are as of now: what `godwit freshness` found.
public struct FreshnessReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// `freshness`.
    public var command = "freshness"
    /// Version of Godwit.
    public var godwitVersion: String
    /// The time that ages are counted to.
    public var asOf: Instant
    /// The clock, if it was set by hand.
    public var clock: SetClock?
    /// One for each file that was named, and for each series of exports in a folder that was named.
    public var exports: [ExportFreshness]
    /// Exports by status.
    public var counts: [String: Int]

    /// A report from its entries; they are counted here.
    public init(godwitVersion: String, asOf: Instant, exports: [ExportFreshness]) {
        self.godwitVersion = godwitVersion
        self.asOf = asOf
        self.exports = exports
        counts = FreshnessStatus.allCases.reduce(into: [:]) { counts, status in
            counts[status.rawValue] = exports.count { $0.status == status }
        }
    }
}

/// How stale one export is, or the newest of a series.
///
/// Three times are kept apart: the date of the newest record, that of the export, and that of the last export which
/// succeeded.
public struct ExportFreshness: Sendable, Codable, Equatable {
    /// What was named: a file or a folder.
    public var path: String
    /// The file that was judged; nil where there is none.
    public var file: String?
    /// The app that it is of.
    public var app: String?
    /// The entities that it is a selection of; nil for all.
    public var selection: [String]?
    /// Its identifier.
    public var exportId: String?
    /// The verdict as of now.
    public var status: FreshnessStatus
    /// What was found as of now; the worst first.
    public var findings: [FreshnessFinding]
    /// What the export says of the time it was made, without what its age was then.
    public var recorded: [FreshnessReason]
    /// Date of the newest record; nil where none has a readable one.
    public var newestRecordAt: Instant?
    /// From `newestRecordAt` to now, in seconds; never negative.
    public var dataAgeSeconds: Int64?
    /// When the export was made.
    public var exportedAt: Instant?
    /// From `exportedAt` to now, in seconds; never negative.
    public var exportAgeSeconds: Int64?
    /// When the newest export of the series was made that is whole; nil where none is.
    public var lastSuccessAt: Instant?
    /// When an export was last tried, as the folder's index says; nil without an index.
    public var lastAttemptAt: Instant?
    /// What the ages were measured against.
    public var criteria: FreshnessCriteria

    /// An entry without findings.
    public init(path: String, status: FreshnessStatus = .pass, criteria: FreshnessCriteria) {
        self.path = path
        self.status = status
        self.criteria = criteria
        (findings, recorded) = ([], [])
    }
}

/// Something that was found while an export's freshness was judged as of now.
public struct FreshnessFinding: Sendable, Codable, Hashable {
    /// A stable word for programs.
    public var code: FreshnessFindingCode
    /// One sentence for people.
    public var message: String

    /// A finding.
    public init(_ code: FreshnessFindingCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// What can be found; the worst first.
public enum FreshnessFindingCode: String, Sendable, Codable, CaseIterable {
    /// There is no export.
    case missing
    /// There is something, but no export that can be read.
    case unreadable
    /// An export that is not whole: cut, edited, or written by a run that was stopped.
    case notWhole
    /// An increment whose base is not there, so that nothing can be restored from it.
    case baseMissing
    /// The data is older than `errorAfter`.
    case olderThanErrorAfter
    /// No record is dated, and the export is older than `errorAfter`.
    case exportOlderThanErrorAfter
    /// An age is asked for, and no export is dated before now.
    case onlyInFuture
    /// The last attempt to export failed.
    case attemptFailed
    /// An export is dated in the future; others decide, or no age is asked for.
    case exportedInFuture
    /// A record is dated in the future.
    case recordInFuture
    /// The data is older than `warnAfter`.
    case olderThanWarnAfter
    /// No record is dated, and the export is older than `warnAfter`.
    case exportOlderThanWarnAfter
    /// The export holds nothing.
    case noData

    /// Whether it alone makes an export stale.
    public var isError: Bool {
        switch self {
        case .missing, .unreadable, .notWhole, .baseMissing, .olderThanErrorAfter, .exportOlderThanErrorAfter,
            .onlyInFuture:
            true
        default: false
        }
    }
}
