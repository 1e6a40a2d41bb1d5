/// What was proven, check by check.
public struct VerifyReport: Sendable, Codable {
    /// `done` when every check passed or was skipped, else `failed`; `alreadyDone` where a run found all done and proved
    /// nothing anew, `nothingToDo` where there was nothing to prove.
    public var outcome: Outcome
    /// The checks, in order.
    public var checks: [VerifiedCheck]
    /// What users did in the cloud store since the copy, by entity; nil where nothing is known of it.
    public var changedInCloud: [ChangedEntity]?

    /// A report from its checks; the outcome holds unless one of them failed.
    public init(checks: [VerifiedCheck], outcome: Outcome = .done) {
        self.checks = checks
        self.outcome = checks.contains { $0.verdict == .failed } ? .failed : outcome
    }
}

/// How many records of an entity were deleted or edited in the cloud store since they were copied there.
public struct ChangedEntity: Sendable, Codable, Equatable {
    /// The entity.
    public var entity: String
    /// Local records that the receipt's time covers, and that the cloud store lacks.
    public var deleted: Int64
    /// Local records that the cloud store has with other values and a later date.
    public var edited: Int64

    /// The changes of an entity.
    public init(entity: String, deleted: Int64, edited: Int64) {
        (self.entity, self.deleted, self.edited) = (entity, deleted, edited)
    }

    /// One sentence: `Note: 2 records were deleted and 1 record was edited in the cloud store since the copy`.
    package var sentence: String {
        let parts = [(deleted, "deleted"), (edited, "edited")].filter { $0.0 > 0 }
        let done = parts.map { count, what in "\(count.counted("record")) \(count == 1 ? "was" : "were") \(what)" }
        return "\(entity): \(done.joined(separator: " and ")) in the cloud store since the copy."
    }
}

/// One check.
public struct VerifiedCheck: Sendable, Codable {
    /// A stable name, such as `integrity.local` or `everyRecordInCloud.Workout`.
    public var name: String
    /// What came of it.
    public var verdict: Verdict
    /// What was looked at, or what differs; never a value.
    public var detail: String
    /// How many things were looked at.
    public var count: Int64?
    /// The records in question, the first twenty of them; nil where there are none.
    ///
    /// In the order of their keys; where references lead nowhere, reference by reference.
    public var records: [CheckedRecord]?

    /// One check.
    public init(
        _ name: String, _ verdict: Verdict, _ detail: String, count: Int64? = nil, records: [CheckedRecord] = []
    ) {
        self.records = records.isEmpty ? nil : records
        self.name = name
        self.verdict = verdict
        self.detail = detail
        self.count = count
    }
}

extension VerifiedCheck {
    /// The name of the check that fails where no run has changed the container.
    package static let migrated = "migrated"

    /// What its detail says of a run that would be refused, up to the code.
    package static let refusal = "a run would end with exit code"

    /// Whether it says that no run has changed the container.
    package var isUnmigrated: Bool { name == Self.migrated && verdict == .failed }
}

/// A record that a check names.
public struct CheckedRecord: Sendable, Codable, Equatable {
    /// What is wrong with it; of a copy, with the cloud's, or what can't be told of that.
    public enum Finding: String, Sendable, Codable {
        /// It is not in the cloud store.
        case missing
        /// It was copied, and was deleted in the cloud store since.
        case deleted
        /// It is, with other values, and by the rule of its entity the local ones count.
        case different
        /// It is, with other values and the date of the local one.
        case sameDate
        /// It is, with other values, and neither has a date.
        case undated
        /// It refers to a record that is not in its store.
        case dangling
    }

    /// How many of a check are named.
    package static let limit = 20

    /// Its key; a blob as `x'0A1B…'`, of which 32 bytes are shown at the most.
    public var key: String
    /// What was found.
    public var finding: Finding
    /// What in it leads nowhere, as `Entity.column`, or `table.column+column` of a foreign key; nil of other findings.
    public var reference: String?

    /// One record.
    public init(_ key: String, _ finding: Finding, reference: String? = nil) {
        (self.key, self.finding, self.reference) = (key, finding, reference)
    }
}

/// What came of a check.
public enum Verdict: String, Sendable, Codable {
    /// It holds.
    case passed
    /// It does not hold.
    case failed
    /// There is nothing to check.
    case skipped
}
