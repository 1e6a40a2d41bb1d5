/// Chooses the winner among duplicates; pure, with the same result on every device.
///
/// Rowids and the order of records do not matter. Instants are compared, not texts. A date that is NULL or unreadable
/// is older than every other date.
package enum WinnerRule {
    /// The parts of a record that decide.
    package struct Candidate: Sendable, Equatable {
        package let key: Value
        package let modified: Instant?
        /// All stored columns, in the byte order of their names.
        package let columns: [Value]

        package init(key: Value, modified: Instant?, columns: [Value]) {
            (self.key, self.modified, self.columns) = (key, modified, columns)
        }
    }

    /// The winner among records of one store.
    ///
    /// `keepCloud` and `keepLocal` compare two stores; inside one store, the newest wins for them too. Equal dates are
    /// decided by the smaller key, then by the smaller columns.
    package static func winner(
        among candidates: [Candidate], rule: ConflictRule
    ) -> (index: Int, reason: RunReport.Dedupe.Reason)? {
        guard !candidates.isEmpty else { return nil }
        var best = 0
        for index in candidates.indices.dropFirst() where precedes(candidates[index], candidates[best], rule: rule) {
            best = index
        }
        return (best, reason(for: candidates[best], at: best, among: candidates, rule: rule))
    }

    /// The winner between two records with the same key in two stores, which differ in a column.
    package static func winner(
        local: Instant?, cloud: Instant?, rule: ConflictRule
    ) -> (store: StoreRole, reason: RunReport.Dedupe.Reason) {
        switch rule {
        case .keepCloud: return (.cloud, .cloudKept)
        case .keepLocal: return (.local, .localKept)
        case .keepNewest, .keepEarliest:
            guard local != cloud else { return (.cloud, .tieCloud) }
            let localIsNewer = isOlder(cloud, than: local)
            if rule == .keepNewest { return (localIsNewer ? .local : .cloud, .newest) }
            return (localIsNewer ? .cloud : .local, .earliest)
        }
    }

    private static func isOlder(_ a: Instant?, than b: Instant?) -> Bool {
        guard let b else { return false }
        guard let a else { return true }
        return a < b
    }

    private static func precedes(_ a: Candidate, _ b: Candidate, rule: ConflictRule) -> Bool {
        if a.modified != b.modified {
            let aIsOlder = isOlder(a.modified, than: b.modified)
            return rule == .keepEarliest ? aIsOlder : !aIsOlder
        }
        if a.key != b.key { return a.key < b.key }
        return a.columns.lexicographicallyPrecedes(b.columns)
    }

    private static func reason(
        for winner: Candidate, at index: Int, among candidates: [Candidate], rule: ConflictRule
    ) -> RunReport.Dedupe.Reason {
        let others = candidates.indices.filter { $0 != index }.map { candidates[$0] }
        if others.isEmpty { return .onlyOne }
        if others.allSatisfy({ $0.columns == winner.columns }) { return .identical }
        let rivals = others.filter { $0.modified == winner.modified && $0.columns != winner.columns }
        if rivals.isEmpty { return rule == .keepEarliest ? .earliest : .newest }
        return rivals.allSatisfy { $0.key != winner.key } ? .smallerKey : .smallerColumns
    }
}
