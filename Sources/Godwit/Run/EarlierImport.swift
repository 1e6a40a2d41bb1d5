internal import GodwitLedger
internal import GodwitModel

extension LegacyReport {
    /// The report of a run that finds the import done, with the outcomes in its receipt.
    init(doneBefore receipt: Receipt?) {
        self.init(outcome: .alreadyDone)
        guard let receipt, let buckets = receipt.importedBuckets else { return }
        earlier = EarlierImport(completedAt: receipt.completedAt, buckets: buckets)
    }
}
