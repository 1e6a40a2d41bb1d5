internal import GodwitLedger
internal import GodwitModel

extension RunReport.Legacy {
    /// The report of a run that finds the import done, with the outcomes in its receipt.
    init(doneBefore receipt: Receipt?) {
        self.init(outcome: .alreadyDone)
        guard let receipt, let buckets = receipt.importedBuckets else { return }
        earlier = RunReport.Legacy.Earlier(completedAt: receipt.completedAt, buckets: buckets)
    }
}
