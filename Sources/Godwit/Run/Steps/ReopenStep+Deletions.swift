internal import GodwitCopy
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// Finds the records that users deleted in the cloud store, and that come back if every record is copied again.
extension ReopenStep {
    /// That deleted records come back, with their number if the receipt of the copy has it.
    ///
    /// - Parameter survey: the state before the reopen.
    func deletionWarnings(_ survey: ContainerSurvey, isDryRun: Bool) throws(GodwitError) -> [Warning] {
        guard survey.hasLocal, survey.hasCloud else { return [] }
        guard let counts = try readCounts(survey) else {
            return [
                Warning(
                    "deletedReturns",
                    "records that users deleted in the cloud store since the copy come back with the next run; how many is "
                        + "not known", hint: Self.hint(isDryRun))
            ]
        }
        let total = counts.reduce(Int64(0)) { $0 + $1.count }
        guard total > 0 else { return [] }
        let list = counts.map { "\($0.count.grouped) `\($0.entity)`" }.joined(separator: ", ")
        return [
            Warning(
                "deletedReturns",
                "\(total.counted("record")) that the copy had, and the cloud store no longer has, "
                    + "\(total == 1 ? "comes" : "come") back with the next run: \(list)", hint: Self.hint(isDryRun))
        ]
    }

    private static func hint(_ isDryRun: Bool) -> String {
        isDryRun
            ? "If users deleted them, use \(name: .reopen) instead: with it they stay deleted."
            : "If users deleted some of them, delete these again in the app after the next run."
    }

    /// The same as `countDeleted`; nil also for stores that cannot be compared: the next run reports the error.
    private func readCounts(_ survey: ContainerSurvey) throws(GodwitError) -> [(entity: String, count: Int64)]? {
        do throws(GodwitError) {
            return try countDeleted(survey)
        } catch  where error.code == .data {
            return nil
        }
    }

    /// Records that the copy had and the cloud store lacks, by entity; nil if no receipt lists the copied records.
    private func countDeleted(
        _ survey: ContainerSurvey
    ) throws(GodwitError) -> [(entity: String, count: Int64)]? {
        let verify = VerifyStep(stores)
        guard let copied = try verify.coveringReceipt(survey)?.copiedEntities else { return nil }
        let source = try CopySource(stores, stage: .reopen)
        let cloud = try stores.snapshot(.cloud, .reopen)
        let local = try scope.translated(ComparedStore(source.snapshot), to: cloud.connection)
        var counts: [(entity: String, count: Int64)] = []
        for found in try verify.compare(local, with: ComparedStore(cloud), survey, isLater: true) {
            let name = found.finding.entity
            guard let earlier = copied.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { continue }
            // If the cloud store has none of them, `verify` reports a difference; here they also come back.
            let count = found.isGone ? min(found.finding.local, earlier.local) : found.deleted + found.unjudged
            if count > 0 { counts.append((name, count)) }
        }
        return counts
    }
}
