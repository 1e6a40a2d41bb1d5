package import GodwitModel

/// An event of the service: the result of a due export, or a note.
package enum ServiceEvent: Sendable {
    /// The result of a due export.
    case ran(ServiceRun)
    /// The service began, was reloaded, or ends.
    case note(ServiceNote)
}

/// A note of the service about itself.
package struct ServiceNote: Sendable, Encodable {
    package var kind = "serviceNote"
    package var at: Instant
    package var isWarning = false
    package var message: String

    private enum CodingKeys: String, CodingKey { case kind = "messageType", at, isWarning, message }

    package init(at: Instant, isWarning: Bool = false, message: String) {
        (self.at, self.isWarning, self.message) = (at, isWarning, message)
    }
}

/// The result of a due export.
package struct ServiceRun: Sendable, Encodable {
    package var kind = "exportRun"
    package var at: Instant
    package var outcome: ExportAttempt.Outcome
    package var cause: ExportTimetable.Cause
    package var durationMilliseconds: Int64
    /// The new export, or the current one with the same content.
    package var file: String?
    package var records: Int64?
    package var bytes: Int64?
    package var freshness: Freshness.Status?
    package var store: StoreRole?
    package var warnings: [String]?
    /// The exit code that a command would have, if it failed.
    package var code: Int32?
    package var message: String?
    package var hint: String?
    /// Milliseconds until the next attempt, if it failed.
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
