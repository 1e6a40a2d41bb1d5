internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitCopy

/// The result of comparing the local store with the cloud store in a `verify`.
struct VerifiedCopy: Sendable {
    var checks: [RunReport.Verify.Check] = []
    /// The changes of users in the cloud store since the copy.
    var changes: [RunReport.Verify.Changes] = []
}

/// Checks that the copied records are in the cloud store, directly after the copy and later.
extension VerifyStep {
    /// Checks that every local record is in the cloud store, if the copy is complete.
    func verifyCopy(_ survey: ContainerSurvey, _ proof: Proof) throws(GodwitError) -> VerifiedCopy {
        func only(_ verdict: RunReport.Verify.Verdict, _ detail: String) -> VerifiedCopy {
            VerifiedCopy(checks: [RunReport.Verify.Check(Self.copyLabel, verdict, detail)])
        }
        switch survey.copyState {
        case .notDone: return only(.skipped, Self.phrase(reopened: survey) ?? "the copy has not been made")
        case .notDoneHere: return only(.skipped, "this device has not copied yet")
        case .interrupted, .done, .flagWithoutReceipt: break
        }
        guard survey.hasLocal else { return only(.skipped, "the local store does not exist") }
        guard survey.hasCloud else { return only(.failed, "the cloud store does not exist") }
        do throws(GodwitError) {
            let source = try CopySource(stores, stage: .verify)
            let cloud = try stores.snapshot(.cloud, .verify)
            let local = try scope.translated(ComparedStore(source.snapshot), to: cloud.connection)
            let found = try compare(local, with: ComparedStore(cloud), survey, isLater: proof == .later)
            return VerifiedCopy(
                checks: found.map(Self.check) + found.compactMap(Self.unjudged) + found.compactMap(Self.ties),
                changes: found.compactMap(Self.change))
        } catch  where error.isFinding {
            return only(.failed, error.message)
        }
    }

    /// Compares both stores, entity by entity.
    ///
    /// - Parameter isLater: whether a record may have been deleted or edited in the cloud store since its copy.
    func compare(
        _ local: ComparedStore, with cloud: ComparedStore, _ survey: ContainerSurvey, isLater: Bool
    ) throws(GodwitError) -> [EntityAfterCopy] {
        guard isLater, let receipt = try coveringReceipt(survey), let copied = receipt.copiedEntities else {
            return try self.proof.compare(local, with: cloud).map { EntityAfterCopy($0, copied: nil) }
        }
        let mark = CopyMark(since: receipt.completedAt, now: context.now)
        let proof = CopyProof(manifest: manifest, context: context, since: mark)
        var found = try proof.compare(local, with: cloud).map { finding in
            EntityAfterCopy(finding, copied: copied.first { $0.name.utf8.elementsEqual(finding.entity.utf8) })
        }
        for index in found.indices where found[index].hasNewTies || found[index].edited > 0 {
            if try isAsImported(found[index].finding.entity, in: cloud.connection, survey) {
                found[index].acceptImport()
            }
        }
        return found
    }

    /// The receipt of the copy, also of a reopened copy that the next run does not repeat.
    func coveringReceipt(_ survey: ContainerSurvey) throws(GodwitError) -> Receipt? {
        if survey.copyState == .done || survey.isFlagLost { return survey.copyReceipt }
        guard let reopened = survey.reopened, try CopyStep(stores).covers(reopened) else { return nil }
        return reopened.receipt
    }

    /// Whether a singleton's record in the cloud store is as an import of legacy values left it: a key that is mapped late is
    /// imported there after the copy.
    private func isAsImported(
        _ name: String, in cloud: SQLiteConnection, _ survey: ContainerSurvey
    ) throws(GodwitError) -> Bool {
        guard let entity = manifest.entity(named: name), let key = entity.singleton,
            let imported = survey.importedKeys?.record(of: name)
        else { return false }
        return try cloud.row(of: entity, key: .string(key)) == imported
    }

    static let noneInCloud = "the cloud store has none"
    private static let copyLabel = "everyRecordInCloud"

    private static func check(_ found: EntityAfterCopy) -> RunReport.Verify.Check {
        let name = "\(copyLabel).\(found.finding.entity)"
        let count = found.finding.local
        guard found.holds else {
            return RunReport.Verify.Check(name, .failed, phrase(failed: found), count: count, records: found.failed)
        }
        let lacking = found.deleted + found.unjudged
        guard lacking > 0 else {
            let all = count == 1 ? "the one local record is" : "all \(count.grouped) local records are"
            return RunReport.Verify.Check(name, .passed, "\(all) in the cloud store", count: count)
        }
        let present = count - lacking
        let those =
            "\(present.grouped) of \(count.grouped) local records \(present == 1 ? "is" : "are") in the cloud store"
        let rest = found.deleted > 0 ? "; \(phrase(deleted: found.deleted)) there since the copy" : ""
        return RunReport.Verify.Check(
            name, .passed, those + rest, count: count, records: found.finding.sinceCopy.deletedRecords)
    }

    private static func phrase(failed found: EntityAfterCopy) -> String {
        let all = found.finding.local.counted("local record")
        if found.isGone { return "\(noneInCloud) of the \(all)" }
        let missing = found.missing > 0 ? "\(found.missing.grouped) missing in the cloud store" : nil
        let different = found.different > 0 ? "\(found.different.grouped) with older values there" : nil
        return "of \(all): " + [missing, different].compactMap(\.self).joined(separator: ", ")
    }

    /// What a run does after a reopen; nil if no copy was reopened.
    private static func phrase(reopened survey: ContainerSurvey) -> String? {
        survey.reopenedCopyAt.map { time in
            let what = survey.reopened?.isAll == true ? "every record again" : "what was written since"
            return "the copy of \(time) was reopened; \(name: .run) copies \(what)"
        }
    }

    private static func phrase(deleted: Int64) -> String {
        "\(deleted.grouped) \(deleted == 1 ? "was" : "were") deleted"
    }

    private static func change(_ found: EntityAfterCopy) -> RunReport.Verify.Changes? {
        guard found.deleted > 0 || found.edited > 0 else { return nil }
        return RunReport.Verify.Changes(entity: found.finding.entity, deleted: found.deleted, edited: found.edited)
    }

    /// Records that only the local store has: without a date of when they were written, no fault is known.
    private static func unjudged(_ found: EntityAfterCopy) -> RunReport.Verify.Check? {
        guard found.unjudged > 0 else { return nil }
        return RunReport.Verify.Check(
            "notJudged.\(found.finding.entity)", .skipped,
            "local records that the cloud store lacks; no date says whether they were deleted there or written later",
            count: found.unjudged, records: found.finding.sinceCopy.unclearRecords)
    }

    /// Cloud records with other values and the same date, or without a date.
    ///
    /// If the dates are equal, the copy keeps the cloud's record, so these are not differences. A value that changed
    /// since under an equal date is a difference: an app that edits a record dates it again.
    private static func ties(_ found: EntityAfterCopy) -> RunReport.Verify.Check? {
        let which =
            switch (found.finding.sameDate, found.undated) {
            case (0, 0): ""
            case (_, 0): "have the same date as the local record and other values: the dates do not show which is right"
            case (0, _): "have no date, like the local record, and other values: nothing shows which is right"
            default:
                "have the same date as the local record, or none like it, and other values: nothing shows which is right"
            }
        guard !which.isEmpty else { return nil }
        return RunReport.Verify.Check(
            "sameValues.\(found.finding.entity)", found.hasNewTies ? .failed : .skipped, "cloud records that \(which)",
            count: found.finding.sameDate + found.undated, records: found.finding.tied)
    }
}
