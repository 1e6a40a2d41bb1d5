extension RunReport {
    /// The result of `verify`, check by check.
    public struct Verify: Sendable, Codable {
        /// `done` if every check passed or was skipped, otherwise `failed`.
        ///
        /// `alreadyDone` if a run found everything complete and made no new checks; `nothingToDo` if there was nothing to
        /// check.
        public var outcome: Outcome
        /// The checks, in order.
        public var checks: [RunReport.Verify.Check]
        /// Changes in the cloud store since the copy, by entity; nil if not known.
        package var changedInCloud: [RunReport.Verify.Changes]?

        /// A report from its checks; a failed check makes the outcome `failed`.
        package init(checks: [RunReport.Verify.Check], outcome: Outcome = .done) {
            self.checks = checks
            self.outcome = checks.contains { $0.verdict == .failed } ? .failed : outcome
        }
    }
}

extension RunReport.Verify {
    /// Number of copied records of an entity that were deleted or edited in the cloud store since the copy.
    package struct Changes: Sendable, Codable, Equatable {
        /// The entity.
        package var entity: String
        /// Local records from before the receipt that the cloud store does not have.
        package var deleted: Int64
        /// Local records that the cloud store has with other values and a later date.
        package var edited: Int64

        /// The changes of an entity.
        package init(entity: String, deleted: Int64, edited: Int64) {
            (self.entity, self.deleted, self.edited) = (entity, deleted, edited)
        }

        /// One sentence: `Note: 2 records were deleted and 1 record was edited in the cloud store since the copy`.
        package var sentence: String {
            let parts = [(deleted, "deleted"), (edited, "edited")].filter { $0.0 > 0 }
            let done = parts.map { count, what in "\(count.counted("record")) \(count == 1 ? "was" : "were") \(what)" }
            return "\(entity): \(done.joined(separator: " and ")) in the cloud store since the copy"
        }
    }
}

extension RunReport.Verify {
    /// One check.
    public struct Check: Sendable, Codable {
        /// A stable name, such as `integrity.local` or `everyRecordInCloud.Workout`.
        public var name: String
        /// The result.
        public var verdict: RunReport.Verify.Verdict
        /// The checked data, or the difference; never a value.
        public var detail: String
        /// Number of things that were checked.
        public var count: Int64?
        /// The first 20 records with a finding; nil for none.
        ///
        /// Sorted by key; for orphans first by reference.
        package var records: [RunReport.Verify.Record]?

        /// One check.
        package init(
            _ name: String, _ verdict: RunReport.Verify.Verdict, _ detail: String, count: Int64? = nil,
            records: [RunReport.Verify.Record] = []
        ) {
            self.records = records.isEmpty ? nil : records
            (self.name, self.verdict, self.detail, self.count) = (name, verdict, detail, count)
        }
    }
}

extension RunReport.Verify.Check {
    /// The name of the check that fails if no run has changed the container.
    package static let migrated = "migrated"

    /// The start of its detail if a run would fail, before the exit code.
    package static let refusal = "a run would end with exit code"

    /// Whether this check found that no run has changed the container.
    package var isUnmigrated: Bool { name == Self.migrated && verdict == .failed }
}

extension RunReport.Verify {
    /// A record that a check names.
    package struct Record: Sendable, Codable, Equatable {
        /// What is wrong with the record, or unclear; for a copy, compared with the cloud record.
        package enum Finding: String, Sendable, Codable {
            /// The cloud store does not have it.
            case missing
            /// It was copied, and deleted in the cloud store later.
            case deleted
            /// The cloud store has it with other values, but by the entity's rule the local values win.
            case different
            /// The cloud store has it with other values and the same date.
            case sameDate
            /// The cloud store has it with other values, and neither record has a date.
            case undated
            /// It refers to a record that is not in its store.
            case dangling
        }

        /// Number of records that a check names at most.
        package static let limit = 20

        /// Its key; a blob as `x'0A1B…'` with 32 bytes at most.
        package var key: String
        /// The finding.
        package var finding: Finding
        /// The orphan's reference as `Entity.column`, or `table.column+column` for a foreign key; nil for other findings.
        package var reference: String?

        /// One record.
        package init(_ key: String, _ finding: Finding, reference: String? = nil) {
            (self.key, self.finding, self.reference) = (key, finding, reference)
        }
    }
}

extension RunReport.Verify {
    /// The result of a check.
    public enum Verdict: String, Sendable, Codable {
        /// The check holds.
        case passed
        /// The check does not hold.
        case failed
        /// There was nothing to check.
        case skipped
    }
}
