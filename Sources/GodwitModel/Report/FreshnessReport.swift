/// The freshness of exports at the present time: the result of `godwit freshness`.
package struct FreshnessReport: Sendable, Codable {
    /// Version of this format.
    package var reportVersion = 1
    /// `freshness`.
    package var command = "freshness"
    /// Version of Godwit.
    package var godwitVersion: String
    /// The time at which ages are measured.
    package var asOf: Instant
    /// The clock, if it was set by an option.
    package var clock: SetClock?
    /// One entry for each file given, and for each series of exports in a folder given.
    package var exports: [ExportFreshness]
    /// Number of exports by status.
    package var counts: [String: Int]

    /// Counts the entries by status.
    package init(godwitVersion: String, asOf: Instant, exports: [ExportFreshness]) {
        (self.godwitVersion, self.asOf, self.exports) = (godwitVersion, asOf, exports)
        counts = Freshness.Status.allCases.reduce(into: [:]) { counts, status in
            counts[status.rawValue] = exports.count { $0.status == status }
        }
    }
}

/// The freshness of one export, or of the newest export of a series.
///
/// It separates three times: of the newest record, of the export, and of the last successful export.
package struct ExportFreshness: Sendable, Codable, Equatable {
    /// The file or folder as given.
    package var path: String
    /// The judged file; nil for none.
    package var file: String?
    /// The app of the export.
    package var app: String?
    /// The exported entities; nil for all.
    package var selection: [String]?
    /// Its identifier.
    package var exportId: String?
    /// The verdict at the present time.
    package var status: Freshness.Status
    /// Findings at the present time, worst first.
    package var findings: [FreshnessFinding]
    /// Reasons that the export itself records, except those about its age.
    package var recorded: [Freshness.Reason]
    /// Date of the newest record; nil if no record has a readable date.
    package var newestRecordAt: Instant?
    /// Seconds from `newestRecordAt` to now; never negative.
    package var dataAgeSeconds: Int64?
    /// When the export was made.
    package var exportedAt: Instant?
    /// Seconds from `exportedAt` to now; never negative.
    package var exportAgeSeconds: Int64?
    /// When the newest complete export of the series was made; nil for none.
    package var lastSuccessAt: Instant?
    /// When an export was last attempted, by the folder's index; nil without an index.
    package var lastAttemptAt: Instant?
    /// The ages on which the verdict is based.
    package var criteria: Freshness.Criteria

    /// An entry without findings.
    package init(path: String, status: Freshness.Status = .pass, criteria: Freshness.Criteria) {
        (self.path, self.status, self.criteria) = (path, status, criteria)
        (findings, recorded) = ([], [])
    }
}

/// A finding about an export at the present time.
package struct FreshnessFinding: Sendable, Codable, Hashable {
    /// A stable code for programs.
    package var code: FreshnessFindingCode
    /// One sentence for the reader.
    package var message: String

    /// A finding.
    package init(_ code: FreshnessFindingCode, _ message: String) {
        (self.code, self.message) = (code, message)
    }
}

/// The kinds of findings, worst first.
package enum FreshnessFindingCode: String, Sendable, Codable, CaseIterable {
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
    package var isError: Bool {
        switch self {
        case .missing, .unreadable, .notWhole, .baseMissing, .olderThanErrorAfter, .exportOlderThanErrorAfter,
            .onlyInFuture:
            true
        default: false
        }
    }
}
