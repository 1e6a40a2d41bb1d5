/// The freshness of exports at the present time: the result of `godwit freshness`.
public struct FreshnessReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// `freshness`.
    public var command = "freshness"
    /// Version of Godwit.
    public var godwitVersion: String
    /// The time at which ages are measured.
    public var asOf: Instant
    /// The clock, if it was set by an option.
    public var clock: SetClock?
    /// One entry for each file given, and for each series of exports in a folder given.
    public var exports: [ExportFreshness]
    /// Number of exports by status.
    public var counts: [String: Int]

    /// Counts the entries by status.
    public init(godwitVersion: String, asOf: Instant, exports: [ExportFreshness]) {
        (self.godwitVersion, self.asOf, self.exports) = (godwitVersion, asOf, exports)
        counts = FreshnessStatus.allCases.reduce(into: [:]) { counts, status in
            counts[status.rawValue] = exports.count { $0.status == status }
        }
    }
}

/// The freshness of one export, or of the newest export of a series.
///
/// It separates three times: of the newest record, of the export, and of the last successful export.
public struct ExportFreshness: Sendable, Codable, Equatable {
    /// The file or folder as given.
    public var path: String
    /// The judged file; nil for none.
    public var file: String?
    /// The app of the export.
    public var app: String?
    /// The exported entities; nil for all.
    public var selection: [String]?
    /// Its identifier.
    public var exportId: String?
    /// The verdict at the present time.
    public var status: FreshnessStatus
    /// Findings at the present time, worst first.
    public var findings: [FreshnessFinding]
    /// Reasons that the export itself records, except those about its age.
    public var recorded: [FreshnessReason]
    /// Date of the newest record; nil if no record has a readable date.
    public var newestRecordAt: Instant?
    /// Seconds from `newestRecordAt` to now; never negative.
    public var dataAgeSeconds: Int64?
    /// When the export was made.
    public var exportedAt: Instant?
    /// Seconds from `exportedAt` to now; never negative.
    public var exportAgeSeconds: Int64?
    /// When the newest complete export of the series was made; nil for none.
    public var lastSuccessAt: Instant?
    /// When an export was last attempted, by the folder's index; nil without an index.
    public var lastAttemptAt: Instant?
    /// The ages on which the verdict is based.
    public var criteria: FreshnessCriteria

    /// An entry without findings.
    public init(path: String, status: FreshnessStatus = .pass, criteria: FreshnessCriteria) {
        (self.path, self.status, self.criteria) = (path, status, criteria)
        (findings, recorded) = ([], [])
    }
}

/// A finding about an export at the present time.
public struct FreshnessFinding: Sendable, Codable, Hashable {
    /// A stable code for programs.
    public var code: FreshnessFindingCode
    /// One sentence for the reader.
    public var message: String

    /// A finding.
    public init(_ code: FreshnessFindingCode, _ message: String) {
        (self.code, self.message) = (code, message)
    }
}

/// The kinds of findings, worst first.
public enum FreshnessFindingCode: String, Sendable, Codable, CaseIterable {
    /// No export exists.
    case missing
    /// No export can be read.
    case unreadable
    /// The export is incomplete: truncated, edited, or from a run that was stopped.
    case notWhole
    /// The base of an increment is missing, so that the increment cannot be restored.
    case baseMissing
    /// The data is older than `errorAfter`.
    case olderThanErrorAfter
    /// No record has a date, and the export is older than `errorAfter`.
    case exportOlderThanErrorAfter
    /// The manifest sets ages, and every export is dated in the future.
    case onlyInFuture
    /// The last attempt to export failed.
    case attemptFailed
    /// An export is dated in the future; other exports decide, or no age is set.
    case exportedInFuture
    /// A record is dated in the future.
    case recordInFuture
    /// The data is older than `warnAfter`.
    case olderThanWarnAfter
    /// No record has a date, and the export is older than `warnAfter`.
    case exportOlderThanWarnAfter
    /// The export has no records.
    case noData

    /// Whether this finding makes an export stale.
    public var isError: Bool {
        switch self {
        case .missing, .unreadable, .notWhole, .baseMissing, .olderThanErrorAfter, .exportOlderThanErrorAfter,
            .onlyInFuture:
            true
        default: false
        }
    }
}
