package import GodwitModel

extension CopyProof.Finding {
    /// What the dates say of the records of one entity that are missing or differ, by the time of an earlier copy.
    package struct SinceCopy: Sendable, Equatable {
        /// Of the missing ones: dated before the copy, so that they were deleted in the cloud store since.
        package var deleted: Int64 = 0
        /// Of the missing ones: without a date that says whether they were written before the copy.
        package var unclear: Int64 = 0
        /// Of the different ones: dated before the copy, and the cloud's has a later date.
        package var edited: Int64 = 0
        /// Of the different ones: neither record has a date.
        package var undated: Int64 = 0
        /// Of those where the cloud's record wins by the rule: the cloud's has a later date.
        package var newer: Int64 = 0
        /// Of these, the ones that are dated after the copy.
        package var newerThanCopy: Int64 = 0
        /// The first records that were written after the copy and are missing or different.
        package var laterRecords: [CheckedRecord] = []
        /// The first of those that were deleted.
        package var deletedRecords: [CheckedRecord] = []
        /// The first of those that are unclear.
        package var unclearRecords: [CheckedRecord] = []

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
