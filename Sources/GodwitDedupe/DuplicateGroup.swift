package import GodwitModel

/// Records of one entity that stand for one thing, with what must become of them: decided here, from values alone.
package struct DuplicateGroup: Sendable, Equatable {
    package let winner: Int
    package let reason: WinnerReason
    /// The key the winner must have in the end.
    package let finalKey: Value
    /// Places of the losers among the candidates.
    package let losers: [Int]
    /// Whether the winner's key must change to `finalKey`.
    package let isRekeyed: Bool

    /// Decides; nil where there is nothing to do: one record with the right key, or none.
    ///
    /// - Parameter fixedKey: the key a singleton's record must have, as its column stores it; nil for all other entities,
    ///   whose candidates have one key.
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
