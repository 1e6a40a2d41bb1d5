internal import GodwitFiles
package import GodwitModel

/// What the check of a store finds out about its indexes, kept for those who would else read them once more.
///
/// It is known before the check has come to its end, and an index may still turn out to be damaged: whoever believes what is
/// found must require that the store is sound before anything comes of it.
///
/// Invariant, for `@unchecked Sendable`: what may change is touched only inside `monitor.locked`. There is an end to it,
/// whatever becomes of the check, so that nobody waits for ever.
package final class IndexFindings: @unchecked Sendable {
    private let known: StoreStateCache
    private let state: [UInt8]?
    private let monitor = Monitor()
    /// Indexes that are still to be read; nil before the check knows how many there are.
    private var left: Int?

    /// - Parameter state: of the store; where it can't be told, nothing is kept.
    package init(_ known: StoreStateCache, of state: [UInt8]?) { (self.known, self.state) = (known, state) }

    /// Says what a check is going to do.
    func begin(_ parts: [IntegrityPlan.Part]) {
        monitor.locked { leave(parts.count(where: \.isOfIndex)) }
    }

    /// Takes what came of a part, on any thread.
    func take(_ outcome: IntegrityPlan.Outcome, of part: IntegrityPlan.Part) {
        guard case .entries(let index, let table) = part else { return }
        if case .entries(let found) = outcome, found.areDistinctAtFirst, let first = index.columns.first {
            known.note(.distinct(table: table.name, column: first.name), of: state)
        }
        monitor.locked { if let left { leave(left - 1) } }
    }

    /// Says that nothing more will be found out.
    func end() { monitor.locked { leave(0) } }

    /// Waits until all that will be found out is known.
    func wait() {
        monitor.locked {
            while left != 0 { monitor.wait(for: .result) }
        }
    }

    /// Under the lock.
    private func leave(_ count: Int) {
        left = count
        if count == 0 { monitor.announceToAll(.result) }
    }
}

extension SQLiteConnection {
    /// Whether a check of a large store finds out, unless anything is wrong with it, if an entity has a key twice.
    package func isToldByChecks(ofKeysIn table: EntityTable) throws(GodwitError) -> Bool {
        try summedLayout(of: table.shape.name)?.indexes.contains { $0.columns.first?.name == table.keyColumn } ?? false
    }
}
