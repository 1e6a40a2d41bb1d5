package import GodwitModel

/// What a comparison says of one entity some time after its copy, when users have gone on in the cloud store.
///
/// A record that the receipt's time covers and that the cloud store lacks, or has with a later date, was deleted or edited
/// there. An entity of which every record is gone is a difference all the same: a user seldom does that, a fault may.
package struct EntityAfterCopy: Sendable {
    package let finding: CopyProof.Finding
    /// Local records that the cloud store should have and lacks.
    package private(set) var missing: Int64
    /// Local records that the cloud store should have with the local values.
    package private(set) var different: Int64
    /// Records that were deleted in the cloud store since the copy.
    package private(set) var deleted: Int64 = 0
    /// Records that were edited in the cloud store since the copy.
    package private(set) var edited: Int64 = 0
    /// Local records that the cloud store lacks, of which nothing says whether they were deleted there or written later.
    package private(set) var unjudged: Int64 = 0
    /// Records that differ, and neither has a date.
    package private(set) var undated: Int64
    /// Whether more records differ under one date than the copy can have left: a value changed, and its date did not.
    package private(set) var hasNewTies = false
    /// The first of those that are missing or different.
    package private(set) var failed: [CheckedRecord]

    /// Whether every record is where it should be.
    package var holds: Bool { missing == 0 && different == 0 }

    /// How many local records wait for the cloud store.
    package var pending: Int64 { missing + different }

    /// Whether the cloud store has no local record at all.
    package var isGone: Bool { finding.local > 0 && finding.missing == finding.local }

    /// - Parameter copied: what the receipt says of the entity; nil where there is none, or where all of the local records
    ///   have to be in the cloud store.
    package init(_ finding: CopyProof.Finding, copied: CopiedEntity?) {
        self.finding = finding
        (missing, different, undated) = (finding.missing, finding.different, finding.undated)
        failed = finding.failed
        guard let copied, !isGone else { return }
        let found = finding.sinceCopy
        let later = finding.missing - found.deleted - found.unclear
        // By their number: what is more than the copy found was added since, whatever its date says.
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
        // Which of the missing ones were added can't be told.
        failed = finding.failed.filter { record in
            record.finding == .missing && missing > later || found.laterRecords.contains(record)
        }
        if missing == later { failed = found.laterRecords }
    }

    /// Takes a record that differs under an equal date for what it is: an import of Godwit's own changed it.
    package mutating func acceptTies() { hasNewTies = false }
}
