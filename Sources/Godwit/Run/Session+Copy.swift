internal import GodwitCopy
internal import GodwitDedupe
internal import GodwitMigrate
internal import GodwitModel
internal import GodwitStore

/// The copy: once, healed where an earlier run stopped between its commit and its flag.
extension Session {
    /// Copies, heals or finds it done; `beforeFlag` is called when all is durable but the flag.
    func workOnCopy(
        _ survey: Survey, report: inout RunReport, beforeFlag: (RunReport) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        if survey.isFlagSet {
            report.copy = CopyReport(outcome: .alreadyDone, flag: try flag.state())
            return
        }
        let hasLocal = try files.local.exists()
        guard hasLocal || options.allowsEmpty || survey.copyReceipt != nil else {
            report.copy = CopyReport(outcome: .nothingToDo, flag: try flag.state())
            return
        }
        let source = hasLocal ? try PreparedSource(self, stage: .copy) : try PreparedSource(empty: self)
        // Where the local store is gone, the receipt alone says that all of it had been copied.
        if survey.copyReceipt != nil, hasLocal ? try isComplete(source) : true {
            report.copy = CopyReport(outcome: .healed)
        } else {
            report.copy = try copy.copy(
                from: source.snapshot.connection, duplicates: source.duplicates, toCloud: files.cloud.path,
                named: files.cloud.name, ownedLike: FileStatus.of(files.local.path))
        }
        // The snapshot may hold a read lock on the local store, which the history is written to next.
        _ = consume source
        try beforeFlag(report)
        try flag.set(context: context)
        report.copy?.flag = try flag.state()
    }

    /// Whether a copy whose receipt is there still holds every local record: the app may have written meanwhile.
    private func isComplete(_ source: borrowing PreparedSource) throws(GodwitError) -> Bool {
        let cloud = try snapshot(.cloud, .copy)
        guard try !schema.plan(cloud.connection).hasWork, try !dedupe.hasWork(cloud.connection) else { return false }
        return try proof.compare(source.snapshot.connection, with: cloud.connection).allSatisfy(\.holds)
    }
}
