package import GodwitModel

/// The result of comparing one entity some time after its copy, when users have worked in the cloud store.
///
/// A record that existed at the time of the receipt, and that the cloud store lacks or has with a later date, was
/// deleted or edited there. But if every record of an entity is missing, that is a difference: it is more likely a
/// fault than the action of a user.
package struct EntityAfterCopy: Sendable {
    package let finding: CopyProof.Finding
    /// Local records that the cloud store lacks and should have.
    package private(set) var missing: Int64
    /// Local records that the cloud store should have with the local values.
    package private(set) var different: Int64
    package private(set) var deleted: Int64 = 0
    package private(set) var edited: Int64 = 0
    /// Local records that the cloud store lacks; they were deleted there, or written after the copy.
    package private(set) var unjudged: Int64 = 0
    /// Different records of which neither has a date.
    package private(set) var undated: Int64
    /// Whether more records differ under equal dates than after the copy: a value changed, but its date did not.
    package private(set) var hasNewTies = false
    /// The first records that are missing or different.
    package private(set) var failed: [RunReport.Verify.Record]

    package var holds: Bool { missing == 0 && different == 0 }

    /// Number of local records that are not copied yet.
    package var pending: Int64 { missing + different }

    /// Whether the cloud store has none of the local records.
    package var isGone: Bool { finding.local > 0 && finding.missing == finding.local }

    /// - Parameter copied: the entity in the receipt; nil if there is none, or if all local records must be in the
    ///   cloud store.
    package init(_ finding: CopyProof.Finding, copied: RunReport.Copy.Entity?) {
        self.finding = finding
        (missing, different, undated) = (finding.missing, finding.different, finding.undated)
        failed = finding.failed
        guard let copied, !isGone else { return }
        let found = finding.sinceCopy
        let later = finding.missing - found.deleted - found.unclear
        // More records than the copy found were added since, independent of their dates.
        let added = max(0, finding.local &- (copied.local &- copied.duplicates) &- later)
        let addedUnclear = min(found.unclear, added)
        let addedEarlier = min(found.deleted, added - addedUnclear)
        missing = later + addedUnclear + addedEarlier
        different = finding.different - found.edited - found.undated
        deleted = found.deleted - addedEarlier
        edited = found.edited + max(found.newerThanCopy, found.newer &- copied.cloudKept)
        unjudged = found.unclear - addedUnclear
        undated += found.undated
        hasNewTies = finding.sameDate > copied.sameDate
        // It is unknown which of the missing records were added.
        failed = finding.failed.filter { record in
            record.finding == .missing && missing > later || found.laterRecords.contains(record)
        }
        if missing == later { failed = found.laterRecords }
    }

    /// Accepts the differences of a singleton's record, because Godwit's own import caused them.
    package mutating func acceptImport() { (hasNewTies, edited) = (false, 0) }
}
