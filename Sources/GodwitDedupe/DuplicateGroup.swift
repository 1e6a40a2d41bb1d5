package import GodwitModel

/// Duplicates of one entity and the decision about them; depends on values only.
package struct DuplicateGroup: Sendable, Equatable {
    package let winner: Int
    package let reason: RunReport.Dedupe.Reason
    /// The key of the winner afterwards.
    package let finalKey: Value
    /// Indexes of the other candidates, which are set aside.
    package let losers: [Int]
    /// Whether the winner's key must change to `finalKey`.
    package let isRekeyed: Bool

    /// Nil if there is nothing to do: one record with the right key, or none.
    ///
    /// - Parameter fixedKey: the required key of a singleton's record, as its column stores it; nil for all other
    ///   entities, whose candidates have equal keys.
    package static func decide(
        _ candidates: [WinnerRule.Candidate], rule: ConflictRule, fixedKey: Value?
    ) -> DuplicateGroup? {
        guard let (winner, reason) = WinnerRule.winner(among: candidates, rule: rule) else { return nil }
        let own = candidates[winner].key
        let final = fixedKey ?? own
        guard candidates.count > 1 || final != own else { return nil }
        return DuplicateGroup(
            winner: winner, reason: reason, finalKey: final, losers: candidates.indices.filter { $0 != winner },
            isRekeyed: final != own)
    }
}
