// Invariants: reasons come in the order of `Freshness.Code`, each at most once. `mayBeStale` is true exactly if there is
// a reason. `pass` and `notJudged` have no reasons, and `notJudged` has no criteria. An unknown fact is a reason; a
// known fact is never hidden.

package import GodwitModel

/// Judges how stale an export may be, from criteria and inputs.
package enum FreshnessAssessor {
    /// Seconds that a record may be dated after now before its clock counts as wrong.
    package static let clockTolerance: Int64 = 300

    /// The verdict.
    ///
    /// `noData` without a record; otherwise `error` from the age `errorAfter`, `warn` with any reason, and else `pass`,
    /// or `notJudged` without criteria. An age equal to a criterion has reached it.
    package static func assess(_ inputs: FreshnessInputs) -> Freshness {
        let reasons = Freshness.Code.allCases.compactMap { code in
            message(for: code, inputs).map { Freshness.Reason(code, $0) }
        }
        let codes = reasons.map(\.code)
        let status: Freshness.Status =
            if codes.contains(.noData) {
                .noData
            } else if codes.contains(.olderThanErrorAfter) {
                .error
            } else if !reasons.isEmpty {
                .warn
            } else {
                inputs.warnAfter == nil && inputs.errorAfter == nil ? .notJudged : .pass
            }
        return Freshness(
            status: status, mayBeStale: !reasons.isEmpty, reasons: reasons, newestRecordAt: inputs.newestRecordAt,
            lastLocalSaveAt: inputs.lastLocalSaveAt, lastSyncAt: inputs.lastSyncAt,
            ageSeconds: inputs.ageMilliseconds.map { $0 / 1000 },
            criteria: Freshness.Criteria(
                warnAfter: inputs.warnAfter?.description, errorAfter: inputs.errorAfter?.description),
            sync: inputs.sync, pendingChanges: inputs.pendingChanges)
    }

    /// The sentence for a reason; nil if the reason does not apply.
    private static func message(for code: Freshness.Code, _ inputs: FreshnessInputs) -> String? {
        switch code {
        case .syncing: inputs.syncingMessage
        case .offline: inputs.isOffline ? "The network was not reachable." : nil
        case .localOnly: inputs.localOnlyMessage
        case .noAccount: inputs.noAccountMessage
        case .syncError: inputs.syncErrorMessage
        case .pendingChanges: inputs.pendingMessage
        case .copyNotDone: inputs.copyNotDoneMessage
        case .copyInterrupted:
            inputs.copy == .interrupted
                ? "The copy to the cloud store was interrupted before its flag was set." : nil
        case .olderThanWarnAfter: inputs.oldMessage("warnAfter", inputs.warnAfter) ?? inputs.undatedMessage
        case .olderThanErrorAfter: inputs.oldMessage("errorAfter", inputs.errorAfter)
        case .walMissing:
            switch inputs.logGap {
            case .missing: "The store's write-ahead log was not next to it: the newest changes may be missing."
            case .damaged: "The store's write-ahead log is damaged: the newest changes are missing."
            case .truncated: "The store's write-ahead log is cut off: the newest changes may be missing."
            case nil: nil
            }
        case .clockSkew: inputs.clockSkewMessage
        case .noData: inputs.recordCount == 0 ? "No exported entity has a record." : nil
        }
    }
}
