package import GodwitModel

/// What becomes of one local record: decided from the two records of one key, by the entity's rule.
package enum MergeDecision: Sendable, Equatable {
    /// The cloud has none of this key.
    case insert
    /// Equal in every column.
    case keepEqual
    /// They differ and the cloud's stays.
    case keepCloud
    /// They differ and the local one replaces the cloud's, which is kept aside.
    case update(WinnerReason)

    /// Decides for two records that differ.
    package static func decide(local: Instant?, cloud: Instant?, rule: ConflictRule) -> MergeDecision {
        let (store, reason) = WinnerRule.winner(local: local, cloud: cloud, rule: rule)
        return store == .cloud ? .keepCloud : .update(reason)
    }
}
