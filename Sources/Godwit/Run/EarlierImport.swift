internal import GodwitModel
internal import FoundationLite

extension LegacyReport {
    /// The report of a run that finds the import done, with what its receipt says of it.
    init(doneBefore receipt: Receipt?) {
        struct Detail: Decodable { var buckets: [String: Int] }
        self.init(outcome: .alreadyDone)
        guard let receipt,
            let detail = try? JSONDecoder().decode(Detail.self, from: Data(receipt.detail.utf8))
        else { return }
        earlier = EarlierImport(completedAt: receipt.completedAt, buckets: detail.buckets)
    }
}
