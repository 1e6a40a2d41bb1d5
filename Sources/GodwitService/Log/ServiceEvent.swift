package import GodwitModel

/// What a service has to say: one event for each export that was due, and a few of itself.
package enum ServiceEvent: Sendable {
    /// An export was due, and this became of it.
    case ran(ServiceRun)
    /// The service began, was told something, or ends.
    case note(ServiceNote)
}

/// What the service says of itself.
package struct ServiceNote: Sendable, Encodable {
    package var kind = "serviceNote"
    package var at: Instant
    /// Whether something is wrong.
    package var isWarning = false
    package var message: String

    private enum CodingKeys: String, CodingKey { case kind = "messageType", at, isWarning, message }

    package init(at: Instant, isWarning: Bool = false, message: String) {
        (self.at, self.isWarning, self.message) = (at, isWarning, message)
    }
}

/// What became of an export that was due.
package struct ServiceRun: Sendable, Encodable {
    package var kind = "exportRun"
    /// When it began.
    package var at: Instant
    package var outcome: ExportAttempt.Outcome
    /// Why it was due.
    package var cause: ExportTimetable.Cause
    package var durationMilliseconds: Int64
    /// The export that was written, or that makes a new one superfluous.
    package var file: String?
    package var records: Int64?
    package var bytes: Int64?
    package var freshness: FreshnessStatus?
    /// The store it is of.
    package var store: StoreRole?
    /// Codes of warnings.
    package var warnings: [String]?
    /// What a command would have exited with, where it failed.
    package var code: Int32?
    package var message: String?
    package var hint: String?
    /// How long until it is tried again, in milliseconds, where it failed.
    package var retryMilliseconds: Int64?

    private enum CodingKeys: String, CodingKey {
        case kind = "messageType", at, outcome, cause, durationMilliseconds, file, store, records, bytes, freshness,
            warnings
        case code, message, hint, retryMilliseconds
    }

    package init(at: Instant, cause: ExportTimetable.Cause, outcome: ExportAttempt.Outcome, milliseconds: Int64) {
        (self.at, self.cause, self.outcome) = (at, cause, outcome)
        durationMilliseconds = milliseconds
    }

    package mutating func take(_ report: ExportReport) {
        file = report.file ?? report.unchangedSince
        records = report.counts.values.reduce(0, +)
        bytes = report.file == nil ? nil : report.bytes
        freshness = report.freshness.status
        store = report.store
        warnings = report.warnings.isEmpty ? nil : report.warnings.map(\.code)
    }

    package mutating func take(_ error: GodwitError, retryIn delay: Int64?) {
        (code, message, hint) = (error.code.rawValue, error.message, error.hint)
        retryMilliseconds = delay
    }
}
