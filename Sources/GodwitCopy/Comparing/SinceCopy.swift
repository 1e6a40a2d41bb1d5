package import GodwitModel

extension CopyProof.Finding {
    /// Counts of missing and different records of one entity, by their dates and the time of an earlier copy.
    package struct SinceCopy: Sendable, Equatable {
        /// Missing and dated before the copy, so they were deleted in the cloud store since.
        package var deleted: Int64 = 0
        /// Missing, without a date that shows if they were written before the copy.
        package var unclear: Int64 = 0
        /// Different and dated before the copy; the cloud's record has a later date.
        package var edited: Int64 = 0
        /// Different, and neither record has a date.
        package var undated: Int64 = 0
        /// The cloud's record wins by the rule and has a later date.
        package var newer: Int64 = 0
        /// Of these, those dated after the copy.
        package var newerThanCopy: Int64 = 0
        /// The first missing or different records that were written after the copy.
        package var laterRecords: [RunReport.Verify.Record] = []
        package var deletedRecords: [RunReport.Verify.Record] = []
        package var unclearRecords: [RunReport.Verify.Record] = []

        /// Adds the counts of other records.
        mutating func add(_ other: SinceCopy) {
            deleted += other.deleted
            unclear += other.unclear
            edited += other.edited
            undated += other.undated
            newer += other.newer
            newerThanCopy += other.newerThanCopy
        }
    }
}
