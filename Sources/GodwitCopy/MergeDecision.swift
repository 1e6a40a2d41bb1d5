package import GodwitModel

/// The decision for one local record, from the two records of its key and the entity's rule.
package enum MergeDecision: Sendable, Equatable {
    /// The cloud has no record of this key.
    case insert
    case keepEqual
    case keepCloud
    /// They differ, and the local record replaces the cloud's, which is set aside.
    case update(RunReport.Dedupe.Reason)

    /// Decides for two records that differ.
    package static func decide(local: Instant?, cloud: Instant?, rule: ConflictRule) -> MergeDecision {
        let (store, reason) = WinnerRule.winner(local: local, cloud: cloud, rule: rule)
        return store == .cloud ? .keepCloud : .update(reason)
    }
}
